// A process of the same user overwrites the tables of another process. At the
// same time, peers and the owner work on these tables. All operations end, with
// any result, and no process crashes.
#include <gtest/gtest.h>
#include <portals4.h>

#include <cstdlib>
#include <random>
#include <string>

#include "portals/robustness/corrupted_owner.h"
#include "portals/robustness/vandal.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

TEST_F(CorruptedOwner, AnOperationThatThereIsNotIsLeftOut) {
  using Record = portals4::TriggerRecord;
  void (*const breaks[])(Record&) = {
      [](Record& record) { record.datatype = 14; },
      [](Record& record) { record.datatype = ~0U; },
      [](Record& record) { record.operation = PTL_SUM; },
      [](Record& record) { record.operation = ~0U; },
      [](Record& record) { record.length = 7; },
      [](Record& record) { record.local_offset = kBehindMd; },
      [](Record& record) { record.get_offset = kBehindMd; },
      [](Record& record) { record.get_md = 77; },
      [](Record& record) { record.action = 5; },
  };
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  ptl_size_t count = 0;
  for (const auto& breaks_it : breaks) {
    SCOPED_TRACE(count);
    Record* const record = Postpone(vandal, ++count);
    ASSERT_NE(record, nullptr);
    breaks_it(*record);
    Put();
    EXPECT_EQ(initiator_.Load<int64_t>(0), 0);
    record->user_ptr = 0;
  }
  ASSERT_NE(Postpone(vandal, ++count), nullptr);
  Put();
  EXPECT_EQ(initiator_.Load<int64_t>(0), 5) << "one that is whole is done";
}

// `armed` now says that a thread of the owner waits for a socket. The owner has
// no thread that does so.
TEST_F(CorruptedOwner, ADoorbellThatNamesAWatcherEndsNobody) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  vandal.view().header().doorbell.armed = ~0U;
  Put();
}

// The entry's memory is declared present (PTL_ME_IS_ACCESSIBLE), but missing.
TEST_F(CorruptedOwner, AnOwnersPutToItselfTouchesNothingUnseen) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  vandal.view().EntryAt(1)->options |= PTL_ME_IS_ACCESSIBLE;
  vandal.view().EntryAt(1)->start = 4096;
  const ptl_handle_eq_t eq = owner_.Eq();
  EXPECT_EQ(owner_.Put(owner_, {.md = owner_.Md(eq), .pt = pt_}), PTL_OK);
  EXPECT_EQ(owner_.Next(eq).code, PTL_OK);
  EXPECT_EQ(owner_.Next(eq).value.ni_fail_type, ptl_ni_fail_t{PTL_NI_SEGV});
}

// The owner's interface now claims PTL_COHERENT_ATOMICS, and its memory is in
// no file. The owner has no helper thread, and makes no call that would start
// one.
TEST_F(CorruptedOwner, AnAtomicWaitsForNoHelperThatNeverRan) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  vandal.view().header().coherent = 1;
  vandal.view().EntryAt(1)->mapping = 0;
  EXPECT_EQ(initiator_.FetchAtomic(owner_, {.md = md_, .pt = pt_}, md_, 64,
                                   PTL_SUM, PTL_INT64_T),
            PTL_OK);
  EXPECT_EQ(initiator_.Next(eq_).code, PTL_OK);  // of the source
  EXPECT_EQ(initiator_.Next(eq_).value.ni_fail_type,
            ptl_ni_fail_t{PTL_NI_SEGV});
  EXPECT_EQ(owner_.Load<int64_t>(4096), 0);
}

