#include "core/datagram/pieces.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kSmallest = 1200;
constexpr size_t kLargest = 8928;
constexpr size_t kEach = PieceBytes(kSmallest);

// Returns the `total` content bytes of a packet. The bytes differ from piece to
// piece.
std::vector<std::byte> Records(size_t total) {
  std::vector<std::byte> bytes(total);
  for (size_t i = 0; i < total; ++i) {
    bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  }
  return bytes;
}

Piece PieceOf(const std::vector<std::byte>& records, size_t index) {
  const size_t offset = index * kEach;
  const size_t length = std::min(kEach, records.size() - offset);
  return {static_cast<uint32_t>(records.size()), static_cast<uint32_t>(offset),
          ConstBytes(records).subspan(offset, length)};
}

class PieceStoreTest : public ::testing::Test {
 protected:
  JoinedPacket* Add(Rank source, uint64_t sequence, const Piece& piece,
                    bool first = true) {
    EXPECT_TRUE(store_.IsSound(piece));
    JoinedPacket* const packet = store_.Find(source, sequence, piece, first);
    if (packet != nullptr) packet->Add(piece);
    return packet;
  }

  PieceStore store_{kSmallest, kLargest, 0};
};

TEST_F(PieceStoreTest, JoinsInAnyOrderAndHoweverOften) {
  const auto records = Records(5000);
  JoinedPacket* packet = nullptr;
  for (const size_t index : {3u, 0u, 3u, 3u, 4u, 1u, 0u}) {
    packet = Add(4, 9, PieceOf(records, index));
    ASSERT_NE(packet, nullptr);
    EXPECT_FALSE(packet->IsComplete());
  }
  packet = Add(4, 9, PieceOf(records, 2));
  ASSERT_TRUE(packet->IsComplete());
  store_.Detach(packet);
  EXPECT_EQ(packet->source(), 4u);
  EXPECT_EQ(packet->sequence(), 9u);
  const MutableBytes whole = packet->packet();
  ASSERT_EQ(whole.size(), kHeaderBytes + records.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(whole.data()) % kDatagramAlignment, 0u);
  EXPECT_EQ(
      std::memcmp(whole.data() + kHeaderBytes, records.data(), records.size()),
      0);
  EXPECT_GT(store_.used(), 0u);
  store_.Release(packet);
  EXPECT_EQ(store_.used(), 0u);
}

TEST_F(PieceStoreTest, KeepsPacketsApart) {
  const auto one = Records(2000);
  const auto other = Records(2001);
  EXPECT_FALSE(Add(1, 5, PieceOf(one, 0))->IsComplete());
  EXPECT_FALSE(Add(1, 6, PieceOf(one, 1))->IsComplete());
  EXPECT_FALSE(Add(2, 5, PieceOf(one, 1))->IsComplete());
  EXPECT_EQ(Add(1, 5, PieceOf(other, 1)), nullptr) << "of another size";
  EXPECT_TRUE(Add(1, 5, PieceOf(one, 1))->IsComplete());
}

TEST_F(PieceStoreTest, OnlyWhatTheSmallestDatagramsCarryIsSound) {
  const auto records = Records(3 * kEach);
  const ConstBytes all(records);
  const auto total = static_cast<uint32_t>(records.size());
  EXPECT_TRUE(store_.IsSound({total, 0, all.first(kEach)}));
  EXPECT_TRUE(store_.IsSound({total, 2 * kEach, all.first(kEach)}));
  EXPECT_FALSE(store_.IsSound({total, 0, all.first(kEach - 1)}));
  EXPECT_FALSE(store_.IsSound({total, 0, all.first(kEach + 1)}));
  EXPECT_FALSE(store_.IsSound({total, 16, all.first(kEach)}));
  EXPECT_FALSE(store_.IsSound({total, total, all.first(kEach)}));
  EXPECT_FALSE(store_.IsSound({total - 1, 2 * kEach, all.first(kEach)}));
  EXPECT_TRUE(store_.IsSound({total - 1, 2 * kEach, all.first(kEach - 1)}));
  constexpr auto kMax = static_cast<uint32_t>(kLargest - kHeaderBytes);
  EXPECT_TRUE(store_.IsSound({kMax, 0, all.first(kEach)}));
  EXPECT_FALSE(store_.IsSound({kMax + 1, 0, all.first(kEach)}));
}

// The first missing packet finds room, no matter how many later ones are
// stored.
TEST_F(PieceStoreTest, WhatIsMissingFirstFindsRoom) {
  const auto records = Records(kLargest - kHeaderBytes);
  uint64_t sequence = 2;
  while (Add(1, sequence, PieceOf(records, 0), false) != nullptr) {
    ASSERT_LT(++sequence, 1000u);
  }
  EXPECT_GT(sequence, 2u);
  JoinedPacket* first = nullptr;
  for (size_t i = 0; i * kEach < records.size(); ++i) {
    first = Add(1, 1, PieceOf(records, i), true);
    ASSERT_NE(first, nullptr);
  }
  EXPECT_TRUE(first->IsComplete());
  EXPECT_EQ(Add(1, sequence, PieceOf(records, 0), false), nullptr);
  uint64_t others = 2;
  while (Add(static_cast<Rank>(others), 1, PieceOf(records, 0), true)) {
    ASSERT_LT(++others, 1000u) << "it has a bound";
  }
}

TEST_F(PieceStoreTest, ForgettingMakesRoom) {
  const auto records = Records(kLargest - kHeaderBytes);
  uint64_t sequence = 1;
  while (Add(1, sequence, PieceOf(records, 0)) != nullptr) ++sequence;
  store_.ForgetIf([](const JoinedPacket& packet) {
    return packet.source() == 1 && packet.sequence() == 1;
  });
  EXPECT_NE(Add(1, sequence, PieceOf(records, 0)), nullptr);
  EXPECT_EQ(Add(1, sequence + 1, PieceOf(records, 0)), nullptr);
  store_.ForgetIf([](const JoinedPacket&) { return true; });
  EXPECT_EQ(store_.used(), 0u);
}

}  // namespace
}  // namespace gasnet::datagram
