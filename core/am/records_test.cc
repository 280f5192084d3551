#include "core/am/records.h"

#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

using Result = RecordReader::Result;

// The size of a network's header in front of the records.
constexpr size_t kBegin = 24;

struct Frame {
  alignas(16) std::byte bytes[2048] = {};
  std::span<std::byte> First(size_t n) { return {bytes, n}; }
};

TEST(RecordsTest, APayloadIsGatheredInItsPlace) {
  class Source : public GatherSource {
    void GatherTo(std::byte* to) const override { std::memset(to, 'g', 70); }
  };
  const Source source;
  const Message message{.category = Category::kMedium,
                        .payload = "not this",
                        .nbytes = 70,
                        .gather = &source};
  Frame frame;
  const size_t end = EncodeMessage(frame.bytes, kBegin, message);
  RecordReader reader(frame.First(end), kBegin);
  Record record;
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  ASSERT_EQ(record.nbytes, 70u);
  const std::string_view payload(reinterpret_cast<const char*>(record.payload),
                                 70);
  EXPECT_EQ(payload, std::string(70, 'g'));
  EXPECT_EQ(reader.Next(record), Result::kEnd);
}

TEST(RecordsTest, EveryShapeOfMessageSurvivesInOneFrame) {
  int32_t args[kMaxArgs];
  for (int i = 0; i < 16; ++i) args[i] = i * 1000 - 3;
  unsigned char payload[300];
  for (size_t i = 0; i < sizeof(payload); ++i) {
    payload[i] = static_cast<unsigned char>(i);
  }
  for (unsigned category = 0; category < 3; ++category) {
    for (uint8_t num_args = 0; num_args <= kMaxArgs; ++num_args) {
      Frame frame;
      const Message message{.category = static_cast<Category>(category),
                            .handler = 200,
                            .num_args = num_args,
                            .args = args,
                            .payload = payload,
                            .nbytes = category == 0 ? 0u : 299u,
                            .dest_addr = payload};
      size_t end = kBegin;
      for (int i = 0; i < 3; ++i) {
        end = EncodeMessage(frame.bytes, end, message);
        EXPECT_EQ(end % 8, 0u);
      }
      RecordReader reader(frame.First(end), kBegin);
      for (int i = 0; i < 3; ++i) {
        Record record;
        ASSERT_EQ(reader.Next(record), Result::kRecord);
        EXPECT_EQ(record.category, message.category);
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

TEST(RecordsTest, EveryPairOfEndpointsIsNamed) {
  const int32_t args[kMaxArgs] = {};
  for (unsigned endpoint = 0; endpoint < kMaxEndpoints; ++endpoint) {
    for (unsigned across = 0; across < kMaxEndpoints; ++across) {
      Frame frame;
      const size_t end =
          EncodeMessage(frame.bytes, kBegin,
                        {.handler = 200,
                         .num_args = kMaxArgs,
                         .across = static_cast<EndpointIndex>(across),
                         .endpoint = static_cast<EndpointIndex>(endpoint),
                         .args = args});
      Record record;
      ASSERT_EQ(RecordReader(frame.First(end), kBegin).Next(record),
                Result::kRecord);
      EXPECT_EQ(record.endpoint, endpoint);
      EXPECT_EQ(record.across, across);
      EXPECT_EQ(record.num_args, kMaxArgs);
    }
  }
}

TEST(RecordsTest, NumbersAreLittleEndianAtTheirPlaces) {
  const int32_t args[] = {7};
  const std::byte payload[300] = {};
  Frame frame;
  EncodeMessage(frame.bytes, kBegin,
                {.category = Category::kLong,
                 .handler = 5,
                 .num_args = 1,
                 .across = 31,
                 .endpoint = 9,
                 .args = args,
                 .payload = payload,
                 .nbytes = 0x10b,
                 .dest_addr = reinterpret_cast<void*>(0x0102)});
  const std::byte* const record = frame.bytes + kBegin;
  EXPECT_EQ(record[0], std::byte{2}) << "category";
  EXPECT_EQ(record[1], std::byte{5}) << "handler";
  EXPECT_EQ(record[2], std::byte{0x21}) << "arguments, and of the endpoint";
  EXPECT_EQ(record[3], std::byte{0x7d}) << "the rest of it, and the sender's";
  EXPECT_EQ(record[4], std::byte{0x0b}) << "length";
  EXPECT_EQ(record[5], std::byte{1});
  EXPECT_EQ(record[8], std::byte{2}) << "address";
  EXPECT_EQ(record[16], std::byte{7}) << "argument";
}

// Former contents of the buffer must not leave the process.
TEST(RecordsTest, WhatIsInBetweenIsZero) {
  const std::byte payload[3] = {std::byte{9}, std::byte{9}, std::byte{9}};
  Frame frame;
  std::memset(frame.bytes, 0xee, sizeof(frame.bytes));
  const size_t end = EncodeMessage(
      frame.bytes, kBegin,
      {.category = Category::kMedium, .payload = payload, .nbytes = 3});
  for (size_t at = kBegin + 8; at < end; ++at) {
    EXPECT_NE(frame.bytes[at], std::byte{0xee}) << at;
  }
  EXPECT_EQ(frame.bytes[end], std::byte{0xee});
}

// Reads a frame with one record that has a payload of 40 bytes. Byte `at` of
// the record is replaced by `value`. `size` cuts the frame short unless it is
// 0.
Result ReadChanged(size_t at, unsigned value, size_t size = 0) {
  static const unsigned char payload[40] = {};
  Frame frame;
  const size_t end = EncodeMessage(
      frame.bytes, kBegin,
      {.category = Category::kMedium, .payload = payload, .nbytes = 40});
  frame.bytes[kBegin + at] = static_cast<std::byte>(value);
  Record record;
  return RecordReader(frame.First(size != 0 ? size : end), kBegin).Next(record);
}

TEST(RecordsTest, WrongRecordsAreRefused) {
  EXPECT_EQ(ReadChanged(3, 0), Result::kRecord) << "as it was";
  EXPECT_EQ(ReadChanged(0, 0), Result::kMalformed) << "a Short of 40 bytes";
  EXPECT_EQ(ReadChanged(0, 3), Result::kMalformed) << "category 3";
  for (const unsigned bit : {4u, 16u, 32u, 64u, 128u}) {
    EXPECT_EQ(ReadChanged(0, 1 | bit), Result::kMalformed) << bit;
  }
  EXPECT_EQ(ReadChanged(2, 17), Result::kMalformed) << "17 arguments";
  EXPECT_EQ(ReadChanged(3, 127), Result::kRecord) << "of another endpoint";
  EXPECT_EQ(ReadChanged(3, 128), Result::kMalformed) << "more than there are";
  EXPECT_EQ(ReadChanged(4, 41), Result::kMalformed) << "beyond the frame";
  EXPECT_EQ(ReadChanged(7, 255), Result::kMalformed) << "4 GB beyond it";
  for (size_t size = kBegin + 1; size < kBegin + 48; ++size) {
    EXPECT_EQ(ReadChanged(3, 0, size), Result::kMalformed) << size;
  }
}

TEST(RecordsTest, APayloadMayHaveGoneAhead) {
  const int32_t args[] = {5, 6};
  std::byte target[8];
  Frame frame;
  const Message message{.category = Category::kLong,
                        .handler = 9,
                        .num_args = 2,
                        .payload_sent = true,
                        .args = args,
                        .nbytes = size_t{1} << 30,
                        .dest_addr = target};
  EXPECT_EQ(RecordLayout::Of(kBegin, message).end, kBegin + 24);
  const size_t end = EncodeMessage(frame.bytes, kBegin, message);
  EXPECT_EQ(end, kBegin + 24);
  EncodeMessage(frame.bytes, end, {.handler = 3});
  RecordReader reader(frame.First(end + 8), kBegin);
  Record record;
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  EXPECT_TRUE(record.payload_sent);
  EXPECT_EQ(record.nbytes, 1u << 30);
  EXPECT_EQ(record.address, reinterpret_cast<uintptr_t>(target));
  EXPECT_EQ(record.args[1], 6);
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  EXPECT_FALSE(record.payload_sent);
  EXPECT_EQ(record.handler, 3);
  frame.bytes[kBegin] = kPayloadSent | std::byte{1};
  EXPECT_EQ(RecordReader(frame.First(end), kBegin).Next(record),
            Result::kMalformed)
      << "of a Medium";
}

TEST(RecordsTest, AFrameMayEndBeforeItsRecords) {
  for (size_t size = 1; size <= kBegin; ++size) {
    EXPECT_EQ(ReadChanged(3, 0, size), Result::kEnd) << size;
  }
}

TEST(RecordsTest, NothingIsBehindPadding) {
  const int32_t args[] = {5, 6};
  const Message message{.handler = 9, .num_args = 2, .args = args};
  Frame frame;
  const size_t end = EncodeMessage(frame.bytes, kBegin, message);
  for (const size_t padding : {1, 7, 8, 100}) {
    EncodeMessage(frame.bytes, end, message);
    frame.bytes[end] = kPadding;
    RecordReader reader(frame.First(end + padding), kBegin);
    Record record;
    ASSERT_EQ(reader.Next(record), Result::kRecord) << padding;
    EXPECT_EQ(record.args[1], 6);
    EXPECT_EQ(reader.Next(record), Result::kEnd) << padding;
  }
}

// Tests EncodeHead, ReadStart and ReadRest on an extended record. It has a bit
// of its own in the first byte, and carries only a part of the payload.
TEST(RecordsTest, TheirPartsCanBeUsedOneByOne) {
  const int32_t args[] = {5, 6};
  const std::byte payload[100] = {};
  Frame frame;
  const size_t payload_at = EncodeHead(frame.bytes, kBegin,
                                       {.category = Category::kMedium,
                                        .num_args = 2,
                                        .args = args,
                                        .payload = payload,
                                        .nbytes = 100},
                                       10);
  EXPECT_EQ(payload_at % 16, 0u);
  Record record;
  frame.bytes[kBegin] |= std::byte{64};
  EXPECT_FALSE(ReadStart(frame.bytes + kBegin, record));
  ASSERT_TRUE(ReadStart(frame.bytes + kBegin, record, std::byte{64}));
  EXPECT_EQ(record.nbytes, 100u);
  EXPECT_EQ(ReadRest(frame.First(payload_at + 10), kBegin, 10, record),
            payload_at + 10);
  EXPECT_EQ(record.payload, frame.bytes + payload_at);
  EXPECT_EQ(record.args[1], 6);
  EXPECT_EQ(ReadRest(frame.First(payload_at + 9), kBegin, 10, record), 0u);
}

TEST(RecordsTest, RandomBytesNeverPointOutside) {
  std::mt19937_64 random(1);
  unsigned records = 0;
  for (int round = 0; round < 300'000; ++round) {
    Frame frame;
    const size_t size = kBegin + random() % 200;
    for (size_t at = kBegin; at < size; ++at) {
      // Favors small numbers, because they pass more checks than large ones.
      frame.bytes[at] =
          static_cast<std::byte>(random() % 3 == 0 ? random() % 32 : 0);
    }
    RecordReader reader(frame.First(size), kBegin);
    for (Record record; reader.Next(record) == Result::kRecord; ++records) {
      if (!record.payload_sent) {
        ASSERT_LE(record.payload + record.nbytes, frame.bytes + size);
      }
      ASSERT_LE(reinterpret_cast<const std::byte*>(record.args) +
                    size_t{4} * record.num_args,
                frame.bytes + size);
    }
  }
  EXPECT_GT(records, 1000u);
}

}  // namespace
}  // namespace gasnet::am
