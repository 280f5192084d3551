// Tests the error if nodes call different collectives: it names both
// collectives. The disagreement is found by a message of an operation that is
// under way, over, or waited for.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "coll/disagreement.h"
#include "coll/node.h"
#include "coll/testing/stepped.h"
#include "coll/tuning.h"

namespace gasnet::coll {
namespace {

class DisagreementTest : public SteppedTest {};

class DisagreementAtOnceTest : public SteppedTest {
 protected:
  DisagreementAtOnceTest() : SteppedTest(/*near=*/true) {}
};

class InquiryTest : public SteppedTest {
 protected:
  // Drives the node as often as a waiting thread does before it reads the
  // clock.
  void WaitUntil(int64_t now) {
    fabric_.now = now;
    for (uint32_t i = 0; i < kDrivesPerClock; ++i) node_.Drive();
  }
  void Inquire(uint32_t number, const CollectiveRequest& request) {
    CollHeader header;
    header.type = MessageType::kTerms;
    header.number = number;
    header.base = 1;
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, nullptr, 0);
  }
};

TEST_F(InquiryTest, SaysWhatItHasCalledWhereNothingComes) {
  const CollectiveRequest request = BroadcastFrom(kPeer);
  CollectiveOperation* const op = node_.Begin(team_, request);
  WaitUntil(5);
  WaitUntil(4 + kPatience);
  EXPECT_TRUE(fabric_.sent.empty());
  WaitUntil(5 + kPatience);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kTerms);
  EXPECT_EQ(fabric_.sent[0].number, op->number);
  EXPECT_EQ(fabric_.sent[0].terms, TermsOf(request));
  WaitUntil(4 + 3 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 1u);
  WaitUntil(5 + 3 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 2u);
  Come(op->number, request);
  WaitUntil(100 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 2u);
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// The two nodes have exchanged no message for longer than the window, so this
// node does not know the peer's base.
TEST_F(InquiryTest, AsksFirstForTheBaseOfAPeer) {
  for (uint32_t i = 1; i <= kWindow; ++i) {
    ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  }
  const CollectiveRequest request = BroadcastFrom(kPeer);
  CollectiveOperation* const op = node_.Begin(team_, request);
  const size_t before = fabric_.sent.size();
  WaitUntil(0);
  WaitUntil(kPatience);
  WaitUntil(3 * kPatience);
  ASSERT_EQ(fabric_.sent.size(), before + 1);
  EXPECT_EQ(fabric_.sent.back().type, MessageType::kAskBase);
  EXPECT_EQ(fabric_.sent.back().number, op->number);
  CollHeader answer;
  answer.type = MessageType::kBase;
  answer.number = answer.base = kWindow + 1;
  node_.inbox().Push(kPeer, answer, nullptr, 0);
  // This inquiry is about an operation that is over here. Both nodes called it
  // alike, so there is no error.
  Inquire(kWindow, BroadcastFrom(kMe));
  WaitUntil(7 * kPatience);
  ASSERT_EQ(fabric_.sent.size(), before + 2);
  EXPECT_EQ(fabric_.sent.back().type, MessageType::kTerms);
  Come(op->number, request);
  node_.Drive();
  node_.Release(*op);
}

TEST_F(InquiryTest, WaitsForNoRoom) {
  const CollectiveRequest request = BroadcastFrom(kPeer);
  CollectiveOperation* const op = node_.Begin(team_, request);
  fabric_.has_room = false;
  WaitUntil(0);
  WaitUntil(kPatience);
  EXPECT_TRUE(fabric_.sent.empty());
  fabric_.has_room = true;
  WaitUntil(3 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 1u);
  Come(op->number, request);
  node_.Drive();
  node_.Release(*op);
}

TEST_F(InquiryTest, ComparesWhatAPeerSays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const CollectiveRequest request = BroadcastFrom(kPeer);
  const CollectiveRequest other = BroadcastFrom(kPeer, 2 * kEagerFar);
  const auto comes = [&](uint32_t number, const CollectiveRequest& said) {
    Inquire(number, said);
    node_.Drive();
  };
  CollectiveOperation* const op = node_.Begin(team_, request);
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  comes(1, request);
  EXPECT_DEATH(comes(1, other), "rank 1 calls .*32768.*this rank .* nbytes 8");
  EXPECT_DEATH(comes(2, other), "rank 1 calls .*32768.*nbytes 8.* is over");
  // This inquiry arrives before this node has begun the operation.
  comes(3, request);
  CollectiveOperation* const third = node_.Begin(team_, request);
  ASSERT_NE(third, nullptr);
  comes(4, other);
  EXPECT_DEATH(node_.Begin(team_, request), "rank 1 calls .*32768.*this rank");
  Come(1, request);
  Come(3, request);
  node_.Drive();
  EXPECT_TRUE(op->IsSynced());
  EXPECT_TRUE(third->IsSynced());
  node_.Release(*op);
  node_.Release(*third);
}

// In Terms all sizes of 4 GiB and more look the same. So the node compares the
// full sizes before it sends a peer an address to write to.
TEST_F(DisagreementTest, ComparesLargeSizesBeforeItSaysWhere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const CollectiveRequest request = BroadcastFrom(kPeer, Terms::kMany);
  // The operation never ends, so it begins only in the child process of the
  // death test.
  const auto comes = [&] {
    const CollectiveOperation* const op = node_.Begin(team_, request);
    if (op == nullptr || !fabric_.sent.empty()) return;
    CollHeader offer;
    offer.type = MessageType::kOffer;
    offer.number = op->number;
    offer.base = 1;
    offer.terms = op->terms;
    offer.landing = size_t{Terms::kMany} + 1;
    node_.inbox().Push(kPeer, offer, nullptr, 0);
    node_.Drive();
  };
  EXPECT_DEATH(comes(),
               "rank 1 sends 4294967296 bytes where this rank expects "
               "4294967295");
}
// Different Terms are refused even if kind and size are the same.
TEST_F(DisagreementAtOnceTest, RefusesOtherTerms) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  CollectiveRequest request = BroadcastFrom(kPeer);
  CollectiveRequest other = request;
  other.out = SyncMode::kNone;
  Come(1, other);
  EXPECT_DEATH(node_.Begin(team_, request),
               "test: rank 1 calls broadcast .*OUT_NOSYNC, LOCAL; this rank");
}

