// The conduit over a Portals whose header is nobody's: handles are structures,
// and no value is one of ours. Compiling it is half of the test; the other half
// is that what this Portals gives out comes back as it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/bell.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/messages.h"
#include "conduits/portals/network.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/provider.h"
#include "core/barrier_vote.h"

namespace {

// An operation that waits for a counter.
struct Triggered {
  uint64_t counter = 0;
  uint64_t threshold = 0;
  ptl_rank_t target = 0;     // of an atomic or a put
  uint64_t incremented = 0;  // of an increment
};

// Queues are 1, 2, 3, ...; descriptors 101, ...; counters 301, ...
struct FakePortals {
  uint64_t queues = 0;
  uint64_t descriptors = 100;
  std::map<uint64_t, std::deque<ptl_event_t>> events;  // of queues
  std::map<ptl_pt_index_t, uint64_t> tables;           // to queues
  std::vector<uint64_t> puts;                          // their descriptors
  std::vector<unsigned> md_options;
  ptl_rank_t last_target = 0;
  uint64_t counters = 300;
  std::map<uint64_t, ptl_ct_event_t> counts;
  std::map<ptl_match_bits_t, uint64_t> entry_counters;
  std::vector<ptl_rank_t> atomics;  // their targets
  std::vector<Triggered> triggered;
};
FakePortals* portals = nullptr;

template <class Handle>
Handle Make(uint64_t number) {
  Handle handle = {};
  handle.object = portals;
  handle.incarnation = number;
  return handle;
}

}  // namespace

