// Rules 40 to 42: triggered operations, bundles, threads and progress.
#include <portals4.h>
#include <signal.h>

#include <thread>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
constexpr size_t kMega = 1 << 20;

class Triggered : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq(256);
    md_ = initiator().Md(eq_);
    trigger_ = initiator().Ct();
    at_target_ = target().Eq(256);
    pt_ = target().Pt(at_target_);
    target().Append(pt_, {.offset = kMega,
                          .length = kMega,
                          .options = kPutGet | PTL_ME_EVENT_LINK_DISABLE});
  }
  int TriggeredPut(ptl_size_t threshold, ptl_hdr_data_t header,
                   size_t local = 0) {
    return initiator().Call(
        [=, md = md_, to = target().id(), pt = pt_, ct = trigger_] {
          return PtlTriggeredPut(md, local, 8, PTL_ACK_REQ, to, pt, 0, 0,
                                 nullptr, header, ct, threshold);
        });
  }
  void Increment(ptl_size_t success, ptl_size_t failure = 0) {
    EXPECT_EQ(initiator().Call([=, ct = trigger_] {
      return PtlCTInc(ct, {success, failure});
    }),
              PTL_OK);
  }
  ptl_hdr_data_t NextHeader() {
    return Expect(target(), at_target_, {{PTL_EVENT_PUT}})[0].hdr_data;
  }
  void Reaches(Process& process, ptl_handle_ct_t ct, ptl_size_t success) {
    EXPECT_EQ(process.Reached(ct, success).code, PTL_OK);
    EXPECT_EQ(process.Count(ct).success, success);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_handle_ct_t trigger_;
  ptl_pt_index_t pt_;
};

class Rule40 : public Triggered {};
INSTANTIATE_TEST_SUITE_P(All, Rule40, AllSetups(), SetupName);

TEST_P(Rule40, WaitsForTheThreshold) {
  EXPECT_EQ(TriggeredPut(3, 1), PTL_OK);
  Increment(2);
  ExpectQuiet(target(), at_target_);
  Increment(1);
  EXPECT_EQ(NextHeader(), 1U);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
}

TEST_P(Rule40, FailuresBringItThereToo) {
  EXPECT_EQ(TriggeredPut(3, 1), PTL_OK);
  Increment(1);
  Increment(0, 2);
  EXPECT_EQ(NextHeader(), 1U);
}

TEST_P(Rule40, AtOnceWhereItIsThere) {
  Increment(5);
  EXPECT_EQ(TriggeredPut(5, 1), PTL_OK);
  EXPECT_EQ(TriggeredPut(0, 2), PTL_OK);
  EXPECT_EQ(NextHeader(), 1U);
  EXPECT_EQ(NextHeader(), 2U);
}

TEST_P(Rule40, OrderOfThresholdsThenOfCalls) {
  EXPECT_EQ(TriggeredPut(3, 4), PTL_OK);
  EXPECT_EQ(TriggeredPut(1, 1), PTL_OK);
  EXPECT_EQ(TriggeredPut(3, 5), PTL_OK);
  EXPECT_EQ(TriggeredPut(2, 2), PTL_OK);
  EXPECT_EQ(TriggeredPut(2, 3), PTL_OK);
  Increment(3);
  for (ptl_hdr_data_t i = 1; i <= 5; ++i) EXPECT_EQ(NextHeader(), i);
}

TEST_P(Rule40, SettingTriggers) {
  EXPECT_EQ(TriggeredPut(10, 1), PTL_OK);
  EXPECT_EQ(initiator().Call([ct = trigger_] {
    return PtlCTSet(ct, {10, 0});
  }),
            PTL_OK);
  EXPECT_EQ(NextHeader(), 1U);
}

TEST_P(Rule40, ReadsItsMemoryWhenItBegins) {
  initiator().Store<int64_t>(64, 1);
  EXPECT_EQ(TriggeredPut(1, 0, 64), PTL_OK);
  initiator().Store<int64_t>(64, 2);
  Increment(1);
  NextHeader();
  EXPECT_EQ(target().Load<int64_t>(kMega), 2);
}

