// Tests that an invalid message of a peer is refused with a reason, and changes
// nothing.
#include <gtest/gtest.h>
#include <string.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/statistics.h"
#include "conduits/portals/credits/test_peers.h"

namespace gasnet::portals_conduit::credits {
namespace {

// A fixture that checks that a refusal changes nothing in a rank, except the
// count of refusals.
class HostileTest : public testing::Test {
 protected:
  void Refused(Credits& rank, const char* why, const char* what) {
    ASSERT_NE(why, nullptr);
    EXPECT_NE(strstr(why, what), nullptr) << why;
    ++refusals_;
    EXPECT_EQ(rank.counters().refused, refusals_);
    EXPECT_EQ(State(rank), before_);
  }
  void Remember(const Credits& rank) { before_ = State(rank); }

 private:
  static std::string State(const Credits& rank) {
    const std::string text = StatisticsText(rank);
    return text.substr(0, text.find(" refused")) + text.substr(text.find('\n'));
  }

  std::string before_;
  uint64_t refusals_ = 0;
};

TEST_F(HostileTest, Requests) {
  Credits rank = NewRank(0);
  ASSERT_EQ(rank.RequestArrived(1, Wire(false, 0, 4)), nullptr);
  ASSERT_EQ(rank.RequestArrived(1, Wire(false, 0, 4)), nullptr);
  Remember(rank);
  Refused(rank, rank.RequestArrived(1, Wire(true, 0, 0)), "uses no credits");
  Refused(rank, rank.RequestArrived(1, Wire(true, 0, kMin + 1)),
          "than the largest message");
  Refused(rank, rank.RequestArrived(1, Wire(true, 0, 3)), "than it was lent");
  Refused(rank, rank.RequestArrived(0, Wire(true, 0, 1)),
          "its sender has none");
  EXPECT_EQ(rank.RequestArrived(1, Wire(false, 0, 2)), nullptr);
}

TEST_F(HostileTest, Replies) {
  CreditSettings settings;
  settings.max_per_node = 12;
  Credits rank = NewRank(0, settings);
  ASSERT_EQ(Serve(rank, 2, Wire(false, 0, 1)).used, 1);
  const uint8_t first = *rank.Take(1, 4);
  const uint8_t second = *rank.Take(1, 4);
  rank.Take(1, 4);
  rank.ReplyArrived(1, first, first);
  const uint8_t asking = *rank.Take(1, 4);
  ASSERT_EQ(asking, Wire(false, 2, 4));
  rank.Take(1, 4);
  rank.ReplyArrived(1, second, second);
  const uint8_t more = *rank.Take(1, 4);
  ASSERT_EQ(more, Wire(false, 2, 4));
  Remember(rank);
  Refused(rank, rank.ReplyArrived(1, asking, Wire(true, 0, 5)),
          "another number of credits");
  Refused(rank, rank.ReplyArrived(1, asking, Wire(true, 0, 3)),
          "another number of credits");
  Refused(rank, rank.ReplyArrived(1, asking, Wire(true, 3, 4)), "asked for");
  Refused(rank, rank.ReplyArrived(1, asking, Wire(true, 1, 4)), "asked for");
  Refused(rank, rank.ReplyArrived(2, Wire(false, 0, 4), Wire(true, 0, 4)),
          "than are in use");
  Refused(rank, rank.ReplyArrived(0, asking, Wire(true, 0, 4)),
          "its sender has none");
  ASSERT_EQ(rank.ReplyArrived(1, asking, Wire(false, 2, 4)), nullptr);
  Remember(rank);
  Refused(rank, rank.ReplyArrived(1, more, Wire(true, 2, 4)),
          "a rank may have");
  EXPECT_EQ(rank.ReplyArrived(1, more, Wire(false, 0, 4)), nullptr);
}

TEST_F(HostileTest, Answers) {
  CreditSettings settings;
  settings.revoke_limit = 7;
  Credits rank = NewRank(0, settings, 0);
  ASSERT_EQ(rank.RequestArrived(2, Wire(false, 0, 4)), nullptr);
  ASSERT_EQ(rank.RequestArrived(2, Wire(false, 0, 1)), nullptr);
  Remember(rank);
  Refused(rank, rank.ReturnArrived(2, {.returned = 1, .epoch = true}),
          "nothing was asked");
  Serve(rank, 1, Wire(false, 1, 4));
  ASSERT_EQ(rank.Scavenge().count, 1u);
  Remember(rank);
  Refused(rank, rank.ReturnArrived(2, {.returned = 8, .epoch = true}),
          "than the limit");
  Refused(rank, rank.ReturnArrived(2, {.returned = UINT16_MAX, .epoch = true}),
          "than the limit");
  Refused(rank, rank.ReturnArrived(2, {.returned = 6, .epoch = true}),
          "cannot spare");
  EXPECT_EQ(rank.ReturnArrived(2, {.returned = 5, .epoch = false}), nullptr)
      << "5 are being served";
}

TEST_F(HostileTest, AnswersThatLeaveLessThanTheLeast) {
  Credits rank = NewRank(0, {}, 0);
  Serve(rank, 1, Wire(false, 1, 4));
  rank.Scavenge();
  Remember(rank);
  Refused(rank, rank.ReturnArrived(2, {.returned = 7, .epoch = false}),
          "cannot spare");
}

TEST_F(HostileTest, RevokesOfNobody) {
  Credits rank = NewRank(0);
  rank.Exclude(2);
  EXPECT_EQ(rank.total(), kEach + 100u);
  Remember(rank);
  CreditAnswer answer;
  Refused(rank, rank.RevokeArrived(2, true, &answer), "its sender has none");
}

TEST_F(HostileTest, MovesOfStaticCredits) {
  CreditSettings settings;
  settings.mode = Mode::kStatic;
  Credits rank = NewRank(0, settings);
  const uint8_t request = *rank.Take(1, 4);
  Remember(rank);
  CreditAnswer answer;
  Refused(rank, rank.RequestArrived(1, Wire(true, 0, 1)), "credits are static");
  Refused(rank, rank.RequestArrived(1, Wire(false, 1, 1)),
          "credits are static");
  Refused(rank, rank.ReplyArrived(1, request, Wire(true, 0, 4)),
          "credits are static");
  Refused(rank, rank.RevokeArrived(1, false, &answer), "credits are static");
  Refused(rank, rank.ReturnArrived(1, {}), "nothing was asked");
}

TEST_F(HostileTest, BytesWhereThereIsNoFlowControl) {
  CreditSettings settings;
  settings.mode = Mode::kOff;
  Credits rank = NewRank(0, settings);
  Remember(rank);
  Refused(rank, rank.RequestArrived(1, 1), "credits are off");
  Refused(rank, rank.ReplyArrived(1, 0, 0x80), "credits are off");
}

// Three ranks. One is under test, one sends random messages at any time, and
// one sends nothing.
class Liar {
 public:
  explicit Liar(uint64_t seed) : random_(seed) {
    settings_.max_per_node = 40;
    settings_.epoch_duration = 5;
    settings_.lender_limit = 20;
    settings_.revoke_limit = 9;
    rank_ = std::make_unique<Credits>(NewRank(0, settings_, 30));
  }