// The owner frees the lines of queues and elements of iovecs that it took. It
// ignores the numbers in its tables.
TEST(Corrupted, AnOwnersFreesAreByItsOwnWord) {
  Process owner(Process::Memory::kMapped);
  ASSERT_EQ(owner.Open(kOptions), PTL_OK);
  const ptl_handle_eq_t eq = owner.Eq();
  // Binds an iovec whose elements are empty.
  const auto bind = [ni = owner.ni(), memory = owner.memory()] {
    const ptl_md_t md = {memory, 256, PTL_IOVEC, PTL_EQ_NONE, PTL_CT_NONE};
    Answer<ptl_handle_md_t> answer = {};
    answer.code = PtlMDBind(ni, &md, &answer.value);
    return answer;
  };
  const auto md = owner.Call(bind);
  ASSERT_EQ(md.code, PTL_OK);
  const Vandal vandal(owner.child().pid());
  ASSERT_TRUE(vandal.ready());
  vandal.view().EqAt(1)->ring = portals4::kEventSlots;
  vandal.view().EqAt(1)->slots = 1U << 31;
  vandal.view().MdAt(1)->iov = portals4::kIovs + 1;
  vandal.view().MdAt(1)->iov_count = 1;
  EXPECT_EQ(owner.Call([eq, md = md.value] {
    const int freed = PtlEQFree(eq);
    return freed ? freed : PtlMDRelease(md);
  }),
            PTL_OK);
  // All lines and elements can be taken again, and no more than that.
  EXPECT_EQ(owner.Call([ni = owner.ni()] {
    int queues = 0;
    ptl_handle_eq_t made;
    while (PtlEQAlloc(ni, portals4::kEventSlots / 16, &made) == PTL_OK)
      ++queues;
    return queues;
  }),
            4);
  EXPECT_EQ(owner.Call([bind] {
    uint32_t descriptors = 0;
    while (bind().code == PTL_OK) ++descriptors;
    return descriptors;
  }),
            portals4::kIovs / 256);
}

// Makes operations of the owner wait for arrivals. The operations have a peer
// as their target: they reach memory only by the addresses in the peer's
// tables. If the owner were the target, its corrupted tables might make it
// overwrite any of its own memory.
int PostponeSome(ptl_handle_md_t md, ptl_handle_ct_t ct, ptl_process_t to,
                 ptl_pt_index_t pt) {
  int failed = 0;
  for (ptl_size_t i = 1; i <= 16; ++i) {
    failed |= PtlTriggeredPut(md, 0, 8 * i, PTL_ACK_REQ, to, pt, i % 16, 0,
                              nullptr, i, ct, 8 * i);
    failed |=
        PtlTriggeredFetchAtomic(md, 0, md, 64, 8, to, pt, i % 16, 0, nullptr, 0,
                                PTL_SUM, PTL_INT64_T, ct, 8 * i + 1);
    failed |= PtlTriggeredCTInc(ct, {1, 0}, ct, 8 * i + 2);
    failed |= PtlTriggeredCTSet(ct, {8 * i + 4, 0}, ct, 8 * i + 3);
  }
  return failed;
}

// Makes, uses and frees objects of an interface whose tables may have any
// contents. The results of the calls do not matter.
int UseTables(ptl_handle_ni_t ni, char* memory, ptl_pt_index_t pt,
              ptl_process_t peer, ptl_pt_index_t at_peer) {
  for (int i = 0; i < 16; ++i) {
    ptl_handle_eq_t eq = PTL_EQ_NONE;
    ptl_handle_ct_t ct = PTL_CT_NONE;
    ptl_handle_md_t md = PTL_INVALID_HANDLE;
    ptl_handle_me_t me = PTL_INVALID_HANDLE;
    const ptl_iovec_t pieces[] = {{memory, 64}, {memory + 128, 64}};
    PtlEQAlloc(ni, 16, &eq);
    PtlCTAlloc(ni, &ct);
    const ptl_md_t memory_of = {const_cast<ptl_iovec_t*>(pieces), 2, PTL_IOVEC,
                                eq, ct};
    PtlMDBind(ni, &memory_of, &md);
    ptl_me_t entry = {};
    entry.start = memory;
    entry.length = 64;
    entry.ct_handle = PTL_CT_NONE;
    entry.uid = PTL_UID_ANY;
    entry.options = kPutGet;
    entry.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    entry.match_bits = 77;
    PtlMEAppend(ni, pt, &entry, PTL_PRIORITY_LIST, nullptr, &me);
    PtlMESearch(ni, pt, &entry, PTL_SEARCH_DELETE, nullptr);
    PtlPut(md, 0, 8, PTL_ACK_REQ, peer, at_peer, 0, 0, nullptr, 0);
    PostponeSome(md, ct, peer, at_peer);
    PtlCTInc(ct, {16, 0});
    ptl_event_t event;
    PtlEQGet(eq, &event);
    ptl_ct_event_t value;
    PtlCTGet(ct, &value);
    PtlMEUnlink(me);
    PtlMDRelease(md);
    PtlCTFree(ct);
    PtlEQFree(eq);
  }
  PtlPTFree(ni, pt);
  PtlPTAlloc(ni, 0, PTL_EQ_NONE, pt, &pt);
  return 1;
}

