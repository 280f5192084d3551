// Tests messages over the fake fabric. Each message must arrive once,
// regardless of the provider's behavior. A buffer must exist for each message,
// and credit must come back.
#include "conduits/ofi/messages.h"

#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/mixture.h"
#include "conduits/ofi/testing/test_ranks.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeFabricOptions;
using testing::Flood;
using testing::MediumOf;
using testing::Mixture;
using testing::ShortOf;
using testing::TestRank;
using testing::TestRanks;

constexpr int kAllModes = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
                          FI_MR_PROV_KEY | FI_MR_ENDPOINT;

struct Provider {
  const char* name;
  FakeFabricOptions options;
};

std::vector<Provider> Providers() {
  return {
      {"Plain", {}},
      {"Ordered", {.order = FI_ORDER_SAS | FI_ORDER_SAW}},
      {"OrderedAgain", {.late = 8, .again = 3, .order = FI_ORDER_SAS}},
      {"OrderedSingle",
       {.order = FI_ORDER_SAS, .multi_receive = false, .most_posted = 20}},
      {"Single", {.multi_receive = false}},
      {"Again", {.again = 3}},
      {"SingleAgain", {.again = 3, .multi_receive = false}},
      {"FewPosts", {.most_posted = 2}},
      {"ReleaseAlone", {.release_alone = true}},
      {"InTurn", {.late = 8, .release_alone = true, .in_turn = true}},
      {"Misaligned", {.again = 5, .misaligned = true}},
      {"Local", {.mr_mode = FI_MR_LOCAL, .inject_bytes = 0}},
      {"Demanding",
       {.late = 10, .again = 4, .release_alone = true, .mr_mode = kAllModes}},
      {"Basic", {.multi_receive = false, .mr_mode = kBasicRegistration}},
  };
}

class MessagesTest
    : public ::testing::TestWithParam<std::tuple<Provider, uint64_t>> {
 protected:
  FakeFabricOptions Options() const {
    FakeFabricOptions options = std::get<0>(GetParam()).options;
    options.seed = std::get<1>(GetParam());
    return options;
  }
  // Verifies that there was a buffer for every frame. Option `misaligned` is an
  // exception: its frames take more room than their credit covers.
  void CheckExpected(TestRanks& ranks) const {
    if (Options().misaligned) return;
    EXPECT_EQ(ranks.fabric().counts().unexpected, 0u);
  }
};

TEST_P(MessagesTest, EachOfAMixtureArrivesOnce) {
  TestRanks ranks(Options(), 3);
  Mixture mixture(ranks, std::get<1>(GetParam()));
  mixture.Run(1500);
  mixture.Check();
  for (Rank rank = 0; rank < ranks.size(); ++rank) {
    EXPECT_EQ(ranks[rank].failures, std::vector<std::string>{});
    EXPECT_EQ(ranks[rank].messages().under_way(), 0u);
  }
  CheckExpected(ranks);
  EXPECT_EQ(ranks.fabric().counts().overruns, 0u);
}

// Credit must come back even if the receiver sends no messages.
TEST_P(MessagesTest, OneDirectionGoesOn) {
  TestRanks ranks(Options(), 2);
  unsigned handled = 0;
  ranks.SetHandler([&](TestRank&, const am::Incoming&) { ++handled; });
  const std::vector<std::byte> payload(ranks.limits().whole);
  for (unsigned i = 0; i < 300; ++i) {
    ranks.SendPatiently(ranks[0], 1, Lane::kRequest, MediumOf(payload));
  }
  ranks.Settle();
  EXPECT_EQ(handled, 300u);
  CheckExpected(ranks);
}

// If the receiver does not poll, exactly one full window arrives.
TEST_P(MessagesTest, SendsStopAtTheWindow) {
  TestRanks ranks(Options(), 2);
  ranks.SetHandler([](TestRank&, const am::Incoming&) {});
  const std::array<int32_t, 2> args = {};
  const size_t cost = Options().multi_receive
                          ? 1
                          : ranks.limits().frame_bytes / am::kCreditUnitBytes;
  const size_t room = ranks.limits().window / cost;
  size_t sent = 0;
  for (int quiet = 0; quiet < 200; ++quiet) {
    const unsigned more = Flood(ranks[0], 1, ShortOf(args));
    sent += more;
    ranks[0].Poll();
    if (more > 0) quiet = 0;
  }
  EXPECT_EQ(sent, room);
  CheckExpected(ranks);
  // Replies have their own window.
  ranks.SendPatiently(ranks[0], 1, Lane::kReply, ShortOf(args));
}