  void Step() {
    const auto byte = static_cast<uint8_t>(random_());
    const bool epoch = random_() % 2 == 0;
    switch (random_() % 6) {
      case 0:
        return Send(1 + byte % kMin);
      case 1:
        return HearReply(byte);
      case 2:
        return HearRequest(byte);
      case 3:
        return ReplyToOne();
      case 4: {
        CreditAnswer answer;
        rank_->RevokeArrived(1, epoch, &answer);
        return;
      }
      default:
        rank_->Scavenge();
        const auto returned =
            static_cast<uint16_t>(byte < 200 ? byte % 8 : -byte);
        rank_->ReturnArrived(1, {.returned = returned, .epoch = epoch});
    }
  }

  void Check() const {
    const PeerCredits peer = rank_->Look(1);
    ASSERT_LE(peer.in_use, peer.send);
    ASSERT_LE(peer.serving, peer.loan);
    ASSERT_GE(peer.send, kMin);
    ASSERT_LE(peer.send, settings_.max_per_node);
    ASSERT_GE(peer.loan, kMin);
    ASSERT_LE(peer.loan, settings_.max_per_node);
    ASSERT_LE(peer.revoked, settings_.revoke_limit);
    ASSERT_LE(peer.loan_given, settings_.lender_limit + kMaxExtra);
    ASSERT_EQ(rank_->bank() + peer.loan + rank_->Look(2).loan, rank_->total());
  }

  const Counters& counters() const { return rank_->counters(); }

 private:
  void Send(unsigned used) {
    const std::optional<uint8_t> byte = rank_->Take(1, used);
    if (byte.has_value()) sent_.push_back(*byte);
  }
  void HearReply(uint8_t byte) {
    if (sent_.empty()) return;
    // Half of the bytes are plausible.
    if (byte % 2 == 0) byte = sent_.back();
    if (rank_->ReplyArrived(1, sent_.back(), byte) == nullptr) sent_.pop_back();
  }
  void HearRequest(uint8_t byte) {
    if (rank_->RequestArrived(1, byte) == nullptr) arrived_.push_back(byte);
  }
  void ReplyToOne() {
    if (arrived_.empty()) return;
    rank_->ReplyTo(1, arrived_.back());
    arrived_.pop_back();
  }

  std::mt19937_64 random_;
  CreditSettings settings_;
  std::unique_ptr<Credits> rank_;
  std::vector<uint8_t> sent_;
  std::vector<uint8_t> arrived_;
};

TEST(LiarTest, MakesNoNumberWrapAndNoSumWrong) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Liar liar(seed);
    for (int i = 0; i < 5000; ++i) {
      liar.Step();
      liar.Check();
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
    EXPECT_GT(liar.counters().refused, 100u);
    EXPECT_GT(liar.counters().lent, 0u);
    EXPECT_GT(liar.counters().borrowed, 0u);
    EXPECT_GT(liar.counters().returned, 0u);
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
