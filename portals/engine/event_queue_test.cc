#include "portals/engine/event_queue.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "portals/engine/operation.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

class EventQueueTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
  }

  // Opens a queue for all portal table entries.
  void Open(uint32_t count) {
    OpenQueue(view_, eq_, 0, count);
    for (uint32_t i = 0; i < kCounts.pts; ++i) {
      view_.Pt(i)->eq.store(Queue(), std::memory_order_relaxed);
    }
  }
  Ref Queue() { return ObjectRef::Make(1, eq_.slot); }
  void PostNumber(uint64_t number) {
    Event event;
    event.hdr_data = number;
    event.uid = 1;
    Post(view_, Queue(), event);
  }
  // Call the functions of the same names in event_queue.h, with the lock of the
  // portal table entry held.
  bool Reserve(PtRecord& pt, uint32_t events) {
    const Holding holding(pt.lock);
    return portals4::Reserve(view_, pt, events);
  }
  void GiveBack(PtRecord& pt, uint32_t events) {
    const Holding holding(pt.lock);
    portals4::GiveBack(view_, pt, events);
  }
  void PostReserved(PtRecord& pt, const Event& event) {
    const Holding holding(pt.lock);
    portals4::PostReserved(view_, pt, event);
  }
  // Forks a poster that publishes its event and dies before it advances `tail`.
  void DieWhilePosting(uint64_t number) {
    const pid_t child = fork();
    if (child == 0) {
      IdentifyThisProcess();
      const Holding posts(eq_.lock);
      Event event;
      event.hdr_data = number;
      event.uid = 1;
      const uint64_t index = eq_.tail.load(std::memory_order_relaxed);
      StoreEvent(event, NumberOf(index), 1, *view_.Event(eq_, index),
                 *view_.EventRest(eq_, index));
      _exit(0);
    }
    ASSERT_EQ(child, waitpid(child, nullptr, 0));
  }
  void ExpectTaken(uint64_t number) {
    ptl_event_t event;
    ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
    EXPECT_EQ(number, event.hdr_data);
  }

  static constexpr Counts kCounts = LeastCounts(/*pts=*/2);
  Region region_ = MakeRegion(kCounts);
  View view_{region_.memory(), kCounts};
  EqRecord& eq_ = *view_.EqAt(1);
  PtRecord& pt_ = *view_.Pt(0);
  PtRecord& other_pt_ = *view_.Pt(1);
};

TEST_F(EventQueueTest, GivesEventsInOrder) {
  Open(4);
  ptl_event_t event;
  EXPECT_EQ(Taken::kNone, Take(view_, Queue(), event));
  for (uint64_t i = 0; i < 100; ++i) {
    PostNumber(i);
    ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
    EXPECT_EQ(i, event.hdr_data);
  }
}

TEST_F(EventQueueTest, CarriesEverything) {
  Open(4);
  Event sent;
  sent.type = PTL_EVENT_FETCH_ATOMIC_OVERFLOW;
  sent.list = 1;
  sent.fail = PTL_NI_SEGV;
  sent.pt = 255;
  sent.operation = PTL_MSWAP;
  sent.datatype = PTL_LONG_DOUBLE_COMPLEX;
  sent.uid = 77;
  sent.start = ~uint64_t{0};
  sent.user_ptr = 2;
  sent.hdr_data = 3;
  sent.match_bits = 4;
  sent.rlength = 5;
  sent.mlength = 6;
  sent.remote_offset = 7;
  sent.initiator = PackPhysical(8, 9);
  Post(view_, Queue(), sent);
  ptl_event_t event;
  ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
  EXPECT_EQ(sent.type, event.type);
  EXPECT_EQ(sent.list, event.ptl_list);
  EXPECT_EQ(sent.fail, event.ni_fail_type);
  EXPECT_EQ(sent.pt, event.pt_index);
  EXPECT_EQ(sent.operation, event.atomic_operation);
  EXPECT_EQ(sent.datatype, event.atomic_type);
  EXPECT_EQ(sent.uid, event.uid);
  EXPECT_EQ(sent.start, reinterpret_cast<uint64_t>(event.start));
  EXPECT_EQ(sent.user_ptr, reinterpret_cast<uint64_t>(event.user_ptr));
  EXPECT_EQ(sent.hdr_data, event.hdr_data);
  EXPECT_EQ(sent.match_bits, event.match_bits);
  EXPECT_EQ(sent.rlength, event.rlength);
  EXPECT_EQ(sent.mlength, event.mlength);
  EXPECT_EQ(sent.remote_offset, event.remote_offset);
  EXPECT_EQ(8U, event.initiator.phys.nid);
  EXPECT_EQ(9U, event.initiator.phys.pid);
  EXPECT_EQ(8U, event.initiator.rank);
}