extern "C" {
int PtlInit(void) { return PTL_OK; }
int PtlNIInit(ptl_interface_t, unsigned int options, ptl_pid_t,
              const ptl_ni_limits_t* wanted, ptl_ni_limits_t* actual,
              ptl_handle_ni_t* ni) {
  if (options != (PTL_NI_MATCHING | PTL_NI_LOGICAL)) return PTL_ARG_INVALID;
  *actual = *wanted;
  *ni = Make<ptl_handle_ni_t>(1000);
  return PTL_OK;
}
int PtlSetMap(ptl_handle_ni_t, ptl_size_t, const ptl_process_t*) {
  return PTL_IGNORED;
}
int PtlGetUid(ptl_handle_ni_t, ptl_uid_t* uid) {
  *uid = 7;
  return PTL_OK;
}
int PtlGetPhysId(ptl_handle_ni_t, ptl_process_t* id) {
  id->phys.nid = 3;
  id->phys.pid = 4;
  return PTL_OK;
}
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_handle_eq_t* eq) {
  *eq = Make<ptl_handle_eq_t>(++portals->queues);
  return PTL_OK;
}
int PtlEQGet(ptl_handle_eq_t eq, ptl_event_t* event) {
  std::deque<ptl_event_t>& events = portals->events[eq.incarnation];
  if (events.empty()) return PTL_EQ_EMPTY;
  *event = events.front();
  events.pop_front();
  return PTL_OK;
}
int PtlEQPoll(const ptl_handle_eq_t* eqs, unsigned int size, ptl_time_t,
              ptl_event_t* event, unsigned int* which) {
  for (*which = 0; *which < size; ++*which) {
    if (PtlEQGet(eqs[*which], event) == PTL_OK) return PTL_OK;
  }
  return PTL_EQ_EMPTY;
}
int PtlPTAlloc(ptl_handle_ni_t, unsigned int, ptl_handle_eq_t eq,
               ptl_pt_index_t wanted, ptl_pt_index_t* index) {
  portals->tables[wanted] = eq.incarnation;
  *index = wanted;
  return PTL_OK;
}
int PtlPTEnable(ptl_handle_ni_t, ptl_pt_index_t) { return PTL_OK; }
int PtlMDBind(ptl_handle_ni_t, const ptl_md_t* md, ptl_handle_md_t* handle) {
  // Over all memory, but for the barrier's.
  if ((md->length == PTL_SIZE_MAX) != (md->start == nullptr)) {
    return PTL_ARG_INVALID;
  }
  portals->md_options.push_back(md->options);
  *handle = Make<ptl_handle_md_t>(++portals->descriptors);
  return PTL_OK;
}
int PtlMEAppend(ptl_handle_ni_t, ptl_pt_index_t index, const ptl_me_t* me,
                ptl_list_t list, void* user, ptl_handle_me_t* handle) {
  if (list != PTL_PRIORITY_LIST || me->uid != 7 ||
      me->match_id.rank != PTL_RANK_ANY) {
    return PTL_ARG_INVALID;
  }
  if (me->ct_handle.incarnation != 0) {
    portals->entry_counters[me->match_bits] = me->ct_handle.incarnation;
  }
  ptl_event_t event = {};
  event.type = PTL_EVENT_LINK;
  event.ni_fail_type = PTL_NI_OK;
  event.user_ptr = user;
  portals->events[portals->tables[index]].push_back(event);
  *handle = Make<ptl_handle_me_t>(500);
  return PTL_OK;
}
int PtlPut(ptl_handle_md_t md, ptl_size_t, ptl_size_t, ptl_ack_req_t ack,
           ptl_process_t target, ptl_pt_index_t, ptl_match_bits_t, ptl_size_t,
           void*, ptl_hdr_data_t) {
  if (ack != PTL_ACK_REQ) return PTL_ARG_INVALID;
  portals->puts.push_back(md.incarnation);
  portals->last_target = target.rank;
  return PTL_OK;
}
int PtlGet(ptl_handle_md_t md, ptl_size_t, ptl_size_t, ptl_process_t target,
           ptl_pt_index_t, ptl_match_bits_t, ptl_size_t, void*) {
  portals->puts.push_back(md.incarnation);
  portals->last_target = target.rank;
  return PTL_OK;
}
int PtlCTAlloc(ptl_handle_ni_t, ptl_handle_ct_t* ct) {
  *ct = Make<ptl_handle_ct_t>(++portals->counters);
  return PTL_OK;
}
int PtlCTGet(ptl_handle_ct_t ct, ptl_ct_event_t* count) {
  *count = portals->counts[ct.incarnation];
  return PTL_OK;
}
int PtlAtomicSync(void) { return PTL_OK; }
int PtlAtomic(ptl_handle_md_t, ptl_size_t, ptl_size_t length, ptl_ack_req_t,
              ptl_process_t target, ptl_pt_index_t, ptl_match_bits_t,
              ptl_size_t, void*, ptl_hdr_data_t, ptl_op_t operation,
              ptl_datatype_t type) {
  if (operation != PTL_MAX || type != PTL_INT64_T || length != 16) {
    return PTL_ARG_INVALID;
  }
  portals->atomics.push_back(target.rank);
  return PTL_OK;
}
int PtlTriggeredAtomic(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
                       ptl_process_t target, ptl_pt_index_t, ptl_match_bits_t,
                       ptl_size_t, void*, ptl_hdr_data_t, ptl_op_t operation,
                       ptl_datatype_t type, ptl_handle_ct_t counter,
                       ptl_size_t threshold) {
  if (operation != PTL_MAX || type != PTL_INT64_T) return PTL_ARG_INVALID;
  portals->triggered.push_back({.counter = counter.incarnation,
                                .threshold = threshold,
                                .target = target.rank});
  return PTL_OK;
}
int PtlTriggeredPut(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
                    ptl_process_t target, ptl_pt_index_t, ptl_match_bits_t,
                    ptl_size_t, void*, ptl_hdr_data_t, ptl_handle_ct_t counter,
                    ptl_size_t threshold) {
  portals->triggered.push_back({.counter = counter.incarnation,
                                .threshold = threshold,
                                .target = target.rank});
  return PTL_OK;
}
int PtlTriggeredCTInc(ptl_handle_ct_t ct, ptl_ct_event_t increment,
                      ptl_handle_ct_t counter, ptl_size_t threshold) {
  if (increment.success != 1 || increment.failure != 0) return PTL_ARG_INVALID;
  portals->triggered.push_back({.counter = counter.incarnation,
                                .threshold = threshold,
                                .incremented = ct.incarnation});
  return PTL_OK;
}
}

