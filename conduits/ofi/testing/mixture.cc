#include "conduits/ofi/testing/mixture.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace gasnet::ofi::testing {
namespace {

// The maximum number of fragments of a message. A window holds fewer frames.
constexpr uint32_t kMaxFragments = 7;

std::byte ByteOf(int32_t id, size_t at) {
  return static_cast<std::byte>(static_cast<size_t>(id) * 31 + at * 7);
}

}  // namespace

Mixture::Mixture(TestRanks& ranks, uint64_t seed)
    : ranks_(ranks), random_(seed) {
  ranks_.SetHandler([this](TestRank& at, const am::Incoming& message) {
    Handle(at, message);
  });
}

void Mixture::Run(int messages) {
  for (int i = 0; i < messages; ++i) {
    const Rank from = Below(ranks_.size());
    const Rank to = (from + 1 + Below(ranks_.size() - 1)) % ranks_.size();
    SendOne(from, to, am::Lane::kRequest, i % 2);
    if (Below(3) == 0) ranks_.PollAll();
  }
  ranks_.Settle();
}

void Mixture::Check() const {
  for (const auto& [id, times] : heard_) {
    ASSERT_EQ(times, 1) << "message " << id;
  }
  EXPECT_EQ(heard_.size(), static_cast<size_t>(sent_));
}

// Sends a message. Its arguments are its number, its sender, 1 if an answer is
// wanted or else 0, and its number again a random number of times. The payload
// depends on the number.
void Mixture::SendOne(Rank from, Rank to, am::Lane lane, int32_t answered) {
  const int32_t id = sent_++;
  std::array<int32_t, am::kMaxArgs> args;
  args.fill(id);
  args[1] = static_cast<int32_t>(from);
  args[2] = answered;
  // One message in eight may be larger than a frame. Such a message is sent in
  // fragments.
  const auto whole = static_cast<uint32_t>(ranks_.limits().whole);
  std::vector<std::byte> payload(
      Below((Below(8) == 0 ? kMaxFragments : 1) * whole + 1));
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = ByteOf(id, i);
  am::Message message = {.category = static_cast<am::Category>(Below(3)),
                         .handler = kTestHandler,
                         .num_args = static_cast<uint8_t>(3 + Below(14)),
                         .args = args.data()};
  if (message.category != am::Category::kShort) {
    message.payload = payload.data();
    message.nbytes = payload.size();
  }
  // Each Long has its own destination.
  if (message.category == am::Category::kLong) {
    message.dest_addr = &ranks_[to].memory()[(id % 256) * 4096];
  }
  heard_[id] = 0;
  ranks_.SendPatiently(ranks_[from], to, lane, message);
}

void Mixture::Handle(TestRank& at, const am::Incoming& message) {
  ASSERT_GE(message.num_args, 3);
  const int32_t id = message.args[0];
  ASSERT_TRUE(heard_.contains(id));
  ++heard_[id];
  EXPECT_EQ(static_cast<int32_t>(message.source), message.args[1]);
  for (unsigned i = 3; i < message.num_args; ++i) {
    ASSERT_EQ(message.args[i], id);
  }
  const auto* const bytes = static_cast<const std::byte*>(message.payload);
  if (message.nbytes > 0) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 16, 0u);
  }
  for (size_t i = 0; i < message.nbytes; ++i) {
    ASSERT_EQ(bytes[i], ByteOf(id, i));
  }
  if (message.args[2] != 0) {
    SendOne(at.me(), message.source, am::Lane::kReply, 0);
  }
}

}  // namespace gasnet::ofi::testing