TEST_F(EventQueueTest, LosesTheOldestAndSaysSo) {
  Open(2);
  for (uint64_t i = 0; i < 100; ++i) PostNumber(i);
  ptl_event_t event;
  ASSERT_EQ(Taken::kAfterLoss, Take(view_, Queue(), event));
  EXPECT_EQ(100 - eq_.slots, event.hdr_data);
  ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
  EXPECT_EQ(101 - eq_.slots, event.hdr_data);
}

TEST_F(EventQueueTest, ReservesNoMoreThanItsCount) {
  Open(3);
  EXPECT_TRUE(Reserve(pt_, 2));
  EXPECT_FALSE(Reserve(pt_, 2));
  EXPECT_TRUE(Reserve(pt_, 1));
  GiveBack(pt_, 3);
  for (uint64_t i = 0; i < 3; ++i) PostNumber(i);
  EXPECT_FALSE(Reserve(pt_, 1));
  ptl_event_t event;
  ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
  EXPECT_TRUE(Reserve(pt_, 1));
}

TEST_F(EventQueueTest, TakesNothingThatIsPostedAfterItsEnd) {
  Open(2);
  const Ref ref = Queue();
  CloseQueue(eq_);
  Post(view_, ref, Event());
  EXPECT_EQ(0u, eq_.tail.load(std::memory_order_relaxed));
}

TEST_F(EventQueueTest, KeepsWhatTheDeadHavePublished) {
  Open(4);
  PostNumber(1);
  DieWhilePosting(2);
  PostNumber(3);
  for (uint64_t i = 1; i <= 3; ++i) ExpectTaken(i);
}

TEST_F(EventQueueTest, GoesOnBehindWhatTheDeadHavePublished) {
  Open(4);
  DieWhilePosting(1);
  ExpectTaken(1);
  PostNumber(2);
  ExpectTaken(2);
}

TEST_F(EventQueueTest, IsMendedByWhoTakesTheLockAndPostsNothing) {
  Open(4);
  DieWhilePosting(1);
  EXPECT_TRUE(Reserve(pt_, 1));
  PostNumber(2);
  DieWhilePosting(3);
  GiveBack(pt_, 1);
  PostNumber(4);
  for (uint64_t i = 1; i <= 4; ++i) ExpectTaken(i);
  DieWhilePosting(5);
  BeginFlowControl(view_, pt_);
  PostNumber(6);
  DieWhilePosting(7);
  EndFlowControl(view_, Queue());
  PostNumber(8);
  for (uint64_t i = 5; i <= 8; ++i) ExpectTaken(i);
}

TEST_F(EventQueueTest, SurvivesNonsenseInItsSlots) {
  Open(4);
  ptl_event_t event;
  // The slot that the taker reads has the number of a future event.
  view_.Event(eq_, 0)->words[0].store(NumberOf(5), std::memory_order_relaxed);
  EXPECT_EQ(Taken::kNone, Take(view_, Queue(), event));
  PostNumber(7);
  ExpectTaken(7);
  // Every slot has the number of a future event, and `tail` is out of reach.
  for (uint64_t i = 0; i < eq_.slots; ++i) {
    view_.Event(eq_, i)->words[0].store(NumberOf(1U << 30),
                                        std::memory_order_relaxed);
  }
  eq_.tail.store(~uint64_t{0}, std::memory_order_relaxed);
  eq_.slots = 1;
  EXPECT_EQ(Taken::kNone, Take(view_, Queue(), event));
}

TEST_F(EventQueueTest, IsNotOpenedWhileWhoKnewTheLastOneHasItsLock) {
  Open(4);
  CloseQueue(eq_);
  for (SharedLock* const lock : {&eq_.lock, &eq_.taking}) {
    std::atomic<bool> opened{false};
    std::thread owner;
    {
      const Holding holding(*lock);
      owner = std::thread([&] {
        Open(4);
        opened.store(true);
      });
      for (int i = 0; i < 1000 && !opened.load(); ++i) sched_yield();
      EXPECT_FALSE(opened.load());
    }
    owner.join();
    CloseQueue(eq_);
  }
}

