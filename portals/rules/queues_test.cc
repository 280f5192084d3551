// Rules 29 to 32: queues, waiting, and the end of waiting.
#include <portals4.h>

#include <atomic>
#include <thread>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

class Waiting : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq(256);
    md_ = initiator().Md(eq_);
    at_target_ = target().Eq(8);
    pt_ = target().Pt(at_target_);
    target().Append(pt_,
                    {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  }
  void Put(ptl_hdr_data_t header = 0) {
    PutEnds({.md = md_, .pt = pt_, .header = header}, eq_, PTL_NI_OK);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule29 : public Waiting {};
INSTANTIATE_TEST_SUITE_P(All, Rule29, AllSetups(), SetupName);

TEST_P(Rule29, AFullQueueLosesTheOldestAndSaysSo) {
  const ptl_handle_eq_t two = target().Eq(2);
  const ptl_pt_index_t pt = target().Pt(two);
  target().Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  for (ptl_hdr_data_t i = 1; i <= 100; ++i) {
    PutEnds({.md = md_, .pt = pt, .header = i}, eq_, PTL_NI_OK);
  }
  const auto first = target().Look(two);
  EXPECT_EQ(first.code, PTL_EQ_DROPPED);
  EXPECT_EQ(first.value.type, ptl_event_kind_t{PTL_EVENT_PUT});
  EXPECT_GT(first.value.hdr_data, 1U);
  ptl_hdr_data_t last = first.value.hdr_data;
  for (;;) {
    const auto got = target().Look(two);
    if (got.code != PTL_OK) break;
    EXPECT_EQ(got.value.hdr_data, last + 1) << "the others are all there";
    last = got.value.hdr_data;
  }
  EXPECT_EQ(last, 100U) << "the newest is there";
  EXPECT_EQ(target().Look(two).code, PTL_EQ_EMPTY);
}

TEST_P(Rule29, WhatWasAskedForFits) {
  for (ptl_hdr_data_t i = 0; i < 8; ++i) Put(i);
  for (ptl_hdr_data_t i = 0; i < 8; ++i) {
    const auto got = target().Look(at_target_);
    EXPECT_EQ(got.code, PTL_OK);
    EXPECT_EQ(got.value.hdr_data, i);
  }
}

TEST_P(Rule29, AnInitiatorsQueueLosesToo) {
  const ptl_handle_eq_t two = initiator().Eq(2);
  const ptl_handle_md_t md = initiator().Md(two, PTL_MD_EVENT_SEND_DISABLE);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(initiator().Put(target(), {.md = md, .pt = pt_}), PTL_OK);
  }
  ExpectQuiet(initiator(), eq_);
  EXPECT_EQ(initiator().Look(two).code, PTL_EQ_DROPPED);
}

TEST_P(Rule29, GoesRoundManyTimes) {
  for (ptl_hdr_data_t i = 0; i < 200; ++i) {
    Put(i);
    const auto got = target().Look(at_target_);
    ASSERT_EQ(got.code, PTL_OK);
    ASSERT_EQ(got.value.hdr_data, i);
  }
}

class Rule30 : public Waiting {};
INSTANTIATE_TEST_SUITE_P(All, Rule30, AllSetups(), SetupName);

TEST_P(Rule30, EmptyIsSaid) {
  EXPECT_EQ(target().Look(at_target_).code, PTL_EQ_EMPTY);
  const int code = target().Call([eq = at_target_] {
    ptl_event_t event;
    unsigned which;
    return PtlEQPoll(&eq, 1, 2, &event, &which);
  });
  EXPECT_EQ(code, PTL_EQ_EMPTY);
}

TEST_P(Rule30, EachEventHasOneWaiter) {
  constexpr int kEvents = 200;
  const ptl_handle_eq_t eq = target().Eq(512);
  const ptl_pt_index_t pt = target().Pt(eq);
  target().Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  for (int i = 1; i <= kEvents; ++i) {
    PutEnds({.md = md_, .pt = pt, .header = static_cast<ptl_hdr_data_t>(i)},
            eq_, PTL_NI_OK);
  }
  const auto sum = target().Call([eq] {
    std::atomic<uint64_t> total{0};
    const auto take = [eq, &total] {
      ptl_event_t event;
      for (int i = 0; i < kEvents / 2; ++i) {
        if (PtlEQWait(eq, &event) != PTL_OK) return;
        total.fetch_add(event.hdr_data, std::memory_order_relaxed);
      }
    };
    std::thread other(take);
    take();
    other.join();
    return total.load(std::memory_order_relaxed);
  });
  EXPECT_EQ(sum, uint64_t{kEvents} * (kEvents + 1) / 2);
  EXPECT_EQ(target().Look(eq).code, PTL_EQ_EMPTY);
}

TEST_P(Rule30, SleepsUntilAPeerPuts) {
  if (one_process()) GTEST_SKIP() << "nobody would wake it";
  target().child().Begin([eq = at_target_] {
    ptl_event_t event;
    return PtlEQWait(eq, &event) == PTL_OK ? event.hdr_data : 0;
  });
  // Waits long enough for the target to sleep and no longer spin. The
  // assertions hold in either case.
  EXPECT_FALSE(target().child().Answers(50));
  Put(77);
  EXPECT_EQ(target().child().End<ptl_hdr_data_t>(), 77U);
}

TEST_P(Rule30, PollsQueuesInTurns) {
  const ptl_handle_eq_t second = target().Eq(8);
  const ptl_pt_index_t pt = target().Pt(second);
  target().Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  for (int i = 0; i < 4; ++i) {
    Put();
    PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  }
  const auto seen = target().Call([one = at_target_, two = second] {
    struct Seen {
      int of[2];
      int first_four[2];
    } result = {};
    const ptl_handle_eq_t both[2] = {one, two};
    for (int i = 0; i < 8; ++i) {
      ptl_event_t event;
      unsigned which = 0;
      if (PtlEQPoll(both, 2, PTL_TIME_FOREVER, &event, &which) != PTL_OK) break;
      ++result.of[which & 1];
      if (i < 4) ++result.first_four[which & 1];
    }
    return result;
  });
  EXPECT_EQ(seen.of[0], 4);
  EXPECT_EQ(seen.of[1], 4);
  EXPECT_GT(seen.first_four[0], 0) << "no queue starves";
  EXPECT_GT(seen.first_four[1], 0);
}

class Rule31 : public Waiting {};
INSTANTIATE_TEST_SUITE_P(All, Rule31, AllSetups(), SetupName);

TEST_P(Rule31, AbortEndsAllWaits) {
  const ptl_handle_ct_t ct = target().Ct();
  const auto codes = target().Call([eq = at_target_, ct] {
    struct Codes {
      int eq, ct, eq_poll, ct_poll, later, freed;
    } result = {};
    std::atomic<int> waiting{0};
    const auto begun = [&waiting] {
      waiting.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread eq_waiter([&] {
      ptl_event_t event;
      begun();
      result.eq = PtlEQWait(eq, &event);
    });
    std::thread ct_waiter([&] {
      ptl_ct_event_t value;
      begun();
      result.ct = PtlCTWait(ct, 1, &value);
    });
    std::thread eq_poller([&] {
      ptl_event_t event;
      unsigned which;
      begun();
      result.eq_poll = PtlEQPoll(&eq, 1, PTL_TIME_FOREVER, &event, &which);
    });
    std::thread ct_poller([&] {
      ptl_ct_event_t value;
      unsigned which;
      const ptl_size_t test = 1;
      begun();
      result.ct_poll =
          PtlCTPoll(&ct, &test, 1, PTL_TIME_FOREVER, &value, &which);
    });
    while (waiting.load(std::memory_order_relaxed) < 4)
      std::this_thread::yield();
    PtlAbort();
    for (std::thread* thread : {&eq_waiter, &ct_waiter, &eq_poller, &ct_poller})
      thread->join();
    ptl_event_t event;
    result.later = PtlEQWait(eq, &event);
    result.freed = PtlCTFree(ct);
    return result;
  });
  EXPECT_EQ(codes.eq, PTL_ABORTED);
  EXPECT_EQ(codes.ct, PTL_ABORTED);
  EXPECT_EQ(codes.eq_poll, PTL_ABORTED);
  EXPECT_EQ(codes.ct_poll, PTL_ABORTED);
  EXPECT_EQ(codes.later, PTL_ABORTED);
  EXPECT_EQ(codes.freed, PTL_OK);
}

TEST_P(Rule31, AWaitForWhatWasFreedIsAborted) {
  const int wrong = initiator().Call([ni = initiator().ni()] {
    ptl_handle_eq_t eq;
    ptl_handle_ct_t ct;
    if (PtlEQAlloc(ni, 4, &eq) || PtlCTAlloc(ni, &ct)) return 1;
    PtlAbort();
    if (PtlEQFree(eq) || PtlCTFree(ct)) return 2;
    ptl_event_t event;
    ptl_ct_event_t value;
    unsigned which;
    const ptl_size_t test = 0;
    if (PtlEQWait(eq, &event) != PTL_ABORTED) return 3;
    if (PtlEQPoll(&eq, 1, 0, &event, &which) != PTL_ABORTED) return 4;
    if (PtlCTWait(ct, test, &value) != PTL_ABORTED) return 5;
    if (PtlCTPoll(&ct, &test, 1, 0, &value, &which) != PTL_ABORTED) return 6;
    if (PtlEQGet(eq, &event) != PTL_ARG_INVALID) return 7;
    return PtlCTGet(ct, &value) == PTL_ARG_INVALID ? 0 : 8;
  });
  EXPECT_EQ(wrong, 0) << "the number of the first call that answers otherwise";
}

TEST_P(Rule30, AWaitForWhatIsFreedEnds) {
  const int wrong = initiator().Call([ni = initiator().ni()] {
    ptl_handle_eq_t eq;
    ptl_handle_ct_t ct;
    if (PtlEQAlloc(ni, 4, &eq) || PtlCTAlloc(ni, &ct)) return 1;
    int for_eq = PTL_OK;
    int for_ct = PTL_OK;
    std::thread eq_waiter([&] {
      ptl_event_t event;
      for_eq = PtlEQWait(eq, &event);
    });
    std::thread ct_waiter([&] {
      ptl_ct_event_t value;
      for_ct = PtlCTWait(ct, 1, &value);
    });
    // Both waits have begun by now, or begin later and find that the object is
    // gone.
    std::this_thread::yield();
    if (PtlEQFree(eq) || PtlCTFree(ct)) return 2;
    eq_waiter.join();
    ct_waiter.join();
    return for_eq == PTL_ARG_INVALID && for_ct == PTL_ARG_INVALID ? 0 : 3;
  });
  EXPECT_EQ(wrong, 0);
}

class Rule32 : public Waiting {};
INSTANTIATE_TEST_SUITE_P(All, Rule32, AllSetups(), SetupName);

TEST_P(Rule32, WhoSeesTheEventSeesTheData) {
  constexpr int kRounds = 200;
  constexpr size_t kFrom = 1 << 20;
  const ptl_handle_eq_t large = target().Eq(kRounds);
  const ptl_pt_index_t pt = target().Pt(large);
  target().Append(pt, {.length = 4096,
                       .options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  const auto puts = [md = md_, to = target().id(), eq = eq_, pt,
                     memory = initiator().memory()] {
    for (int i = 1; i <= kRounds; ++i) {
      memset(memory + kFrom, i, 4096);
      if (PtlPut(md, kFrom, 4096, PTL_ACK_REQ, to, pt, 0, 0, nullptr, 0))
        return 1;
      ptl_event_t event;
      do {
        if (PtlEQWait(eq, &event)) return 2;
      } while (event.type != PTL_EVENT_ACK);
    }
    return 0;
  };
  // When an event is taken, a later put may have arrived already. So the data
  // may be newer than the event, but never older.
  const auto takes = [large, memory = target().memory()] {
    for (int i = 1; i <= kRounds; ++i) {
      ptl_event_t event;
      if (PtlEQWait(large, &event) != PTL_OK) return -i;
      const auto* bytes = reinterpret_cast<volatile unsigned char*>(memory);
      if (bytes[0] < i || bytes[4095] < i) return i;
    }
    return 0;
  };
  if (!one_process()) target().child().Begin(takes);
  EXPECT_EQ(initiator().Call(puts), 0);
  if (one_process()) target().child().Begin(takes);
  EXPECT_EQ(target().child().End<int>(), 0);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
