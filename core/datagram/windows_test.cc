// Tests the two ends of a lane, and the packet buffers between them.
#include <algorithm>
#include <set>
#include <vector>

#include "base/clock.h"
#include "core/datagram/congestion.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/receive_window.h"
#include "core/datagram/round_trip.h"
#include "core/datagram/send_window.h"
#include "core/datagram/tuning.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using Verdict = ReceiveWindow::Verdict;

TEST(ReceiveWindowTest, TakesEachNumberOnceInAnyOrder) {
  ReceiveWindow window;
  std::set<uint64_t> seen;
  uint64_t random = 12345;
  for (int i = 0; i < 50'000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t sequence = window.acks().cumulative +
                              (random >> 33) % (kWindow + 16) + 1 -
                              std::min<uint64_t>(window.acks().cumulative, 8);
    const Verdict verdict = window.Judge(sequence);
    if (sequence == 0 || seen.contains(sequence)) {
      ASSERT_EQ(verdict, Verdict::kDuplicate);
    } else if (sequence > window.acks().cumulative + kWindow) {
      ASSERT_EQ(verdict, Verdict::kTooFarAhead);
    } else {
      ASSERT_EQ(verdict, Verdict::kNew);
      window.Register(sequence);
      seen.insert(sequence);
      for (uint64_t ahead = 1; ahead <= kAckBits; ++ahead) {
        const uint64_t each = window.acks().cumulative + ahead;
        ASSERT_EQ(window.acks().Covers(each), seen.contains(each));
      }
    }
    ASSERT_FALSE(window.acks().Covers(window.acks().cumulative + 1));
  }
  EXPECT_GT(window.acks().cumulative, 1000u);
}

TEST(ReceiveWindowTest, AFullBitmapIsTakenAtOnce) {
  ReceiveWindow window;
  for (uint64_t sequence = 2; sequence <= kWindow; ++sequence) {
    window.Register(sequence);
    EXPECT_TRUE(window.HasGap());
  }
  EXPECT_EQ(window.Judge(kWindow + 1), Verdict::kTooFarAhead);
  EXPECT_TRUE(window.IsNext(1));
  window.Register(1);
  EXPECT_EQ(window.acks(), (Acks{kWindow, 0}));
  EXPECT_FALSE(window.HasGap());
}

class SendWindowTest : public ::testing::Test {
 protected:
  void Append(unsigned count, bool open = false) {
    for (unsigned i = 0; i < count; ++i) {
      Packet* const packet = pool_.Acquire(1000, Lane::kReply);
      ASSERT_NE(packet, nullptr);
      packet->length = 1000;
      window_.Append(packet, open);
    }
  }
  // Sends all packets that may be sent, and returns their sequence numbers.
  std::vector<uint64_t> SendAll(SendWindow::Limits limits = {64, ~0u, true}) {
    std::vector<uint64_t> sent;
    Packet* picked[64];
    const size_t count = window_.Pick(limits, picked);
    for (size_t i = 0; i < count; ++i) {
      sent.push_back(picked[i]->sequence);
      window_.Sent(picked[i], now_);
    }
    return sent;
  }
  SendWindow::Outcome Ack(Acks acks) {
    return window_.OnAcks(acks, now_, 64, round_trip_, pool_);
  }

  using Numbers = std::vector<uint64_t>;
  PacketPool pool_{size_t{1} << 20, 1472, {1, 1}};
  RoundTrip round_trip_;
  SendWindow window_;
  int64_t now_ = 1000;
};

TEST_F(SendWindowTest, SendsInOrderWithinItsLimits) {
  Append(30);
  EXPECT_EQ(SendAll({3, ~0u, true}), (Numbers{1, 2, 3}));
  EXPECT_EQ(SendAll({3, ~0u, true}), Numbers{});
  EXPECT_EQ(Ack({2, 0}).acknowledged, 2u);
  EXPECT_EQ(SendAll({3, ~0u, true}), (Numbers{4, 5}));
  EXPECT_EQ(SendAll({64, 1, true}), Numbers{}) << "one packet is in flight";
  EXPECT_EQ(Ack({5, 0}).acknowledged, 3u);
  EXPECT_EQ(SendAll({64, 1, true}), Numbers{6}) << "one packet always may";
}

TEST_F(SendWindowTest, NeverRunsAheadOfTheReceiversBitmap) {
  Append(100);
  uint64_t acknowledged = 0;
  for (Numbers sent = SendAll(); !sent.empty(); sent = SendAll()) {
    ASSERT_LE(sent.back(), 64u) << "1 is missing";
    acknowledged = (uint64_t{1} << (sent.back() - 1)) * 2 - 2;
    Ack({0, acknowledged});
  }
  EXPECT_EQ(pool_.used(), 37u) << "number 1, and 36 that may not be sent";
}

