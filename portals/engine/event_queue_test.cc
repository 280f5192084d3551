#include "portals/engine/event_queue.h"

#include <thread>

#include "gtest/gtest.h"
#include "portals/memory/region.h"

namespace gasnet::portals4 {
namespace {

class EventQueueTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
  }

  void Open(uint32_t count) { OpenQueue(view_, eq_, 0, count); }
  Ref Queue() { return ObjectRef::Make(1, eq_.slot); }
  void PostNumber(uint64_t number) {
    Event event;
    event.hdr_data = number;
    event.uid = 1;
    Post(view_, Queue(), event);
  }

  static constexpr Counts kCounts = {.pts = 1,
                                     .entries = 1,
                                     .unexpected = 1,
                                     .mds = 1,
                                     .eqs = 1,
                                     .cts = 1,
                                     .triggers = 1};
  Region region_ = Region::Create(
      {.nid = 1, .pid = 1, .uid = 1, .kind = 1, .max_list_size = 1}, kCounts);
  View view_{region_.memory(), kCounts};
  EqRecord& eq_ = *view_.EqAt(1);
};

TEST_F(EventQueueTest, GivesEventsInOrder) {
  Open(4);
  Event event;
  EXPECT_EQ(Taken::kNone, Take(view_, eq_, event));
  for (uint64_t i = 0; i < 100; ++i) {
    PostNumber(i);
    ASSERT_EQ(Taken::kEvent, Take(view_, eq_, event));
    EXPECT_EQ(i, event.hdr_data);
  }
}

TEST_F(EventQueueTest, CarriesEverything) {
  Open(4);
  const Event sent = {.type = PTL_EVENT_FETCH_ATOMIC_OVERFLOW,
                      .list = 1,
                      .fail = PTL_NI_SEGV,
                      .pt = 255,
                      .operation = PTL_MSWAP,
                      .datatype = PTL_LONG_DOUBLE_COMPLEX,
                      .uid = 77,
                      .start = ~uint64_t{0},
                      .user_ptr = 2,
                      .hdr_data = 3,
                      .match_bits = 4,
                      .rlength = 5,
                      .mlength = 6,
                      .remote_offset = 7,
                      .initiator = 8};
  Post(view_, Queue(), sent);
  Event event;
  ASSERT_EQ(Taken::kEvent, Take(view_, eq_, event));
  EXPECT_EQ(sent.type, event.type);
  EXPECT_EQ(sent.list, event.list);
  EXPECT_EQ(sent.fail, event.fail);
  EXPECT_EQ(sent.pt, event.pt);
  EXPECT_EQ(sent.operation, event.operation);
  EXPECT_EQ(sent.datatype, event.datatype);
  EXPECT_EQ(sent.uid, event.uid);
  EXPECT_EQ(sent.start, event.start);
  EXPECT_EQ(sent.rlength, event.rlength);
  EXPECT_EQ(sent.mlength, event.mlength);
  EXPECT_EQ(sent.initiator, event.initiator);
}

TEST_F(EventQueueTest, LosesTheOldestAndSaysSo) {
  Open(2);
  for (uint64_t i = 0; i < 100; ++i) PostNumber(i);
  Event event;
  ASSERT_EQ(Taken::kAfterLoss, Take(view_, eq_, event));
  EXPECT_EQ(100 - eq_.slots, event.hdr_data);
  ASSERT_EQ(Taken::kEvent, Take(view_, eq_, event));
  EXPECT_EQ(101 - eq_.slots, event.hdr_data);
}

TEST_F(EventQueueTest, ReservesNoMoreThanItsCount) {
  Open(3);
  EXPECT_TRUE(Reserve(eq_, 2));
  EXPECT_FALSE(Reserve(eq_, 2));
  EXPECT_TRUE(Reserve(eq_, 1));
  GiveBack(eq_, 3);
  for (uint64_t i = 0; i < 3; ++i) PostNumber(i);
  EXPECT_FALSE(Reserve(eq_, 1));
  Event event;
  ASSERT_EQ(Taken::kEvent, Take(view_, eq_, event));
  EXPECT_TRUE(Reserve(eq_, 1));
}

TEST_F(EventQueueTest, TakesNothingThatIsPostedAfterItsEnd) {
  Open(2);
  const Ref ref = Queue();
  CloseQueue(eq_);
  Post(view_, ref, Event());
  EXPECT_EQ(0u, eq_.tail.load(std::memory_order_relaxed));
}

TEST_F(EventQueueTest, GoesPastTheEndOfItsNumbers) {
  Open(4);
  const uint64_t near_end = (uint64_t{1} << 31) - 2;
  eq_.tail.store(near_end, std::memory_order_relaxed);
  eq_.head.store(near_end, std::memory_order_relaxed);
  Event event;
  for (uint64_t i = 0; i < 10; ++i) {
    PostNumber(i);
    ASSERT_EQ(Taken::kEvent, Take(view_, eq_, event));
    EXPECT_EQ(i, event.hdr_data);
  }
}

TEST_F(EventQueueTest, LosesNothingBetweenThreadsThatKeepUp) {
  constexpr uint64_t kEvents = 20000;
  Open(64);
  std::thread poster([&] {
    for (uint64_t i = 0; i < kEvents; ++i) {
      while (!Reserve(eq_, 1)) std::this_thread::yield();
      Event event;
      event.hdr_data = i;
      event.uid = 1;
      Post(view_, Queue(), event, Reserved::kYes);
    }
  });
  Event event;
  for (uint64_t i = 0; i < kEvents; ++i) {
    while (Take(view_, eq_, event) == Taken::kNone) std::this_thread::yield();
    ASSERT_EQ(i, event.hdr_data);
  }
  poster.join();
}

}  // namespace
}  // namespace gasnet::portals4
