// Tests that only one thread drives a node when several try to. Also tests
// calls that complete at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>

#include "coll/node.h"
#include "coll/testing/stepped.h"
#include "coll/tuning.h"

namespace gasnet::coll {
namespace {

class DrivingTest : public SteppedTest {};

TEST_F(DrivingTest, SendsWhatIsBegunAfterTheLastLook) {
  const CollectiveRequest request = BroadcastFrom(kMe);
  CollectiveOperation* op = nullptr;
  WhileDriven([&] { op = node_.Begin(team_, request); });
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent[0].number, op->number);
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// A message that Take copies carries a base. The node must record this base, as
// it does for a message that passes through the inbox.
TEST_F(DrivingTest, HearsTheBaseOfAMessageThatItTakes) {
  for (uint32_t i = 1; i < kWindow; ++i) {
    ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  }
  fabric_.at_take = [&](CollHeader& header, std::byte* to, size_t nbytes) {
    EXPECT_EQ(header.number, kWindow);
    header.base = kWindow;
    std::fill_n(to, nbytes, std::byte{7});
    return true;
  };
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kPeer)), nullptr);
  EXPECT_EQ(dest_[7], std::byte{7});
  fabric_.at_take = nullptr;
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  EXPECT_EQ(fabric_.sent.back().type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent.back().number, kWindow + 1);
}

TEST_F(DrivingTest, TakesMailThatComesAfterTheLastLook) {
  const CollectiveRequest request = BroadcastFrom(kPeer);
  CollectiveOperation* const op = node_.Begin(team_, request);
  ASSERT_NE(op, nullptr);
  WhileDriven([&] {
    Come(op->number, request);
    node_.Drive();
  });
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// The last piece of a part arrives while another thread drives. This event
// concerns only waiting threads, so the driver must wake them.
TEST_F(DrivingTest, WakesThreadsThatFoundItDriven) {
  const CollectiveRequest request = BroadcastFrom(kPeer, sizeof(dest_));
  CollectiveOperation* const op = node_.Begin(team_, request);
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  ASSERT_EQ(fabric_.sent[0].type, MessageType::kReady);
  const uint64_t name = fabric_.sent[0].landing;
  unsigned wakes = 0;
  WhileDriven([&] {
    Landing* const landing =
        node_.landings().Find(kPeer, name, 0, sizeof(dest_), true);
    ASSERT_NE(landing, nullptr);
    Landings::Count(*landing, sizeof(dest_));
    node_.Drive();
    wakes = fabric_.wakes;
  });
  EXPECT_GT(fabric_.wakes, wakes);
  node_.Drive();
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// The next drive wakes no thread, and a thread that only polls causes no
// wake-up.
TEST_F(DrivingTest, WakesNobodyAgain) {
  WhileDriven([&] { node_.Drive(); });
  const unsigned wakes = fabric_.wakes;
  node_.Drive();
  EXPECT_EQ(fabric_.wakes, wakes);
}

// The transfers of a put may complete at any time. No call waits for them, and
// other operations go on.
TEST_F(DrivingTest, GoesOnWhileAPutIsUnderWay) {
  CollectiveRequest put = {.call = "test",
                           .kind = CollectiveKind::kPut,
                           .in = SyncMode::kMine,
                           .out = SyncMode::kMine,
                           .nbytes = 8};
  put.partners.node = kPeer;
  put.partners.dests = Addresses(dest_);
  put.partners.sources = Addresses(source_);
  put.partners.count = 1;
  CollectiveOperation* const op = node_.Begin(team_, put);
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(fabric_.moves_begun, 0u);
  Enter(op->number, put);
  node_.Drive();
  EXPECT_EQ(fabric_.moves_begun, 1u);
  EXPECT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  node_.Drive();
  EXPECT_FALSE(op->IsSynced());
  ASSERT_EQ(fabric_.sent.size(), 1u);
  fabric_.moved = true;
  node_.Drive();
  EXPECT_EQ(fabric_.moves_begun, 1u);
  EXPECT_TRUE(op->IsSynced());
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[1].number, op->number);
  EXPECT_EQ(fabric_.sent[1].phase, 1u);
  node_.Release(*op);
}

class AtOnceTest : public SteppedTest {
 protected:
  AtOnceTest() : SteppedTest(/*near=*/true) {}
};

// If a peer asks for a later base, it gets the base once this node has reached
// it.
TEST_F(AtOnceTest, AnswersWhenItAdmits) {
  CollHeader question;
  question.type = MessageType::kAskBase;
  question.number = 1 + kWindow;
  question.base = 1;
  node_.inbox().Push(kPeer, question, nullptr, 0);
  node_.Drive();
  ASSERT_TRUE(fabric_.sent.empty());
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent[1].type, MessageType::kBase);
  EXPECT_EQ(fabric_.sent[1].number, 2u);
}

// The two nodes have exchanged no message for longer than the window. So
// neither the peer nor this node can send until it knows the other's base.
TEST_F(AtOnceTest, AsksForTheBaseThatItSpinsFor) {
  constexpr uint32_t kSilent = 100;
  team_.next = team_.started = 1 + kSilent;
  team_.window.SetBase(1 + kSilent);
  CollectiveRequest request = BroadcastFrom(0);
  request.kind = CollectiveKind::kReduceAll;
  request.sources = Addresses(source_);
  request.reduction = {.kernels = KernelsOf(Type::kUint64, Op::kSum),
                       .elem_size = 8,
                       .elem_count = 1};
  fabric_.at_glance = [&](unsigned looks) {
    if (looks > 0) return looks < 10;
    const bool asked = fabric_.sent.size() == 1 &&
                       fabric_.sent[0].type == MessageType::kAskBase;
    EXPECT_TRUE(asked);
    if (!asked) return true;
    CollHeader answer;
    answer.type = MessageType::kBase;
    answer.number = 1 + kSilent;
    answer.base = static_cast<uint16_t>(answer.number);
    node_.inbox().Push(kPeer, answer, nullptr, 0);
    Come(1 + kSilent, request, kPeer);
    return true;
  };
  EXPECT_EQ(node_.Begin(team_, request), nullptr);
  EXPECT_EQ(fabric_.glances, 1u);
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[1].type, MessageType::kEager);
}

}  // namespace
}  // namespace gasnet::coll
