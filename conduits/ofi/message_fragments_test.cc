// Tests of messages of several frames, over the fake fabric.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <vector>

#include "conduits/ofi/frame.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/test_ranks.h"
#include "core/am/fragment.h"
#include "core/am/message.h"
#include "core/am/tuning.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using am::Post;
using testing::MediumOf;
using testing::ShortOf;
using testing::TestRank;
using testing::TestRanks;

// Returns the limits of a job of few ranks.
MessageLimits Usual() { return MessageLimits(1, {}); }

std::vector<std::byte> Payload(size_t nbytes, unsigned seed) {
  std::vector<std::byte> payload(nbytes);
  for (size_t i = 0; i < nbytes; ++i) {
    payload[i] = static_cast<std::byte>(i * 31 + i / 251 + seed);
  }
  return payload;
}

// A fixture. Verifies that each request arrives once and unchanged.
class MessageFragmentsTest : public ::testing::Test {
 protected:
  void Expect(TestRanks& ranks) {
    ranks.SetHandler([this](TestRank&, const am::Incoming& message) {
      const auto* const bytes = static_cast<const std::byte*>(message.payload);
      const std::vector<std::byte> got(bytes, bytes + message.nbytes);
      for (const auto& each : sent_) whole_ += each == got;
      ++handled_;
    });
  }
  // Tries to send a message in one call.
  Post SendAtOnce(TestRanks& ranks, size_t nbytes) {
    sent_.push_back(Payload(nbytes, static_cast<unsigned>(sent_.size())));
    const Post post = ranks[0].Send(1, Lane::kRequest, MediumOf(sent_.back()));
    if (post != Post::kDone) sent_.pop_back();
    return post;
  }
  void CheckAll() const {
    EXPECT_EQ(handled_, sent_.size());
    EXPECT_EQ(whole_, sent_.size());
  }

  std::vector<std::vector<std::byte>> sent_;
  size_t handled_ = 0;
  size_t whole_ = 0;
};

// A send with flag IMMEDIATE must complete in one call. Sends without the flag
// then need only one call, too.
TEST_F(MessageFragmentsTest, TheLargestMediumIsSentInOneCallWhereThereIsRoom) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  for (const size_t nbytes :
       {Usual().whole + 1, size_t{16384}, size_t{65000}, am::kMaxMedium}) {
    EXPECT_EQ(SendAtOnce(ranks, nbytes), Post::kDone) << nbytes;
    ranks.Settle();
  }
  CheckAll();
  EXPECT_EQ(ranks[0].messages().under_way(), 0u);
}

// If a call without a send state cannot send all fragments, it must not send
// any, because no later call would send the rest.
TEST_F(MessageFragmentsTest, WithoutRoomForAllNothingIsSentAtOnce) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  unsigned sent = 0;
  while (SendAtOnce(ranks, am::kMaxMedium) == Post::kDone) ++sent;
  EXPECT_EQ(sent, 1u) << "a window holds one and a half";
  const size_t under_way = ranks[0].messages().under_way();
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kRetry);
  EXPECT_EQ(ranks[0].messages().under_way(), under_way);
  // The remaining room is enough for a smaller message.
  EXPECT_EQ(SendAtOnce(ranks, 16384), Post::kDone);
  ranks.Settle();
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kDone);
  ranks.Settle();
  CheckAll();
}

TEST_F(MessageFragmentsTest, FewSendBuffersAreNoRoom) {
  MessageLimits limits = Usual();
  limits.sends = 7;
  TestRanks ranks({}, 2, limits);
  Expect(ranks);
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kRetry);
  EXPECT_EQ(SendAtOnce(ranks, 7 * limits.whole), Post::kDone);
  ranks.Settle();
  CheckAll();
}

// The provider refuses frames of the message. These frames are posted later.
TEST_F(MessageFragmentsTest, ARefusalDoesNotStopWhatIsSentAtOnce) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  const std::string name = ranks[1].endpoint().name();
  ranks.fabric().Block(name, true);
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kDone);
  for (int i = 0; i < 10; ++i) ranks.PollAll();
  EXPECT_EQ(handled_, 0u);
  // The rank must not sleep, because no event would wake it.
  EXPECT_TRUE(ranks[0].messages().IsBehind());
  EXPECT_TRUE(
      ranks[0].messages().IsUnderWayTo([](Rank rank) { return rank == 1; }));
  EXPECT_EQ(SendAtOnce(ranks, 16384), Post::kRetry);
  ranks.fabric().Block(name, false);
  ranks.Settle();
  EXPECT_EQ(SendAtOnce(ranks, 16384), Post::kDone);
  ranks.Settle();
  EXPECT_FALSE(ranks[0].messages().IsBehind());
  CheckAll();
}

TEST_F(MessageFragmentsTest, WhatIsRefusedForARankThatHasLeftIsForgotten) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  ranks.fabric().Block(ranks[1].endpoint().name(), true);
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kDone);
  ranks[0].messages().ForgetUnsentTo([](Rank) { return false; });
  EXPECT_TRUE(ranks[0].messages().IsBehind());
  ranks[0].messages().ForgetUnsentTo([](Rank rank) { return rank == 1; });
  EXPECT_EQ(ranks[0].messages().under_way(), 0u);
  EXPECT_FALSE(ranks[0].messages().IsBehind());
}

