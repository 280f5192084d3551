#include "core/datagram/packet.h"

#include <cstring>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Category;
using Result = RecordReader::Result;

// Memory as a port has it.
struct Buffer {
  alignas(16) std::byte bytes[2048] = {};
  MutableBytes First(size_t n) { return {bytes, n}; }
};

const Header kHeader{.counter = 0x0102030405060708,
                     .source = 9,
                     .target = 10,
                     .lane = am::Lane::kReply,
                     .flags = kAckNow | kProbe,
                     .window = 77,
                     .sequence = 5,
                     .acks = {Acks{1, 2}, Acks{3, 4}}};

TEST(PacketTest, HeaderSurvivesTheWire) {
  Buffer packet;
  EncodeHeader(kHeader, packet.bytes);
  Header header;
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
  Header header;
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

TEST(RecordTest, EveryShapeOfMessageSurvivesInOnePacket) {
  int32_t args[am::kMaxArgs];
  for (int i = 0; i < 16; ++i) args[i] = i * 1000 - 3;
  unsigned char payload[300];
  for (size_t i = 0; i < sizeof(payload); ++i) {
    payload[i] = static_cast<unsigned char>(i);
  }
  for (unsigned category = 0; category < 3; ++category) {
    for (uint8_t num_args = 0; num_args <= am::kMaxArgs; ++num_args) {
      Buffer packet;
      const am::Message message{.category = static_cast<Category>(category),
                                .handler = 200,
                                .num_args = num_args,
                                .args = args,
                                .payload = payload,
                                .nbytes = category == 0 ? 0u : 299u,
                                .dest_addr = payload};
      size_t end = kHeaderBytes;
      for (int i = 0; i < 3; ++i) {
        end = EncodeMessage(packet.bytes, end, message);
        EXPECT_EQ(end % 8, 0u);
      }
      RecordReader reader(packet.First(end));
      for (int i = 0; i < 3; ++i) {
        Record record;
        ASSERT_EQ(reader.Next(record), Result::kRecord);
        EXPECT_EQ(record.category, message.category);
        EXPECT_FALSE(record.is_fragment);
        EXPECT_EQ(record.handler, 200);
        EXPECT_EQ(record.num_args, num_args);
        EXPECT_EQ(record.nbytes, message.nbytes);
        EXPECT_EQ(std::memcmp(record.args, args, size_t{4} * num_args), 0);
        EXPECT_EQ(std::memcmp(record.payload, payload, message.nbytes), 0);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(record.payload) % 16, 0u);
        if (record.category == Category::kLong) {
          EXPECT_EQ(record.address, reinterpret_cast<uintptr_t>(payload));
        }
      }
      Record record;
      EXPECT_EQ(reader.Next(record), Result::kEnd);
    }
  }
}

TEST(RecordTest, FragmentsKnowTheirPlace) {
  Buffer packet;
  std::vector<unsigned char> payload(5000);
  for (size_t i = 0; i < payload.size(); ++i) {
    payload[i] = static_cast<unsigned char>(i * 3);
  }
  const am::Message message{.category = Category::kMedium,
                            .handler = 1,
                            .payload = payload.data(),
                            .nbytes = payload.size()};
  const size_t end = EncodeFragment(packet.bytes, kHeaderBytes, message,
                                    {.number = 8, .offset = 64, .length = 100});
  Record record;
  RecordReader reader(packet.First(end));
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  EXPECT_TRUE(record.is_fragment);
  EXPECT_EQ(record.nbytes, 5000u);
  EXPECT_EQ(record.fragment.number, 8u);
  EXPECT_EQ(record.fragment.offset, 64u);
  EXPECT_EQ(record.fragment.length, 100u);
  EXPECT_EQ(std::memcmp(record.payload, payload.data() + 64, 100), 0);
}

// A record with one byte changed.
Result ReadChanged(size_t at, unsigned value, size_t size = 0) {
  static const unsigned char payload[40] = {};
  Buffer packet;
  size_t end = EncodeFragment(
      packet.bytes, kHeaderBytes,
      {.category = Category::kMedium, .payload = payload, .nbytes = 40},
      {.number = 1, .offset = 8, .length = 32});
  if (size != 0) end = size;
  packet.bytes[kHeaderBytes + at] = static_cast<std::byte>(value);
  Record record;
  return RecordReader(packet.First(end)).Next(record);
}