TEST_P(Rule40, CancelledNeverBegins) {
  EXPECT_EQ(TriggeredPut(1, 1), PTL_OK);
  EXPECT_EQ(TriggeredPut(2, 2), PTL_OK);
  EXPECT_EQ(
      initiator().Call([ct = trigger_] { return PtlCTCancelTriggered(ct); }),
      PTL_OK);
  Increment(2);
  ExpectQuiet(target(), at_target_);
  ExpectQuiet(initiator(), eq_);
}

TEST_P(Rule40, ArgumentsAreCheckedByTheCall) {
  const int code =
      initiator().Call([md = md_, to = target().id(), ct = trigger_] {
        return PtlTriggeredPut(md, Process::kArenaSize, 8, PTL_ACK_REQ, to, 0,
                               0, 0, nullptr, 0, ct, 1);
      });
  EXPECT_EQ(code, PTL_ARG_INVALID);
}

TEST_P(Rule40, EveryOperation) {
  initiator().Store<int64_t>(0, 5);
  initiator().Store<int64_t>(8, 1000);
  target().Store<int64_t>(kMega, 10);
  const int code =
      initiator().Call([md = md_, to = target().id(), pt = pt_, ct = trigger_,
                        memory = initiator().memory()] {
        void* const none = nullptr;
        int result = PtlTriggeredAtomic(md, 0, 8, PTL_ACK_REQ, to, pt, 0, 0,
                                        none, 0, PTL_SUM, PTL_INT64_T, ct, 1);
        if (result) return result;
        result = PtlTriggeredFetchAtomic(md, 64, md, 0, 8, to, pt, 0, 0, none,
                                         0, PTL_SUM, PTL_INT64_T, ct, 2);
        if (result) return result;
        result = PtlTriggeredSwap(md, 72, md, 8, 8, to, pt, 0, 0, none, 0,
                                  memory, PTL_SWAP, PTL_INT64_T, ct, 3);
        if (result) return result;
        return PtlTriggeredGet(md, 80, 8, to, pt, 0, 0, none, ct, 4);
      });
  EXPECT_EQ(code, PTL_OK);
  Increment(1);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  Increment(1);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_REPLY}});
  EXPECT_EQ(initiator().Load<int64_t>(64), 15);
  Increment(1);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_REPLY}});
  EXPECT_EQ(initiator().Load<int64_t>(72), 20);
  Increment(1);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  EXPECT_EQ(initiator().Load<int64_t>(80), 1000);
}

TEST_P(Rule40, CountersInChains) {
  const ptl_handle_ct_t second = initiator().Ct();
  const ptl_handle_ct_t third = initiator().Ct();
  EXPECT_EQ(initiator().Call([first = trigger_, second, third] {
    const int result = PtlTriggeredCTInc(second, {7, 0}, first, 1);
    return result ? result : PtlTriggeredCTSet(third, {100, 0}, second, 7);
  }),
            PTL_OK);
  Increment(1);
  Reaches(initiator(), second, 7);
  Reaches(initiator(), third, 100);
}

TEST_P(Rule40, APeersPutTriggers) {
  const ptl_handle_ct_t arrivals = target().Ct();
  const ptl_handle_ct_t after = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt,
                  {.options = kPutGet | PTL_ME_EVENT_CT_COMM, .ct = arrivals});
  EXPECT_EQ(target().Call([=] {
    return PtlTriggeredCTInc(after, {1, 0}, arrivals, 2);
  }),
            PTL_OK);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Count(after).success, 0U);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  Reaches(target(), after, 1);
}

// The target's triggered put answers while the target makes no call.
TEST_P(Rule40, AnAnswerWithoutTheTarget) {
  const ptl_handle_ct_t arrivals = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt,
                  {.options = kPutGet | PTL_ME_EVENT_CT_COMM, .ct = arrivals});
  const ptl_handle_ct_t back = initiator().Ct();
  const ptl_pt_index_t back_pt = initiator().Pt(PTL_EQ_NONE);
  initiator().Append(
      back_pt,
      {.offset = 4096, .options = kPutGet | PTL_ME_EVENT_CT_COMM, .ct = back});
  const ptl_handle_md_t answers =
      target().Md(PTL_EQ_NONE, 0, PTL_CT_NONE, kMega);
  target().Store<int64_t>(kMega, 4711);
  EXPECT_EQ(target().Call([=, to = initiator().id()] {
    return PtlTriggeredPut(answers, 0, 8, PTL_NO_ACK_REQ, to, back_pt, 0, 0,
                           nullptr, 0, arrivals, 1);
  }),
            PTL_OK);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  Reaches(initiator(), back, 1);
  EXPECT_EQ(initiator().Load<int64_t>(4096), 4711);
}