// A second large message must not begin before the first is sent. If both
// lacked credit and the receiver had room for only one, both would wait
// forever.
TEST_F(MessageFragmentsTest, OneIsSentAfterTheOther) {
  TestRanks ranks({}, 2);  // windows of four frames
  Expect(ranks);
  const size_t nbytes = 10 * ranks.limits().whole;
  sent_ = {Payload(nbytes, 1), Payload(nbytes, 2)};
  std::array<size_t, 2> posted = {};
  const auto send = [&](size_t which) {
    return ranks[0].Send(1, Lane::kRequest, MediumOf(sent_[which]),
                         &posted[which]);
  };
  EXPECT_EQ(send(0), Post::kRetry);
  EXPECT_GT(posted[0], 0u);
  EXPECT_EQ(send(1), Post::kRetry);
  for (int i = 0; i < 20; ++i) ranks.PollAll();
  EXPECT_EQ(send(1), Post::kRetry);
  EXPECT_EQ(posted[1], 0u);
  // Small messages, and large messages of the other lane, may overtake the
  // large message.
  const std::array<int32_t, 2> args = {};
  EXPECT_EQ(ranks[0].Send(1, Lane::kRequest, ShortOf(args)), Post::kDone);
  size_t other = 0;
  ranks[0].Send(1, Lane::kReply, MediumOf(sent_[1]), &other);
  EXPECT_GT(other, 0u);
  while (send(0) == Post::kRetry) ranks.PollAll();
  while (send(1) == Post::kRetry) ranks.PollAll();
  while (ranks[0].Send(1, Lane::kReply, MediumOf(sent_[1]), &other) ==
         Post::kRetry) {
    ranks.PollAll();
  }
  ranks.Settle();
  EXPECT_EQ(handled_, 4u);
  EXPECT_EQ(whole_, 3u);
}

// The credit of a fragment comes back once the fragment's bytes are copied,
// even if no handler has run.
TEST_F(MessageFragmentsTest, RequestsAreKeptWhileRepliesAreServed) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  constexpr size_t kMany = 20;
  for (size_t i = 0; i < kMany; ++i) {
    sent_.push_back(Payload(am::kMaxMedium, static_cast<unsigned>(i)));
    size_t posted = 0;
    while (ranks[0].Send(1, Lane::kRequest, MediumOf(sent_.back()), &posted) ==
           Post::kRetry) {
      ranks[0].Poll();
      ranks[1].Poll(/*replies_only=*/true);
    }
  }
  for (int i = 0; i < 200; ++i) {
    ranks[0].Poll();
    ranks[1].Poll(/*replies_only=*/true);
  }
  EXPECT_EQ(handled_, 0u);
  ranks.Settle();
  CheckAll();
}

// At most 16 MiB can be assembled and kept. After that the sender waits until
// handlers have run.
TEST_F(MessageFragmentsTest, WhatIsKeptIsBounded) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  const std::vector<std::byte> payload = Payload(am::kMaxMedium, 1);
  unsigned done = 0;
  size_t posted = 0;
  for (int quiet = 0; quiet < 200; ++quiet) {
    if (ranks[0].Send(1, Lane::kRequest, MediumOf(payload), &posted) ==
        Post::kDone) {
      posted = 0;
      ++done;
      quiet = 0;
    }
    ranks[0].Poll();
    ranks[1].Poll(/*replies_only=*/true);
  }
  EXPECT_GE(done, am::kAssemblyBytes / am::kMaxMedium - 2);
  EXPECT_LE(done, am::kAssemblyBytes / am::kMaxMedium + 3);
  EXPECT_EQ(handled_, 0u);
  while (ranks[0].Send(1, Lane::kRequest, MediumOf(payload), &posted) ==
         Post::kRetry) {
    ranks.PollAll();
  }
  ranks.Settle();
  EXPECT_EQ(handled_, done + 1);
}

// If no rank of the job has sent a frame, no part of the frame may be used.
TEST_F(MessageFragmentsTest, AForgedFragmentIsDropped) {
  TestRanks ranks({}, 2, Usual());
  Expect(ranks);
  const std::vector<std::byte> payload = Payload(16384, 1);
  std::vector<std::byte> frame(4096);
  FrameHeader{testing::kTestCookie, 0}.Encode(frame.data());
  const size_t end =
      am::EncodeFragment(frame.data(), kFrameHeaderBytes, MediumOf(payload),
                         {.number = 1, .offset = 0, .length = 1000});
  const auto intrude = [&](size_t bytes) {
    ranks.fabric().Intrude(ranks[1].endpoint().name(),
                           {frame.begin(), frame.begin() + bytes});
    ranks.Settle();
  };
  intrude(end - 1);
  frame[kFrameHeaderBytes + 15] = std::byte{255};
  intrude(end);
  EXPECT_EQ(SendAtOnce(ranks, am::kMaxMedium), Post::kDone);
  ranks.Settle();
  CheckAll();
}

}  // namespace
}  // namespace gasnet::ofi