TEST_F(SendWindowTest, TheOpenPacketWaitsUnlessAskedFor) {
  Append(2);
  Append(1, true);
  EXPECT_EQ(window_.open()->sequence, 3u);
  EXPECT_EQ(SendAll({64, ~0u, false}), (Numbers{1, 2}));
  EXPECT_FALSE(window_.HasClosed());
  EXPECT_EQ(SendAll(), Numbers{3});
  EXPECT_EQ(window_.open(), nullptr);
}

TEST_F(SendWindowTest, ThreeLaterPacketsShowALoss) {
  Append(6);
  SendAll();
  EXPECT_EQ(Ack({0, 0b110}).lost, 0u);
  EXPECT_EQ(Ack({0, 0b1110}).lost, 1u);
  EXPECT_EQ(SendAll(), Numbers{1});
  EXPECT_EQ(Ack({0, 0b1110}).lost, 0u) << "old news";
  EXPECT_EQ(Ack({6, 0}).acknowledged, 3u);
  EXPECT_TRUE(window_.Empty());
  EXPECT_EQ(pool_.used(), 0u);
}

TEST_F(SendWindowTest, AQuarterOfARoundTripLaterALossIsSeenToo) {
  for (int i = 0; i < 50; ++i) round_trip_.Sample(1000);
  const Timing timing;
  Append(2);
  SendAll();
  now_ += 1000;
  EXPECT_EQ(Ack({0, 0b10}).lost, 0u);
  const int64_t deadline = window_.Deadline(timing, round_trip_);
  EXPECT_LT(deadline, now_ + 1000);
  EXPECT_EQ(window_.OnTimer(deadline - 1, timing, round_trip_),
            SendWindow::Expiry::kNone);
  EXPECT_EQ(window_.OnTimer(deadline, timing, round_trip_),
            SendWindow::Expiry::kReordered);
  EXPECT_EQ(SendAll(), Numbers{1});
}