class Rule40Matching : public Triggered {
 protected:
  ptl_handle_me_t AppendAtOne(ptl_pt_index_t pt, ptl_handle_ct_t ct) {
    const bool logical = (GetParam().options & PTL_NI_LOGICAL) != 0;
    return target().Call([=, ni = target().ni(), memory = target().memory()] {
      ptl_me_t me = {};
      me.start = memory;
      me.length = 64;
      me.ct_handle = PTL_CT_NONE;
      me.uid = PTL_UID_ANY;
      me.options = kPutGet;
      me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
      if (logical) me.match_id.rank = PTL_RANK_ANY;
      ptl_handle_me_t entry = PTL_INVALID_HANDLE;
      PtlTriggeredMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, nullptr, &entry, ct,
                           1);
      return entry;
    });
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule40Matching, MatchingSetups(), SetupName);

TEST_P(Rule40Matching, EntriesComeAndGo) {
  const ptl_handle_ct_t ct = target().Ct();
  const ptl_handle_eq_t eq = target().Eq();
  const ptl_pt_index_t pt = target().Pt(eq);
  const ptl_handle_me_t entry = AppendAtOne(pt, ct);
  ASSERT_EQ(
      target().Call([ct, entry] { return PtlTriggeredMEUnlink(entry, ct, 2); }),
      PTL_OK);
  const auto increment = [ct] { PtlCTInc(ct, {1, 0}); };
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_DROPPED);
  target().Call(increment);
  Expect(target(), eq, {{PTL_EVENT_LINK}});
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  Expect(target(), eq, {{PTL_EVENT_PUT}});
  target().Call(increment);
  ExpectQuiet(target(), eq);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_DROPPED);
}

TEST_P(Rule40Matching, AnEntryOfATableEntryThatIsFreedNeverComes) {
  const ptl_handle_ct_t ct = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  const ptl_handle_me_t late = AppendAtOne(pt, ct);
  EXPECT_EQ(target().Call([=, ni = target().ni()] {
    return PtlPTFree(ni, pt) | PtlCTInc(ct, {1, 0});
  }),
            PTL_OK);
  EXPECT_EQ(target().Pt(PTL_EQ_NONE, 0, pt), pt);
  ASSERT_EQ(target().Append(pt, {}).code, PTL_OK);
  EXPECT_EQ(target().Unlink(late), PTL_ARG_INVALID);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
}

class Rule41 : public Triggered {};
INSTANTIATE_TEST_SUITE_P(All, Rule41, AllSetups(), SetupName);

TEST_P(Rule41, BundlesAreCounted) {
  const int code = initiator().Call(
      [ni = initiator().ni(), md = md_, to = target().id(), pt = pt_] {
        if (PtlStartBundle(ni) || PtlStartBundle(ni)) return -1;
        for (ptl_hdr_data_t i = 0; i < 8; ++i) {
          if (PtlPut(md, 0, 8, PTL_ACK_REQ, to, pt, 0, 0, nullptr, i))
            return -2;
        }
        const int first = PtlEndBundle(ni);
        return first ? first : PtlEndBundle(ni);
      });
  EXPECT_EQ(code, PTL_OK);
  for (ptl_hdr_data_t i = 0; i < 8; ++i) EXPECT_EQ(NextHeader(), i);
}

TEST_P(Rule41, OneEndTooMany) {
  const int code =
      initiator().Call([ni = initiator().ni()] { return PtlEndBundle(ni); });
  EXPECT_TRUE(code == PTL_OK || code == PTL_ARG_INVALID) << code;
}