// A node that has nothing to receive may complete its collective early. After
// that, a message may arrive from a peer that called another collective.
TEST_F(DisagreementTest, NamesWhatIsOverWhereAPeerCallsAnother) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  CollectiveOperation* const first = node_.Begin(team_, BroadcastFrom(kPeer));
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  CollectiveRequest other = BroadcastFrom(kPeer);
  other.kind = CollectiveKind::kExchange;
  const auto comes = [&] {
    Come(2, other);
    node_.Drive();
  };
  EXPECT_DEATH(
      comes(),
      "rank 1 calls exchange with nbytes 8, .* as collective 2 of team "
      "0; this rank called broadcast with nbytes 8, root 0, .*, which "
      "is over");
  Come(1, BroadcastFrom(kPeer));
  node_.Drive();
  node_.Release(*first);
}
TEST_F(DisagreementAtOnceTest, NamesWhatIsOverWhereAPeerCallsAnother) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  CollectiveRequest other = BroadcastFrom(kPeer);
  other.kind = CollectiveKind::kExchange;
  const auto comes = [&](uint32_t number) {
    Come(number, other);
    node_.Drive();
  };
  EXPECT_DEATH(comes(1),
               "rank 1 calls exchange .*; this rank called broadcast .*, which "
               "is over");
  // This node called no collective with that number, so the error can describe
  // only the message.
  EXPECT_DEATH(comes(-kWindow), "rank 1 sent a message outside collective");
}

}  // namespace
}  // namespace gasnet::coll