TEST_F(SendWindowTest, AProbeAsksLongBeforeTheTimeout) {
  for (int i = 0; i < 50; ++i) round_trip_.Sample(10'000);
  const Timing timing;
  Append(3);
  SendAll();
  const int64_t sent_at = now_;
  const int64_t deadline = window_.Deadline(timing, round_trip_);
  EXPECT_LT(deadline - sent_at, timing.min_timeout / 4);
  EXPECT_EQ(window_.OnTimer(deadline - 1, timing, round_trip_),
            SendWindow::Expiry::kNone);
  now_ = deadline;
  EXPECT_EQ(window_.OnTimer(now_, timing, round_trip_),
            SendWindow::Expiry::kAsk);
  EXPECT_EQ(SendAll(), Numbers{1});
  // One probe is enough, and it does not delay the timeout.
  EXPECT_EQ(window_.Deadline(timing, round_trip_),
            sent_at + timing.min_timeout);
  now_ += 10'000;
  // The answer shows that all packets after the first are lost.
  const auto outcome = Ack({1, 0});
  EXPECT_EQ(outcome.acknowledged, 1u);
  EXPECT_EQ(outcome.lost, 2u);
  EXPECT_EQ(SendAll(), (Numbers{2, 3}));
  EXPECT_EQ(window_.expiries(), 0u);
}

TEST_F(SendWindowTest, AProbeOfTheOnlyPacketDoesNotPutOffTheTimeout) {
  for (int i = 0; i < 50; ++i) round_trip_.Sample(10'000);
  const Timing timing;
  Append(1);
  SendAll();
  const int64_t sent_at = now_;
  now_ = window_.Deadline(timing, round_trip_);
  EXPECT_EQ(window_.OnTimer(now_, timing, round_trip_),
            SendWindow::Expiry::kAsk);
  EXPECT_EQ(SendAll(), Numbers{1});
  now_ = window_.Deadline(timing, round_trip_);
  EXPECT_EQ(now_, sent_at + timing.min_timeout);
  EXPECT_EQ(window_.OnTimer(now_, timing, round_trip_),
            SendWindow::Expiry::kTimeout);
  // After this, timeouts back off as usual, without probes between them.
  EXPECT_EQ(SendAll(), Numbers{1});
  EXPECT_EQ(window_.Deadline(timing, round_trip_),
            now_ + 2 * timing.min_timeout);
}

TEST_F(SendWindowTest, OnlyALossThatAProbeRepairedIsPaidFor) {
  for (int i = 0; i < 50; ++i) round_trip_.Sample(10'000);
  const Timing timing;
  const uint32_t before = window_.congestion().window();
  const auto send_and_probe = [&](unsigned count) {
    Append(count);
    SendAll();
    now_ = window_.Deadline(timing, round_trip_);
    ASSERT_EQ(window_.OnTimer(now_, timing, round_trip_),
              SendWindow::Expiry::kAsk);
    ASSERT_EQ(SendAll().size(), 1u);
    now_ += 10'000;
  };
  send_and_probe(before);
  Ack({before, 0});
  EXPECT_GE(window_.congestion().window(), before) << "the peer was slow";
  const uint32_t grown = window_.congestion().window();
  send_and_probe(1);
  Ack({before + 1, 0});
  EXPECT_EQ(window_.congestion().window(), grown) << "it was not in use";
  // The window is full. The probe arrives, but no packet that was sent before
  // it.
  send_and_probe(grown);
  Ack({before + 2, 0});
  EXPECT_LT(window_.congestion().window(), grown);
}

TEST_F(SendWindowTest, WhereTheTimeoutIsNearThereIsNoProbe) {
  for (int i = 0; i < 50; ++i) round_trip_.Sample(2'000'000);
  const Timing timing;
  Append(1);
  SendAll();
  now_ = window_.Deadline(timing, round_trip_);
  EXPECT_EQ(window_.OnTimer(now_, timing, round_trip_),
            SendWindow::Expiry::kTimeout);
}

// While there is no answer, each timeout sends the oldest packet and one other.
// The other packets take turns.
TEST_F(SendWindowTest, ATimeoutSendsTheOldestAndBacksOff) {
  const Timing timing;
  Append(5);
  SendAll();
  int64_t waited = 0;
  for (int expiry = 1; expiry < 5; ++expiry) {
    const int64_t deadline = window_.Deadline(timing, round_trip_);
    EXPECT_GT(deadline - now_, waited);
    waited = deadline - now_;
    now_ = deadline;
    EXPECT_EQ(window_.OnTimer(now_, timing, round_trip_),
              SendWindow::Expiry::kTimeout);
    EXPECT_EQ(window_.expiries(), static_cast<unsigned>(expiry));
    const auto turn = static_cast<uint64_t>(expiry);
    EXPECT_EQ(SendAll(), expiry == 1 ? Numbers{1} : (Numbers{1, turn}));
    EXPECT_EQ(SendAll(), Numbers{});
  }
  EXPECT_EQ(Ack({5, 0}).acknowledged, 5u) << "the peer was only busy";
  EXPECT_GE(window_.congestion().window(), Congestion().window());
  EXPECT_EQ(window_.Deadline(timing, round_trip_), kNever);
}

TEST_F(SendWindowTest, WithoutAnAnswerEverythingIsSentWithinItsLimits) {
  const Timing timing;
  const SendWindow::Limits limits = {3, ~0u, false};
  Append(2);
  SendAll(limits);
  Append(2);
  Append(1, true);
  const auto after_timeout = [&](const SendWindow::Limits& now) {
    now_ = window_.Deadline(timing, round_trip_);
    window_.OnTimer(now_, timing, round_trip_);
    return SendAll(now);
  };
  EXPECT_EQ(after_timeout(limits), Numbers{1});
  EXPECT_EQ(after_timeout(limits), (Numbers{1, 3}));
  EXPECT_EQ(after_timeout(limits), (Numbers{1, 2})) << "4 is too far ahead";
  EXPECT_EQ(after_timeout({64, 2000, true}), Numbers{4}) << "in turn";
  EXPECT_EQ(after_timeout({64, ~0u, false}), (Numbers{1, 3}));
  EXPECT_EQ(after_timeout({64, ~0u, false}), (Numbers{1, 4}));
  EXPECT_EQ(after_timeout({64, ~0u, true}), (Numbers{1, 5}));
  EXPECT_EQ(window_.open(), nullptr);
  EXPECT_EQ(Ack({5, 0}).acknowledged, 5u);
  EXPECT_TRUE(window_.Empty());
  EXPECT_EQ(pool_.used(), 0u);
}

// Simulates a separate call for each packet.
TEST_F(SendWindowTest, WithoutAnAnswerTheSecondMayFollowByItself) {
  const Timing timing;
  Append(3);
  SendAll();
  for (int expiry = 0; expiry < 2; ++expiry) {
    now_ = window_.Deadline(timing, round_trip_);
    window_.OnTimer(now_, timing, round_trip_);
    if (expiry == 0) SendAll();
  }
  const auto send_one = [&] {
    Packet* picked[1];
    const size_t count = window_.Pick({64, ~0u, true}, picked);
    if (count == 0) return uint64_t{0};
    window_.Sent(picked[0], now_);
    return picked[0]->sequence;
  };
  EXPECT_EQ(send_one(), 1u);
  EXPECT_EQ(send_one(), 2u);
  EXPECT_EQ(send_one(), 0u);
}

// The packets after the larger one still get their turn.
TEST_F(SendWindowTest, WithoutAnAnswerWhatDoesNotFitIsPassedOver) {
  const Timing timing;
  Append(1);
  Packet* const small = pool_.Acquire(100, Lane::kReply);
  Append(1);
  small->length = 100;
  window_.Append(small, false);
  SendAll();
  // The limits have room for the first and the last packet, but not for two
  // large ones.
  const SendWindow::Limits narrow = {64, 1000 + 100 + 2 * 768, true};
  for (int expiry = 0; expiry < 2; ++expiry) {
    now_ = window_.Deadline(timing, round_trip_);
    window_.OnTimer(now_, timing, round_trip_);
    EXPECT_EQ(SendAll(narrow), expiry == 0 ? Numbers{1} : (Numbers{1, 3}));
  }
}

TEST_F(SendWindowTest, AnAnswerAfterATimeoutKeepsTheRestFromBeingSentAgain) {
  const Timing timing;
  Append(8);
  SendAll();
  now_ += timing.initial_timeout;
  window_.OnTimer(now_, timing, round_trip_);
  EXPECT_EQ(SendAll(), Numbers{1});
  // The peer answers again. It has received half of the first transmissions.
  EXPECT_EQ(Ack({4, 0}).acknowledged, 4u);
  EXPECT_EQ(window_.lost(), 0u);
  EXPECT_EQ(SendAll(), Numbers{});
  EXPECT_NE(window_.Deadline(timing, round_trip_), kNever);
  // Packet 5 was really lost.
  EXPECT_EQ(Ack({4, 0b1110}).lost, 1u);
  EXPECT_EQ(SendAll(), Numbers{5});
  EXPECT_EQ(Ack({8, 0}).acknowledged, 1u);
  EXPECT_TRUE(window_.Empty());
}

TEST_F(SendWindowTest, WhatWasNeverSentCannotBeAcknowledged) {
  Append(4);
  EXPECT_EQ(Ack({100, ~uint64_t{0}}).acknowledged, 0u);
  SendAll({2, ~0u, true});
  EXPECT_EQ(Ack({100, ~uint64_t{0}}).acknowledged, 2u);
  EXPECT_EQ(pool_.used(), 2u);
  EXPECT_EQ(SendAll(), (Numbers{3, 4}));
}

TEST_F(SendWindowTest, RetransmissionsGiveNoSample) {
  const Timing timing;
  Append(1);
  SendAll();
  now_ += timing.initial_timeout;
  window_.OnTimer(now_, timing, round_trip_);
  SendAll();
  now_ += 10;
  Ack({1, 0});
  EXPECT_EQ(round_trip_.ReorderTime(), 0);
}

TEST(PacketPoolTest, KeepsAPartForReplies) {
  PacketPool pool(1472 * 40, 1472, {2, 2});
  std::vector<Packet*> out;
  while (Packet* const packet = pool.Acquire(100, Lane::kRequest)) {
    out.push_back(packet);
  }
  EXPECT_FALSE(pool.Has(1, 1472, Lane::kRequest));
  size_t replies = 0;
  while (Packet* const packet = pool.Acquire(1472, Lane::kReply)) {
    out.push_back(packet);
    ++replies;
  }
  EXPECT_EQ(out.size(), pool.size());
  EXPECT_GE(replies, pool.size() / 4);
  EXPECT_EQ(std::set<Packet*>(out.begin(), out.end()).size(), out.size());
  for (Packet* const packet : out) pool.Release(packet);
  EXPECT_EQ(pool.used(), 0u);
}

TEST(PacketPoolTest, HasTwoSizesWhereDatagramsAreLarge) {
  PacketPool pool(size_t{8} << 20, 32768, {4, 4});
  Packet* const small = pool.Acquire(200, Lane::kRequest);
  Packet* const large = pool.Acquire(30'000, Lane::kRequest);
  EXPECT_EQ(small->capacity, kSmallBytes);
  EXPECT_EQ(large->capacity, 32768u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(small->bytes) % 16, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large->bytes) % 16, 0u);
  pool.Release(small);
  EXPECT_EQ(pool.Acquire(1, Lane::kRequest), small) << "last in, first out";
}

}  // namespace
}  // namespace gasnet::datagram