TEST_F(EventQueueTest, KeepsOldReservationsOutOfANewQueue) {
  Open(2);
  const Ref old = Queue();
  CloseQueue(eq_);
  Open(2);
  other_pt_.eq.store(old, std::memory_order_relaxed);
  EXPECT_TRUE(Reserve(other_pt_, 2));
  EXPECT_TRUE(Reserve(pt_, 2));
  GiveBack(other_pt_, 2);
  EXPECT_FALSE(Reserve(pt_, 1));
}

TEST_F(EventQueueTest, ForgetsWhatAProcessReservedThatBrokeItsEntry) {
  Open(3);
  EXPECT_TRUE(Reserve(pt_, 1));
  const pid_t child = fork();
  if (child == 0) {
    IdentifyThisProcess();
    const Holding holding(other_pt_.lock);
    portals4::Reserve(view_, other_pt_, 2);
    _exit(0);
  }
  ASSERT_EQ(child, waitpid(child, nullptr, 0));
  EXPECT_FALSE(Reserve(pt_, 1)) << "it may be alive";
  EXPECT_FALSE(other_pt_.lock.Acquire(DeadHolder::kBreak));
  EXPECT_TRUE(Reserve(pt_, 2));
  EXPECT_FALSE(Reserve(pt_, 1)) << "live processes keep their reservations";
}

TEST_F(EventQueueTest, CountsPartsOfEntriesByWhatIsPostedAndGivenBack) {
  Open(3);
  EXPECT_TRUE(Reserve(pt_, 1));
  EXPECT_TRUE(Reserve(other_pt_, 2));
  PostReserved(pt_, Event());
  GiveBack(other_pt_, 1);
  EXPECT_FALSE(Reserve(pt_, 2)) << "one is there, one is reserved";
  EXPECT_TRUE(Reserve(pt_, 1));
}

TEST_F(EventQueueTest, KeepsTheEventsOfANewQueueFromWhoKnewTheOldOne) {
  Open(4);
  PostNumber(1);
  const Ref old = Queue();
  Taken taken = Taken::kEvent;
  std::thread taker;
  {
    const Holding takes(eq_.taking);
    taker = std::thread([&] {
      ptl_event_t event;
      taken = Take(view_, old, event);
    });
    // The thread has most likely found the queue by now, and waits for the
    // lock.
    for (int i = 0; i < 1000; ++i) sched_yield();
    eq_.slot.Renew(RecordPhase::kLive);
  }
  taker.join();
  EXPECT_EQ(Taken::kNone, taken);
  ExpectTaken(1);
}

TEST_F(EventQueueTest, IsNotClosedWhileAnEventIsTaken) {
  Open(4);
  std::atomic<bool> closed{false};
  std::thread owner;
  {
    const Holding takes(eq_.taking);
    owner = std::thread([&] {
      CloseQueue(eq_);
      closed.store(true);
    });
    for (int i = 0; i < 1000 && !closed.load(); ++i) sched_yield();
    EXPECT_FALSE(closed.load());
  }
  owner.join();
}

TEST_F(EventQueueTest, GoesPastTheEndOfItsNumbers) {
  Open(4);
  const uint64_t near_end = (uint64_t{1} << 31) - 2;
  eq_.tail.store(near_end, std::memory_order_relaxed);
  eq_.head.store(near_end, std::memory_order_relaxed);
  ptl_event_t event;
  for (uint64_t i = 0; i < 10; ++i) {
    PostNumber(i);
    ASSERT_EQ(Taken::kEvent, Take(view_, Queue(), event));
    EXPECT_EQ(i, event.hdr_data);
  }
}

TEST_F(EventQueueTest, LosesNothingBetweenThreadsThatKeepUp) {
  constexpr uint64_t kEvents = 20000;
  Open(64);
  std::thread poster([&] {
    for (uint64_t i = 0; i < kEvents; ++i) {
      while (!Reserve(pt_, 1)) std::this_thread::yield();
      Event event;
      event.hdr_data = i;
      event.uid = 1;
      PostReserved(pt_, event);
    }
  });
  ptl_event_t event;
  for (uint64_t i = 0; i < kEvents; ++i) {
    while (Take(view_, Queue(), event) == Taken::kNone)
      std::this_thread::yield();
    ASSERT_EQ(i, event.hdr_data);
  }
  poster.join();
}

}  // namespace
}  // namespace gasnet::portals4
