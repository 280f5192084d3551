#include "core/datagram/packet.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

// Memory with the same alignment as a port's.
struct Buffer {
  alignas(16) std::byte bytes[2048] = {};
  MutableBytes First(size_t n) { return {bytes, n}; }
};

const PacketHeader kHeader{.counter = 0x0102030405060708,
                           .source = 9,
                           .target = 10,
                           .lane = Lane::kReply,
                           .flags = kAckNow | kProbe,
                           .window = 77,
                           .sequence = 5,
                           .acks = {Acks{1, 2}, Acks{3, 4}}};

TEST(PacketTest, HeaderSurvivesTheWire) {
  Buffer packet;
  EncodeHeader(kHeader, packet.bytes);
  PacketHeader header;
  ASSERT_TRUE(DecodeHeader(packet.First(kHeaderBytes + 8), header));
  EXPECT_EQ(header, kHeader);
}

TEST(PacketTest, NumbersAreLittleEndianAtTheirPlaces) {
  Buffer packet;
  EncodeHeader(kHeader, packet.bytes);
  EXPECT_EQ(packet.bytes[16], std::byte{8}) << "counter";
  EXPECT_EQ(packet.bytes[23], std::byte{1});
  EXPECT_EQ(packet.bytes[24], std::byte{9}) << "source";
  EXPECT_EQ(packet.bytes[26], std::byte{10}) << "target";
  EXPECT_EQ(packet.bytes[28], std::byte{1}) << "lane";
  EXPECT_EQ(packet.bytes[30], std::byte{77}) << "window";
  EXPECT_EQ(packet.bytes[32], std::byte{5}) << "sequence";
  EXPECT_EQ(packet.bytes[40], std::byte{1}) << "cumulative, requests";
  EXPECT_EQ(packet.bytes[64], std::byte{4}) << "behind, replies";
}

TEST(PacketTest, BadHeadersAreRefused) {
  Buffer packet;
  EncodeHeader(kHeader, packet.bytes);
  PacketHeader header;
  for (size_t size = 0; size < kHeaderBytes; ++size) {
    EXPECT_FALSE(DecodeHeader(packet.First(size), header)) << size;
  }
  EXPECT_FALSE(DecodeHeader(packet.First(kHeaderBytes), header))
      << "a sequence number without records";
  packet.bytes[32] = std::byte{0};
  EXPECT_TRUE(DecodeHeader(packet.First(kHeaderBytes), header));
  EXPECT_FALSE(DecodeHeader(packet.First(kHeaderBytes + 8), header))
      << "records without a sequence number";
  packet.bytes[28] = std::byte{2};
  EXPECT_FALSE(DecodeHeader(packet.First(kHeaderBytes), header)) << "lane 2";
  packet.bytes[28] = std::byte{0};
  packet.bytes[29] = std::byte{32};
  EXPECT_FALSE(DecodeHeader(packet.First(kHeaderBytes), header)) << "flag 32";
}

TEST(AcksTest, CoverExactlyWhatTheySay) {
  const Acks acks{10, 0b110};
  for (const uint64_t sequence : {1u, 10u, 12u, 13u}) {
    EXPECT_TRUE(acks.Covers(sequence)) << sequence;
  }
  for (const uint64_t sequence : {11u, 14u, 74u, 75u, 1000u}) {
    EXPECT_FALSE(acks.Covers(sequence)) << sequence;
  }
  EXPECT_TRUE((Acks{0, uint64_t{1} << 63}).Covers(64));
}

size_t MakePiece(const Piece& piece, Buffer& packet) {
  EncodeHeader(kHeader, packet.bytes);
  EncodePieceHead(piece, packet.bytes);
  std::memcpy(packet.bytes + kPieceHeadBytes, piece.bytes.data(),
              piece.bytes.size());
  return kPieceHeadBytes + piece.bytes.size();
}

TEST(PieceTest, SurvivesTheWire) {
  const std::vector<std::byte> bytes(100, std::byte{7});
  Buffer packet;
  const size_t size = MakePiece({5000, 1104, bytes}, packet);
  Piece piece;
  EXPECT_TRUE(IsPiece(packet.First(size)));
  ASSERT_TRUE(DecodePiece(packet.First(size), piece));
  EXPECT_EQ(piece.total, 5000u);
  EXPECT_EQ(piece.offset, 1104u);
  ASSERT_EQ(piece.bytes.size(), bytes.size());
  EXPECT_EQ(piece.bytes.data(), packet.bytes + kPieceHeadBytes);
}

TEST(PieceTest, OtherContentsAreNone) {
  Buffer packet;
  EncodeHeader(kHeader, packet.bytes);
  EXPECT_FALSE(IsPiece(packet.First(kHeaderBytes)));
  for (const unsigned first : {0u, 1u, 8u, 17u, 48u}) {
    packet.bytes[kHeaderBytes] = static_cast<std::byte>(first);
    EXPECT_FALSE(IsPiece(packet.First(kHeaderBytes + 100))) << first;
  }
}

TEST(PacketTest, PaddingFillsTheRest) {
  Buffer packet;
  std::memset(packet.bytes, 0xee, sizeof(packet.bytes));
  EncodePadding(packet.bytes, 100, 120);
  EXPECT_EQ(packet.bytes[99], std::byte{0xee});
  EXPECT_EQ(packet.bytes[100], kPadding);
  for (size_t at = 101; at < 120; ++at) {
    EXPECT_EQ(packet.bytes[at], std::byte{0}) << at;
  }
  EXPECT_EQ(packet.bytes[120], std::byte{0xee});
}

TEST(PieceTest, WhatIsNoneOrReachesTooFarIsRefused) {
  const std::vector<std::byte> bytes(100);
  Buffer packet;
  Piece piece;
  const size_t size = MakePiece({200, 100, bytes}, packet);
  EXPECT_TRUE(DecodePiece(packet.First(size), piece));
  EXPECT_FALSE(DecodePiece(packet.First(size + 1), piece));
  for (size_t less = kHeaderBytes; less <= kPieceHeadBytes; ++less) {
    EXPECT_FALSE(DecodePiece(packet.First(less), piece)) << less;
  }
  for (const uint32_t offset : {101u, 200u, 201u, 0xffffffffu}) {
    MakePiece({200, offset, bytes}, packet);
    EXPECT_FALSE(DecodePiece(packet.First(size), piece)) << offset;
  }
  for (const size_t at : {size_t{0}, size_t{1}, size_t{3}, size_t{13}}) {
    MakePiece({200, 100, bytes}, packet);
    packet.bytes[kHeaderBytes + at] ^= std::byte{1};
    EXPECT_FALSE(DecodePiece(packet.First(size), piece)) << at;
  }
}

}  // namespace
}  // namespace gasnet::datagram