class Rule42 : public Triggered {};
INSTANTIATE_TEST_SUITE_P(All, Rule42, AllSetups(), SetupName);

TEST_P(Rule42, ThreadsPutAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kEach = 1000;
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md =
      initiator().Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK, ct);
  const ptl_handle_ct_t arrived = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt,
                  {.options = kPutGet | PTL_ME_EVENT_CT_COMM, .ct = arrived});
  EXPECT_EQ(initiator().Call([md, to = target().id(), pt, ct] {
    const auto put = [&] {
      for (int i = 0; i < kEach; ++i) {
        PtlPut(md, 0, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, 0);
      }
    };
    std::thread threads[kThreads];
    for (std::thread& thread : threads) thread = std::thread(put);
    for (std::thread& thread : threads) thread.join();
    ptl_ct_event_t value;
    return PtlCTWait(ct, kThreads * kEach, &value) || value.failure != 0 ? 1
                                                                         : 0;
  }),
            0);
  Reaches(target(), arrived, kThreads * kEach);
}

TEST_P(Rule42, AppendsBesideArrivals) {
  constexpr int kEntries = 500;
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md =
      initiator().Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK, ct);
  const ptl_handle_eq_t eq = target().Eq(8192);
  const ptl_pt_index_t pt = target().Pt(eq);
  target().Append(pt, {.list = PTL_OVERFLOW_LIST});
  const auto puts = [md, to = target().id(), pt, ct] {
    for (int i = 0; i < kEntries; ++i) {
      PtlPut(md, 0, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr,
             static_cast<ptl_hdr_data_t>(i));
    }
    ptl_ct_event_t value = {};
    PtlCTWait(ct, kEntries, &value);
    return value.success;
  };
  // Each use-once entry reports one message, exactly once and in order. The
  // entry or the message may come first.
  const auto takes = [ni = target().ni(), pt, eq,
                      matching = target().matching(),
                      logical = (GetParam().options & PTL_NI_LOGICAL) != 0,
                      memory = target().memory()] {
    ptl_me_t me = {};
    me.start = memory;
    me.length = 64;
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.options = kPutGet | PTL_ME_USE_ONCE | PTL_ME_EVENT_LINK_DISABLE |
                 PTL_ME_EVENT_UNLINK_DISABLE;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    if (logical) me.match_id.rank = PTL_RANK_ANY;
    ptl_le_t le = {me.start, me.length, me.ct_handle, me.uid, me.options};
    ptl_handle_me_t entry;
    for (ptl_hdr_data_t i = 0; i < kEntries; ++i) {
      const int code =
          matching ? PtlMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, &me, &entry)
                   : PtlLEAppend(ni, pt, &le, PTL_PRIORITY_LIST, &me, &entry);
      if (code != PTL_OK) return -1;
      ptl_event_t event;
      do {
        if (PtlEQWait(eq, &event) != PTL_OK) return -2;
      } while (event.user_ptr != &me);
      if (event.hdr_data != i) return static_cast<int>(i) + 1;
    }
    return 0;
  };
  if (one_process()) GTEST_SKIP() << "one side of it is another process";
  target().child().Begin(takes);
  EXPECT_EQ(initiator().Call(puts), ptl_size_t{kEntries});
  EXPECT_EQ(target().child().End<int>(), 0);
}

// Within a host the initiator does all the work. So a stopped target does not
// delay the initiator, unless the target holds a lock.
TEST_P(Rule42, AStoppedTargetAnswers) {
  if (one_process()) GTEST_SKIP() << "a stopped process cannot put";
  if (GetParam().job != nullptr) GTEST_SKIP() << "a thread of it answers";
  if (GetParam().refused) GTEST_SKIP() << "its helper is stopped too";
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
  NextHeader();
  target().child().Signal(SIGSTOP);
  for (int i = 0; i < 100; ++i) {
    PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
    EXPECT_EQ(initiator().Get(target(), {.md = md_, .pt = pt_}), PTL_OK);
    Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  }
  target().child().Signal(SIGCONT);
  for (int i = 0; i < 100; ++i) {
    Expect(target(), at_target_, {{PTL_EVENT_PUT}, {PTL_EVENT_GET}});
  }
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