TEST(RecordTest, WrongRecordsAreRefused) {
  EXPECT_EQ(ReadChanged(3, 0), Result::kRecord) << "as it was";
  EXPECT_EQ(ReadChanged(0, 7), Result::kMalformed) << "category 3";
  EXPECT_EQ(ReadChanged(0, 0x15), Result::kMalformed) << "unknown flag";
  EXPECT_EQ(ReadChanged(2, 17), Result::kMalformed) << "17 arguments";
  EXPECT_EQ(ReadChanged(6, 2), Result::kMalformed) << "longer than any Medium";
  EXPECT_EQ(ReadChanged(4, 39), Result::kMalformed) << "beyond the message";
  EXPECT_EQ(ReadChanged(15, 255), Result::kMalformed)
      << "offset + length wraps";
  EXPECT_EQ(ReadChanged(16, 0), Result::kMalformed) << "empty fragment";
  EXPECT_EQ(ReadChanged(16, 33), Result::kMalformed) << "longer than it is";
  for (size_t size = kHeaderBytes + 1; size < kHeaderBytes + 56; ++size) {
    EXPECT_EQ(ReadChanged(3, 0, size), Result::kMalformed) << size;
  }
}

TEST(RecordTest, NothingIsBehindPadding) {
  const int32_t args[] = {5, 6};
  const am::Message message{.handler = 9, .num_args = 2, .args = args};
  Buffer packet;
  const size_t end = EncodeMessage(packet.bytes, kHeaderBytes, message);
  for (const size_t padding : {1, 7, 8, 100}) {
    EncodeMessage(packet.bytes, end, message);
    EncodePadding(packet.bytes, end, end + padding);
    RecordReader reader(packet.First(end + padding));
    Record record;
    ASSERT_EQ(reader.Next(record), Result::kRecord) << padding;
    EXPECT_EQ(record.args[1], 6);
    EXPECT_EQ(reader.Next(record), Result::kEnd) << padding;
  }
}

// Their ends need not be aligned.
TEST(RecordTest, FragmentsCanBePadded) {
  const std::byte payload[33] = {};
  const am::Message message{.category = Category::kMedium,
                            .payload = payload,
                            .nbytes = sizeof(payload)};
  Buffer packet;
  const size_t end =
      EncodeFragment(packet.bytes, kHeaderBytes, message, {.length = 33});
  EncodePadding(packet.bytes, end, end + 40);
  RecordReader reader(packet.First(end + 40));
  Record record;
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  EXPECT_EQ(record.fragment.length, 33u);
  EXPECT_EQ(reader.Next(record), Result::kEnd);
}

// A piece with these bytes behind what the reader of records must refuse.
size_t MakePiece(const Piece& piece, Buffer& packet) {
  EncodeHeader(kHeader, packet.bytes);
  EncodePieceHead(piece, packet.bytes);
  std::memcpy(packet.bytes + kPieceHeadBytes, piece.bytes.data(),
              piece.bytes.size());
  return kPieceHeadBytes + piece.bytes.size();
}

TEST(PieceTest, SurvivesTheWireAndIsNoRecord) {
  const std::vector<std::byte> bytes(100, std::byte{7});
  Buffer packet;
  const size_t size = MakePiece({5000, 1104, bytes}, packet);
  Piece piece;
  ASSERT_TRUE(DecodePiece(packet.First(size), piece));
  EXPECT_EQ(piece.total, 5000u);
  EXPECT_EQ(piece.offset, 1104u);
  ASSERT_EQ(piece.bytes.size(), bytes.size());
  EXPECT_EQ(piece.bytes.data(), packet.bytes + kPieceHeadBytes);
  Record record;
  EXPECT_EQ(RecordReader(packet.First(size)).Next(record), Result::kMalformed);
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
  EncodeHeader(kHeader, packet.bytes);
  const size_t end = EncodeMessage(packet.bytes, kHeaderBytes,
                                   {.category = Category::kMedium,
                                    .payload = bytes.data(),
                                    .nbytes = bytes.size()});
  EXPECT_FALSE(DecodePiece(packet.First(end), piece));
}

TEST(RecordTest, RandomBytesNeverPointOutside) {
  std::mt19937_64 random(1);
  unsigned records = 0;
  for (int round = 0; round < 300'000; ++round) {
    Buffer packet;
    const size_t size = kHeaderBytes + random() % 200;
    for (size_t at = kHeaderBytes; at < size; ++at) {
      // Small numbers get further than large ones.
      packet.bytes[at] =
          static_cast<std::byte>(random() % 3 == 0 ? random() % 32 : 0);
    }
    RecordReader reader(packet.First(size));
    for (Record record; reader.Next(record) == Result::kRecord; ++records) {
      ASSERT_LE(record.payload + record.fragment.length, packet.bytes + size);
      ASSERT_LE(reinterpret_cast<const std::byte*>(record.args) +
                    size_t{4} * record.num_args,
                packet.bytes + size);
    }
  }
  EXPECT_GT(records, 1000u);
}

}  // namespace
}  // namespace gasnet::datagram