// While the handler runs, more messages arrive than all buffers hold.
TEST_P(MessagesTest, AFrameStaysWhileItsHandlerRuns) {
  TestRanks ranks(Options(), 2);
  const std::vector<std::byte> request(100, std::byte{0x11});
  const std::vector<std::byte> reply(ranks.limits().whole, std::byte{0xee});
  const size_t all = ranks.limits().buffers * ranks.limits().buffer_bytes;
  size_t replies = 0;
  bool ran = false;
  ranks.SetHandler([&](TestRank&, const am::Incoming& message) {
    if (message.lane == Lane::kReply) {
      ++replies;
      return;
    }
    while (replies * reply.size() < 3 * all) {
      ranks.SendPatiently(ranks[0], 1, Lane::kReply, MediumOf(reply));
    }
    ran = true;
    EXPECT_EQ(std::memcmp(message.payload, request.data(), request.size()), 0);
  });
  ranks.SendPatiently(ranks[0], 1, Lane::kRequest, MediumOf(request));
  ranks.Settle();
  EXPECT_TRUE(ran);
}

TEST_P(MessagesTest, RequestsAreKeptWhileRepliesAreServed) {
  TestRanks ranks(Options(), 2);
  std::map<int32_t, int> requests;
  unsigned replies = 0;
  ranks.SetHandler([&](TestRank&, const am::Incoming& message) {
    message.lane == Lane::kReply ? ++replies : ++requests[message.args[0]];
  });
  const auto poll = [&](bool replies_only) {
    for (int i = 0; i < 200; ++i) {
      ranks[0].Poll(false);
      ranks[1].Poll(replies_only);
    }
  };
  std::array<int32_t, 2> args = {};
  unsigned sent = 0, answers = 0;
  for (int quiet = 0; quiet < 50; ++quiet) {
    args[0] = static_cast<int32_t>(sent);
    if (ranks[0].Send(1, Lane::kRequest, ShortOf(args)) == am::Post::kDone) {
      ++sent;
      quiet = 0;
    }
    // The credit of replies must not wait for the credit of requests.
    for (int i = 0; i < 2; ++i) {
      if (ranks[0].Send(1, Lane::kReply, ShortOf(args)) == am::Post::kDone) {
        ++answers;
      }
      ranks[0].Poll(false);
      ranks[1].Poll(true);
    }
  }
  poll(true);
  EXPECT_TRUE(requests.empty());
  EXPECT_EQ(replies, answers);
  EXPECT_GT(replies, sent);
  EXPECT_EQ(ranks[1].most_kept_frames, sent);
  poll(false);
  EXPECT_EQ(requests.size(), sent);
  for (const auto& [id, times] : requests) EXPECT_EQ(times, 1) << id;
  // The credit of the requests has come back, too.
  unsigned more = 0;
  for (int i = 0; i < 200; ++i) {
    more += Flood(ranks[0], 1, ShortOf(args));
    ranks.PollAll();
  }
  EXPECT_GT(more, sent);
  CheckExpected(ranks);
}

INSTANTIATE_TEST_SUITE_P(Providers, MessagesTest,
                         ::testing::Combine(::testing::ValuesIn(Providers()),
                                            ::testing::Range<uint64_t>(1, 6)),
                         [](const auto& one) {
                           return std::get<0>(one.param).name +
                                  std::to_string(std::get<1>(one.param));
                         });

// Verifies that the fake provider behaves as badly as these tests assume.
TEST(MessagesOverFakeTest, TheProviderIsDifficult) {
  TestRanks ranks(
      {.late = 8, .again = 4, .release_alone = true, .misaligned = true}, 3);
  Mixture(ranks, 1).Run(1500);
  const auto& counts = ranks.fabric().counts();
  EXPECT_GT(counts.again, 100u);
  EXPECT_GT(counts.overtaken, 100u);
  EXPECT_GT(counts.released, 20u);
}

TEST(MessagesOverFakeTest, GrantedOrderIsKept) {
  TestRanks ranks({.late = 8, .order = FI_ORDER_SAS}, 3);
  Mixture(ranks, 1).Run(500);
  EXPECT_EQ(ranks.fabric().counts().overtaken, 0u);
}

// The windows are much larger than the memory for copies of kept requests.
// Small frames that cannot be copied stay in the receive buffers. The receive
// buffers have room for them.
TEST(MessagesOverFakeTest, WhatCannotBeCopiedIsHeld) {
  for (const bool misaligned : {false, true}) {
    testing::FakeFabricOptions options = {.misaligned = misaligned};
    MessageLimits limits = testing::SmallLimits(2, true);
    limits.buffers = 16;
    limits.buffer_bytes = 2 * limits.frame_bytes;
    limits.window = 600;
    TestRanks ranks(options, 2, limits);
    std::map<int32_t, int> heard;
    ranks.SetHandler([&](TestRank&, const am::Incoming& message) {
      ++heard[message.args[0]];
    });
    size_t all_sent = 0;
    for (int round = 0; round < 3; ++round) {
      heard.clear();
      std::array<int32_t, 2> args = {};
      for (int i = 0; i < 3000; ++i) {
        if (ranks[0].Send(1, Lane::kRequest, ShortOf(args)) ==
            am::Post::kDone) {
          ++args[0];
        }
        ranks[0].Poll(false);
        ranks[1].Poll(true);
      }
      EXPECT_TRUE(heard.empty());
      ranks.Settle();
      EXPECT_EQ(heard.size(), static_cast<size_t>(args[0]));
      for (const auto& [id, times] : heard) EXPECT_EQ(times, 1) << id;
      EXPECT_GE(args[0], limits.window / 2);
      all_sent += static_cast<size_t>(args[0]);
    }
    EXPECT_GT(ranks[1].held_frames, 0u);
    EXPECT_LT(ranks[1].held_frames, all_sent) << "others were copied";
    EXPECT_EQ(ranks.fabric().counts().unexpected, 0u);
  }
}