TEST(Corrupted, AllLiveWhenTablesAreOverwritten) {
  const char* const wanted = getenv("PORTALS_CORRUPTIONS");
  const int rounds = wanted != nullptr ? atoi(wanted) : 30;
  const uint64_t seed = std::random_device()();
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + " of seed " +
                 std::to_string(seed));
    Process initiator(Process::Memory::kMapped);
    Process target(Process::Memory::kMapped);
    ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
    ASSERT_EQ(target.Open(kOptions), PTL_OK);
    const ptl_handle_eq_t at_target = target.Eq(64);
    const ptl_pt_index_t pt = target.Pt(at_target);
    const ptl_handle_ct_t arrivals = target.Ct();
    for (ptl_match_bits_t bits = 0; bits < 8; ++bits) {
      target.Append(pt, {.options = kPutGet | PTL_ME_EVENT_CT_COMM,
                         .bits = bits,
                         .ct = arrivals});
      target.Append(pt, {.bits = 8 + bits, .list = PTL_OVERFLOW_LIST});
    }
    const ptl_handle_eq_t eq = initiator.Eq(64);
    const ptl_handle_md_t md = initiator.Md(eq);
    const auto work = [=, to = target.id()] {
      ptl_event_t event;
      for (ptl_match_bits_t i = 0; i < 64; ++i) {
        PtlPut(md, 0, 8 * i, PTL_ACK_REQ, to, pt, i % 16, 0, nullptr, i);
        PtlGet(md, 0, 8 * i, to, pt, i % 16, 0, nullptr);
        PtlFetchAtomic(md, 0, md, 64, 8, to, pt, i % 16, 0, nullptr, 0, PTL_SUM,
                       PTL_INT64_T);
        while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
      }
      return 1;
    };
    const ptl_handle_md_t target_md = target.Md(at_target);
    const ptl_pt_index_t own = initiator.Pt(PTL_EQ_NONE);
    initiator.Append(own, {});
    EXPECT_EQ(target.Call([=, to = initiator.id()] {
      return PostponeSome(target_md, arrivals, to, own);
    }),
              PTL_OK);
    ASSERT_EQ(initiator.Call(work), 1) << "before anything is wrong";
    Vandal vandal(target.child().pid(), seed + static_cast<uint64_t>(round));
    ASSERT_TRUE(vandal.ready())
        << "the tables are not where they were looked for";
    for (int again = 0; again < 8; ++again) {
      vandal.Scribble(1 << (2 * again));
      initiator.child().Begin(work);
      target.child().Begin([=, ni = target.ni(), memory = target.memory(),
                            peer = initiator.id()] {
        return UseTables(ni, memory, pt, peer, own);
      });
      vandal.Scribble(64);  // while the processes run UseTables
      EXPECT_EQ(initiator.child().End<int>(), 1);
      EXPECT_EQ(target.child().End<int>(), 1);
      if (HasFailure()) break;
    }
    EXPECT_EQ(target.Call([ni = target.ni()] {
      PtlNIFini(ni);
      PtlFini();
      return 1;
    }),
              1);
    // The initiator's own tables are intact, and work.
    EXPECT_EQ(initiator.Call([=, self = initiator.id()] {
      ptl_event_t event;
      unsigned which;
      while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
      PtlPut(md, 0, 8, PTL_ACK_REQ, self, own, 0, 0, nullptr, 0);
      do {
        if (PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which) != PTL_OK)
          return -1;
      } while (event.type != PTL_EVENT_ACK);
      return static_cast<int>(event.ni_fail_type);
    }),
              PTL_NI_OK);
  }
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
