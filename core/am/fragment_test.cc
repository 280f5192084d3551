#include "core/am/fragment.h"

#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

// Size of a network's header in front of the fragment.
constexpr size_t kBegin = 72;

// Memory that is aligned like a port's.
struct Buffer {
  alignas(16) std::byte bytes[2048] = {};
  std::span<std::byte> First(size_t n) { return {bytes, n}; }
};

TEST(FragmentTest, KnowsItsPlace) {
  Buffer packet;
  std::vector<unsigned char> payload(5000);
  for (size_t i = 0; i < payload.size(); ++i) {
    payload[i] = static_cast<unsigned char>(i * 3);
  }
  const int32_t args[] = {5, 6};
  const Message message{.category = Category::kLong,
                        .handler = 1,
                        .num_args = 2,
                        .args = args,
                        .payload = payload.data(),
                        .nbytes = payload.size(),
                        .dest_addr = payload.data()};
  const size_t end = EncodeFragment(packet.bytes, kBegin, message,
                                    {.number = 8, .offset = 64, .length = 100});
  FragmentRecord record;
  ASSERT_TRUE(IsFragment(packet.First(end), kBegin));
  ASSERT_TRUE(DecodeFragment(packet.First(end), kBegin, record));
  EXPECT_EQ(record.category, Category::kLong);
  EXPECT_EQ(record.handler, 1);
  ASSERT_EQ(record.num_args, 2);
  EXPECT_EQ(record.args[1], 6);
  EXPECT_EQ(record.address, reinterpret_cast<uintptr_t>(payload.data()));
  EXPECT_EQ(record.nbytes, 5000u);
  EXPECT_EQ(record.fragment.number, 8u);
  EXPECT_EQ(record.fragment.offset, 64u);
  EXPECT_EQ(record.fragment.length, 100u);
  EXPECT_EQ(record.payload,
            packet.bytes + FragmentPayloadAt(kBegin, Category::kLong, 2));
  EXPECT_EQ(std::memcmp(record.payload, payload.data() + 64, 100), 0);
  // The wire format is fixed. It has these bytes.
  const std::byte* const at = packet.bytes + kBegin;
  EXPECT_EQ(at[0], std::byte{4 + 2}) << "flag and category";
  EXPECT_EQ(at[4], std::byte{5000 % 256}) << "length of the message";
  EXPECT_EQ(at[8], std::byte{8}) << "number";
  EXPECT_EQ(at[12], std::byte{64}) << "offset";
  EXPECT_EQ(at[16], std::byte{100}) << "length";
  EXPECT_EQ(at[20], std::byte{0});
  EXPECT_EQ(at[32], std::byte{5}) << "argument, behind the address";
}

TEST(FragmentTest, IsNoRecord) {
  const std::byte payload[40] = {};
  const Message message{
      .category = Category::kMedium, .payload = payload, .nbytes = 40};
  Buffer packet;
  const size_t fragment =
      EncodeFragment(packet.bytes, kBegin, message, {.length = 40});
  Record record;
  EXPECT_EQ(RecordReader(packet.First(fragment), kBegin).Next(record),
            RecordReader::Result::kMalformed);
  const size_t whole = EncodeMessage(packet.bytes, kBegin, message);
  EXPECT_FALSE(IsFragment(packet.First(whole), kBegin));
  EXPECT_FALSE(IsFragment(packet.First(kBegin), kBegin));
}

// Returns true if a fragment with one byte changed is accepted.
bool ReadChanged(size_t at, unsigned value, size_t size = 0) {
  static const unsigned char payload[40] = {};
  Buffer packet;
  const size_t end = EncodeFragment(
      packet.bytes, kBegin,
      {.category = Category::kMedium, .payload = payload, .nbytes = 40},
      {.number = 1, .offset = 8, .length = 32});
  packet.bytes[kBegin + at] = static_cast<std::byte>(value);
  FragmentRecord record;
  return DecodeFragment(packet.First(size != 0 ? size : end), kBegin, record);
}

TEST(FragmentTest, WrongOnesAreRefused) {
  EXPECT_TRUE(ReadChanged(3, 0)) << "as it was";
  EXPECT_FALSE(ReadChanged(0, 7)) << "category 3";
  EXPECT_FALSE(ReadChanged(0, 0x45)) << "unknown flag";
  EXPECT_FALSE(ReadChanged(0, 0x25)) << "of a Medium in place";
  EXPECT_FALSE(ReadChanged(0, 0x26)) << "of a Long in place";
  EXPECT_FALSE(ReadChanged(0, 4)) << "of a Short";
  EXPECT_FALSE(ReadChanged(2, 17)) << "17 arguments";
  EXPECT_FALSE(ReadChanged(6, 2)) << "longer than any Medium";
  EXPECT_FALSE(ReadChanged(4, 39)) << "beyond the message";
  EXPECT_FALSE(ReadChanged(15, 255)) << "offset + length wraps";
  EXPECT_FALSE(ReadChanged(16, 0)) << "empty";
  EXPECT_FALSE(ReadChanged(16, 33)) << "longer than it is";
  for (size_t size = kBegin + 1; size < kBegin + 56; ++size) {
    EXPECT_FALSE(ReadChanged(3, 0, size)) << size;
  }
}

// The ends of payloads need not be aligned.
TEST(FragmentTest, NothingButPaddingIsBehind) {
  const std::byte payload[33] = {};
  const Message message{.category = Category::kMedium,
                        .payload = payload,
                        .nbytes = sizeof(payload)};
  Buffer packet;
  const size_t end =
      EncodeFragment(packet.bytes, kBegin, message, {.length = 33});
  FragmentRecord record;
  for (const size_t more : {1, 7, 40}) {
    std::memset(packet.bytes + end, std::to_integer<int>(kPadding), more);
    ASSERT_TRUE(DecodeFragment(packet.First(end + more), kBegin, record))
        << more;
    EXPECT_EQ(record.fragment.length, 33u);
    packet.bytes[end] = std::byte{0};
    EXPECT_FALSE(DecodeFragment(packet.First(end + more), kBegin, record))
        << more;
  }
}

TEST(FragmentTest, RandomBytesNeverPointOutside) {
  std::mt19937_64 random(1);
  unsigned fragments = 0;
  for (int round = 0; round < 300'000; ++round) {
    Buffer packet;
    const size_t size = kBegin + 24 + random() % 200;
    for (size_t at = kBegin; at < size; ++at) {
      // Favors small numbers, because they pass more checks than large ones.
      packet.bytes[at] =
          static_cast<std::byte>(random() % 3 == 0 ? random() % 32 : 0);
    }
    packet.bytes[kBegin] = std::byte(5 + random() % 2);
    packet.bytes[size - 1] = kPadding;
    FragmentRecord record;
    if (!DecodeFragment(packet.First(size), kBegin, record)) continue;
    ++fragments;
    ASSERT_LE(record.payload + record.fragment.length, packet.bytes + size);
    ASSERT_LE(reinterpret_cast<const std::byte*>(record.args) +
                  size_t{4} * record.num_args,
              packet.bytes + size);
  }
  EXPECT_GT(fragments, 10u);
}

}  // namespace
}  // namespace gasnet::am