// Credit for a rank that can be reached must not wait for credit for a rank
// that cannot be reached now.
TEST(MessagesOverFakeTest, CreditDoesNotWaitForABlockedPeer) {
  for (const Rank reached : {1, 2}) {
    TestRanks ranks({}, 3);
    ranks.SetHandler([](TestRank&, const am::Incoming&) {});
    const std::vector<std::byte> payload(ranks.limits().whole);
    // Both peers have filled their windows, so rank 0 owes credit to both.
    for (const Rank from : {1, 2}) {
      EXPECT_GT(Flood(ranks[from], 0, MediumOf(payload)), 2u);
      ranks.fabric().Block(ranks[from].endpoint().name(), true);
    }
    for (int i = 0; i < 100; ++i) ranks.PollAll();
    ranks.fabric().Block(ranks[reached].endpoint().name(), false);
    for (int i = 0; i < 100; ++i) ranks.PollAll();
    EXPECT_GT(Flood(ranks[reached], 0, MediumOf(payload)), 0u) << reached;
    // A rank that owes credit must not sleep, because no event would wake it.
    EXPECT_TRUE(ranks[0].messages().IsBehind());
    ranks.fabric().Block(ranks[3 - reached].endpoint().name(), false);
    ranks.Settle();
    EXPECT_FALSE(ranks[0].messages().IsBehind());
  }
}

TEST(MessagesOverFakeTest, WhoIsRefusedMustNotSleep) {
  TestRanks ranks({}, 3);
  ranks.SetHandler([](TestRank&, const am::Incoming&) {});
  const std::array<int32_t, 2> arguments = {1, 2};
  const am::Message message = ShortOf(arguments);
  OfiMessages& messages = ranks[0].messages();
  for (const Rank peer : {1, 2}) {
    ranks.fabric().Block(ranks[peer].endpoint().name(), true);
    EXPECT_EQ(ranks[0].Send(peer, Lane::kRequest, message), am::Post::kRetry);
    EXPECT_EQ(ranks[0].Send(peer, Lane::kRequest, message), am::Post::kRetry);
  }
  EXPECT_TRUE(messages.IsBehind());
  for (const Rank peer : {1, 2}) {
    EXPECT_TRUE(messages.IsBehind());
    ranks.fabric().Block(ranks[peer].endpoint().name(), false);
    EXPECT_EQ(ranks[0].Send(peer, Lane::kRequest, message), am::Post::kDone);
  }
  EXPECT_FALSE(messages.IsBehind());
  // With a full window a rank may sleep, because completions report the credit
  // that comes back.
  Flood(ranks[0], 1, message);
  EXPECT_EQ(ranks[0].Send(1, Lane::kRequest, message), am::Post::kRetry);
  EXPECT_FALSE(messages.IsBehind());
}

// Several threads each run a slow handler of a request. The frames of these
// requests are spread over the buffers. All other frames are finished at once.
TEST(MessagesOverFakeTest, FramesThatStayLeaveRoomForOthers) {
  for (const bool multiple : {true, false}) {
    TestRanks ranks({.multi_receive = multiple}, 2);
    ranks.SetHandler([](TestRank&, const am::Incoming&) {});
    OfiMessages& messages = ranks[1].messages();
    const std::array<int32_t, 2> args = {};
    std::vector<Arrival> staying;
    const size_t most = multiple ? 8 : 2;
    int sent = 0, taken = 0;
    for (int i = 0; i < 20000; ++i) {
      if (sent < 1000 &&
          ranks[0].Send(1, Lane::kRequest, ShortOf(args)) == am::Post::kDone) {
        ++sent;
      }
      ranks[0].Poll();
      fi_cq_data_entry entry;
      fid_cq* const queue = ranks[1].endpoint().queue();
      if (fi_cq_read(queue, &entry, 1) == 1) {
        auto& context = *static_cast<OperationContext*>(entry.op_context);
        if (context.kind == OperationContext::Kind::kSend) {
          messages.Complete(context);
        } else if (const Arrival arrival = messages.Take(entry);
                   arrival.messages > 0) {
          const bool stays = ++taken % 60 == 0 && staying.size() < most;
          stays ? staying.push_back(arrival) : messages.Finish(arrival);
        }
      }
      messages.CatchUp();
    }
    EXPECT_EQ(staying.size(), most);
    EXPECT_EQ(taken, 1000);
    EXPECT_EQ(ranks.fabric().counts().unexpected, 0u);
    for (const Arrival& arrival : staying) messages.Finish(arrival);
  }
}

}  // namespace
}  // namespace gasnet::ofi