namespace gasnet::portals {
namespace {

class DialectTest : public ::testing::Test {
 protected:
  DialectTest() {
    ::portals = &fake_;
    plan_.chunk = 2048;
    StatusOr<std::unique_ptr<Interface>> opened =
        Interface::Open(settings_, plan_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (opened.ok()) interface_ = *std::move(opened);
  }

  FakePortals fake_;
  const Settings settings_ = {};
  Plan plan_;
  std::unique_ptr<Interface> interface_;
};

TEST_F(DialectTest, EveryDescriptorIsAnotherAndFoundAgain) {
  ASSERT_NE(interface_, nullptr);
  const Target to = {.peer = 5};
  for (const Descriptor each :
       {Descriptor::kPut, Descriptor::kVolatilePut, Descriptor::kQuiet,
        Descriptor::kVolatileQuiet}) {
    interface_->Put(each, nullptr, 0, to, nullptr);
  }
  interface_->Get(nullptr, 0, to, nullptr);
  EXPECT_EQ(fake_.puts, (std::vector<uint64_t>{101, 102, 104, 105, 103}));
  EXPECT_EQ(fake_.last_target, 5u);
  const auto has = [&](size_t i, unsigned option) {
    return (fake_.md_options[i] & option) != 0;
  };
  EXPECT_TRUE(has(0, PTL_MD_EVENT_SEND_DISABLE));
  EXPECT_FALSE(has(0, PTL_MD_VOLATILE));
  EXPECT_TRUE(has(1, PTL_MD_VOLATILE));
  EXPECT_TRUE(has(3, PTL_MD_EVENT_SUCCESS_DISABLE));
  EXPECT_FALSE(has(2, PTL_MD_EVENT_SUCCESS_DISABLE));
  EXPECT_TRUE(has(4, PTL_MD_VOLATILE));
}

TEST_F(DialectTest, EntriesAreLinkedAndTheirEventsComeFromTheirQueues) {
  ASSERT_NE(interface_, nullptr);
  for (const Table table :
       {Table::kSegment, Table::kRequests, Table::kReplies, Table::kSystem}) {
    EXPECT_TRUE(interface_->Append({.table = table}).ok());
  }
  EXPECT_TRUE(interface_->AwaitLinks().ok());
  ptl_event_t event = {};
  event.type = PTL_EVENT_PUT;
  fake_.events[3].push_back(event);
  EXPECT_FALSE(interface_->Next(Queue::kSafe, event));
  EXPECT_TRUE(interface_->Next(Queue::kRequests, event));
  EXPECT_EQ(event.type, PTL_EVENT_PUT);
}

TEST_F(DialectTest, SetMapMayBeIgnored) {
  ASSERT_NE(interface_, nullptr);
  const std::vector<ptl_process_t> map(2, interface_->id());
  EXPECT_TRUE(interface_->SetMap(map).ok());
  EXPECT_EQ(interface_->id().phys.nid, 3u);
}

// Five ranks, three steps: what a phase starts, by whose counters.
TEST_F(DialectTest, ABarrierIsSetUpAPhaseAhead) {
  ASSERT_NE(interface_, nullptr);
  Bell bell(*interface_, 4);
  StatusOr<std::unique_ptr<Barrier>> made = Barrier::Make(*interface_, 4, 5);
  ASSERT_TRUE(made.ok()) << made.status();
  Barrier& barrier = **made;
  ASSERT_TRUE(barrier.Start(bell).ok());
  // The second set of three counters each is the first phase's.
  EXPECT_EQ(fake_.entry_counters[3], 304u);
  ASSERT_EQ(fake_.triggered.size(), 4u);
  EXPECT_EQ(fake_.triggered[0].counter, 304u);
  EXPECT_EQ(fake_.triggered[0].threshold, 2u);
  EXPECT_EQ(fake_.triggered[0].target, 1u);
  EXPECT_EQ(fake_.triggered[1].incremented, 305u);
  EXPECT_EQ(fake_.triggered[2].counter, 305u);
  EXPECT_EQ(fake_.triggered[2].target, 3u);
  EXPECT_EQ(fake_.triggered[3].incremented, 306u);
  fake_.triggered.clear();
  barrier.Notify({.named = true, .id = 7});
  EXPECT_EQ(fake_.atomics, (std::vector<ptl_rank_t>{0, 4}));
  ASSERT_EQ(fake_.triggered.size(), 4u);
  EXPECT_EQ(fake_.triggered[0].counter, 307u);
  // Complete at the last step's two.
  EXPECT_FALSE(barrier.Done());
  fake_.counts[306].success = 1;
  EXPECT_FALSE(barrier.Done());
  fake_.counts[306].success = 2;
  EXPECT_TRUE(barrier.Done());
}

TEST_F(DialectTest, TheBellIsSetOnceForAPhaseThatIsOpen) {
  ASSERT_NE(interface_, nullptr);
  Bell bell(*interface_, 0);
  StatusOr<std::unique_ptr<Barrier>> made = Barrier::Make(*interface_, 0, 2);
  ASSERT_TRUE(made.ok()) << made.status();
  Barrier& barrier = **made;
  ASSERT_TRUE(barrier.Start(bell).ok());
  barrier.RingWhenDone();
  EXPECT_TRUE(fake_.triggered.empty()) << "no phase is open";
  barrier.Notify({});
  EXPECT_TRUE(fake_.puts.empty()) << "nobody waits";
  barrier.RingWhenDone();
  barrier.RingWhenDone();
  ASSERT_EQ(fake_.triggered.size(), 1u);
  EXPECT_EQ(fake_.triggered[0].counter, 302u);
  EXPECT_EQ(fake_.triggered[0].threshold, 2u);
  ptl_event_t event = {};
  event.hdr_data = 1;
  bell.Hear(event);
  barrier.RingWhenDone();
  EXPECT_EQ(fake_.triggered.size(), 2u);
  // A thread that began to wait before a phase is told that one is open.
  EXPECT_EQ(barrier.Result(), BarrierVote{});
  bell.Begin();
  barrier.Notify({});
  EXPECT_EQ(fake_.puts.size(), 1u);
}

// Of the whole conduit, that it compiles.
static_assert(network::Network<Network>);

}  // namespace
}  // namespace gasnet::portals
