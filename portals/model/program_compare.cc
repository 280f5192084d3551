// The steps of a random program that change counters, and the comparison of the
// program with the model.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <chrono>

#include "portals/model/program.h"

namespace gasnet::portals4_tests::model {

namespace {

constexpr uint32_t kTriggered = 2;
constexpr size_t kSumsDescriptor = 4;
constexpr size_t kMaxEvents = 64;

struct Seen {
  size_t at_target;
  size_t at_initiator;
  ptl_event_t target_events[kMaxEvents];
  ptl_event_t initiator_events[kMaxEvents];
  ptl_ct_event_t counters[kCounters];
};

// Returns true if the rules define the `ptl_list` of an event of this type.
// They do not define it for the _OVERFLOW events of headers.
bool HasList(ptl_event_kind_t type) {
  return type == PTL_EVENT_PUT || type == PTL_EVENT_GET ||
         type == PTL_EVENT_ATOMIC || type == PTL_EVENT_FETCH_ATOMIC ||
         type == PTL_EVENT_ACK || type == PTL_EVENT_REPLY;
}

// Waits for `expected` events. Takes them, and all further events that are in
// the queue. Returns the number of events taken.
size_t Take(ptl_handle_eq_t eq, size_t expected, ptl_event_t* events) {
  size_t count = 0;
  unsigned which;
  while (count < expected && count < kMaxEvents) {
    if (PtlEQPoll(&eq, 1, testing::kPatienceMs / 4, &events[count], &which))
      return count;
    ++count;
  }
  while (count < kMaxEvents && PtlEQGet(eq, &events[count]) == PTL_OK) ++count;
  return count;
}

// Returns true if `holds()` becomes true within the time limit for one event.
template <typename Holds>
bool Comes(Holds holds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::milliseconds(testing::kPatienceMs / 4);
  while (!holds()) {
    if (Clock::now() >= deadline) return false;
    sched_yield();
  }
  return true;
}

ptl_ct_event_t Await(ptl_handle_ct_t counter, const Count& expected) {
  ptl_ct_event_t value = {};
  Comes([&] {
    PtlCTGet(counter, &value);
    return value.success == expected.success &&
           value.failure == expected.failure;
  });
  return value;
}

}  // namespace

void Program::Count() {
  const int at = AnyNode();
  Node& node = At(at);
  const auto index = static_cast<int>(Below(kCounters));
  const ptl_handle_ct_t counter = node.counters[index];
  const bool sets = OneIn(3);
  const model::Count value = {Below(50), sets || OneIn(8) ? Below(3) : 0};
  const int expected =
      sets ? model_.Set(at, index, value) : model_.Increment(at, index, value);
  const int got = node.process->Call([=] {
    const ptl_ct_event_t real = {value.success, value.failure};
    return sets ? PtlCTSet(counter, real) : PtlCTInc(counter, real);
  });
  EXPECT_EQ(got, expected);
  touched_.insert(at);
}

void Program::Trigger() {
  const int at = AnyNode();
  Node& node = At(at);
  const auto index = static_cast<int>(Below(kCounters));
  const ptl_handle_ct_t counter = node.counters[index];
  if (OneIn(8)) {
    EXPECT_EQ(node.process->Call([=] { return PtlCTCancelTriggered(counter); }),
              model_.Cancel(at, index));
    return;
  }
  const model::Count now = model_.counter(at, index);
  const uint64_t threshold = now.success + now.failure + Below(12);
  // A counter triggers only counters with higher indices. So there are no
  // cycles.
  if (index + 1 < kCounters && OneIn(2)) {
    const int other =
        index + 1 +
        static_cast<int>(Below(static_cast<uint64_t>(kCounters - 1 - index)));
    const uint64_t by = 1 + Below(3);
    const int expected =
        model_.TriggerIncrement(at, index, threshold, other, {by, 0});
    const int got = node.process->Call([=, changed = node.counters[other]] {
      return PtlTriggeredCTInc(changed, {by, 0}, counter, threshold);
    });
    EXPECT_EQ(got, expected);
  } else {
    Operation sum = AnyOperation();
    sum.verb = Verb::kSum;
    sum.initiator = at;
    sum.length = 4;
    sum.local = kSummand;
    sum.ack = PTL_NO_ACK_REQ;
    sum.pt = kTriggered;
    sum.bits = 0;
    sum.remote = 4 * Below(16);
    sum.md = {PTL_MD_EVENT_SUCCESS_DISABLE, kNoCounter};
    const int expected = model_.TriggerOperation(at, index, threshold, sum);
    const int got = node.process->Call([=, md = node.mds[kSumsDescriptor],
                                        to = At(sum.target).process->id()] {
      return PtlTriggeredAtomic(md, sum.local, sum.length, sum.ack, to, sum.pt,
                                sum.bits, sum.remote, nullptr, sum.header,
                                PTL_SUM, PTL_INT32_T, counter, threshold);
    });
    EXPECT_EQ(got, expected);
  }
  touched_.insert(at);
}

void Program::Scribble() {
  const int at = AnyNode();
  const size_t offset = kMemory / 2 + 4 * Below(512);
  const uint64_t value = random_();
  memcpy(model_.memory(at).data() + offset, &value, sizeof value);
  At(at).process->Store(offset, value);
}

void Program::Compare(int at) {
  Node& node = At(at);
  const auto target_events = model_.TakeTargetEvents(at);
  const auto initiator_events = model_.TakeInitiatorEvents(at);
  struct Expected {
    model::Count counters[kCounters];
  } counts;
  for (int i = 0; i < kCounters; ++i)
    counts.counters[i] = model_.counter(at, i);
  struct Handles {
    ptl_handle_ct_t counters[kCounters];
  } handles;
  std::copy(std::begin(node.counters), std::end(node.counters),
            handles.counters);
  const auto seen = std::make_unique<Seen>(node.process->Call(
      [=, target_eq = node.at_target, initiator_eq = node.at_initiator,
       at_target = target_events.size(),
       at_initiator = initiator_events.size()] {
        Seen result;
        result.at_target = Take(target_eq, at_target, result.target_events);
        result.at_initiator =
            Take(initiator_eq, at_initiator, result.initiator_events);
        for (int i = 0; i < kCounters; ++i)
          result.counters[i] = Await(handles.counters[i], counts.counters[i]);
        return result;
      }));
  CompareEvents("target's", target_events, seen->target_events, seen->at_target,
                node);
  CompareEvents("initiator's", initiator_events, seen->initiator_events,
                seen->at_initiator, node);
  for (int i = 0; i < kCounters; ++i) {
    EXPECT_EQ(seen->counters[i].success, counts.counters[i].success)
        << "counter " << i;
    EXPECT_EQ(seen->counters[i].failure, counts.counters[i].failure)
        << "counter " << i;
  }
}

void Program::CompareEvents(const char* queue,
                            const std::vector<Event>& expected,
                            const ptl_event_t* got, size_t count, Node& node) {
  ASSERT_EQ(count, expected.size()) << queue << " events";
  for (size_t i = 0; i < count; ++i) {
    const Event real = Plain(got[i], node);
    Event wanted = expected[i];
    if (wanted.type == PTL_EVENT_SEARCH) wanted.header = 0;  // a get has none
    if (!HasList(wanted.type)) wanted.list = 0;
    EXPECT_EQ(real.type, wanted.type) << queue << " event " << i;
    EXPECT_TRUE(real == wanted)
        << queue << " event " << i << " of type " << wanted.type << ": fail "
        << real.fail << " for " << wanted.fail << ", user " << real.user
        << " for " << wanted.user << ", bits " << real.bits << " for "
        << wanted.bits << ", rlength " << real.rlength << " for "
        << wanted.rlength << ", mlength " << real.mlength << " for "
        << wanted.mlength << ", remote " << real.remote << " for "
        << wanted.remote << ", start " << real.start << " for " << wanted.start
        << ", list " << real.list << " for " << wanted.list << ", initiator "
        << real.initiator << " for " << wanted.initiator;
  }
}

// Returns the event, with 0 in the fields that are not valid for its type.
Event Program::Plain(const ptl_event_t& event, Node& node) const {
  Event result;
  result.type = event.type;
  result.fail = event.ni_fail_type;
  const bool found =
      event.type != PTL_EVENT_SEARCH || event.ni_fail_type == PTL_NI_OK;
  const bool communicates = event.type <= PTL_EVENT_FETCH_ATOMIC_OVERFLOW ||
                            event.type == PTL_EVENT_SEARCH;
  const bool of_get =
      event.type == PTL_EVENT_GET || event.type == PTL_EVENT_GET_OVERFLOW;
  if (event.type != PTL_EVENT_PT_DISABLED)
    result.user = reinterpret_cast<uintptr_t>(event.user_ptr);
  const bool acknowledges =
      event.type == PTL_EVENT_ACK || event.type == PTL_EVENT_REPLY;
  if (acknowledges && event.ni_fail_type == PTL_NI_OK) {
    result.mlength = event.mlength;
    result.remote = event.remote_offset;
    result.list = event.ptl_list;
  }
  if (event.type >= PTL_EVENT_PT_DISABLED || communicates)
    result.pt = event.pt_index;
  if (!communicates || !found) return result;
  if (!of_get && event.type != PTL_EVENT_SEARCH) result.header = event.hdr_data;
  result.bits = event.match_bits;
  result.rlength = event.rlength;
  result.mlength = event.mlength;
  result.remote = event.remote_offset;
  result.start = static_cast<uint64_t>(static_cast<char*>(event.start) -
                                       node.process->memory());
  if (HasList(event.type)) result.list = event.ptl_list;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].process->id().phys.pid == event.initiator.phys.pid)
      result.initiator = static_cast<int>(i);
  }
  return result;
}

void Program::CompareMemory() {
  for (int at = 0; at < static_cast<int>(nodes_.size()); ++at)
    CompareMemoryOf(at);
}

void Program::CompareMemoryOf(int at) {
  struct Half {
    uint8_t bytes[kMemory];
  };
  Node& node = At(at);
  const auto& expected = model_.memory(at);
  ptrdiff_t differs = 0;
  Comes([&] {
    const auto real = node.process->Load<Half>(0);
    differs =
        std::mismatch(expected.begin(), expected.end(), real.bytes).first -
        expected.begin();
    return differs == static_cast<ptrdiff_t>(kMemory);
  });
  EXPECT_EQ(differs, static_cast<ptrdiff_t>(kMemory))
      << "the first byte that differs in process " << at;
  const auto registers = model_.registers(at);
  EXPECT_EQ(node.process->Register(PTL_SR_DROP_COUNT), registers[0]);
  EXPECT_EQ(node.process->Register(PTL_SR_OPERATION_VIOLATIONS), registers[2]);
}

}  // namespace gasnet::portals4_tests::model
