// Tests that all fields of headers survive packing and unpacking. Also tests
// that no words yield fields beyond Unpack's bounds.
#include "coll/header.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>

namespace gasnet::coll {
namespace {

CollHeader RandomHeader(std::mt19937_64& random) {
  CollHeader header;
  header.type = static_cast<MessageType>(random() % kMessageTypes);
  header.phase = random() % 16;
  header.team = static_cast<uint16_t>(random());
  header.base = static_cast<uint16_t>(random());
  header.number = static_cast<uint32_t>(random());
  header.key = static_cast<uint32_t>(random());
  header.terms = {.kind = static_cast<CollectiveKind>(random() % kKinds),
                  .modes = static_cast<uint8_t>(random()),
                  .how = static_cast<uint8_t>(random()),
                  .root = static_cast<uint32_t>(random()),
                  .nbytes = static_cast<uint32_t>(random())};
  header.value = random();
  header.landing = random();
  return header;
}

void ExpectSame(const CollHeader& a, const CollHeader& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.phase, b.phase);
  EXPECT_EQ(a.team, b.team);
  EXPECT_EQ(a.base, b.base);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.terms, b.terms);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.landing, b.landing);
}

TEST(HeaderTest, ComesOutAsItWentIn) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    CollHeader header = RandomHeader(random);
    const HeaderWords words = Pack(header);
    std::optional<CollHeader> got = Unpack(words.data(), kLongHeaderWords);
    ASSERT_TRUE(got.has_value());
    ExpectSame(header, *got);
    got = Unpack(words.data(), kHeaderWords);
    ASSERT_TRUE(got.has_value());
    header.value = 0;
    header.landing = 0;
    ExpectSame(header, *got);
  }
}

TEST(HeaderTest, RandomWordsAreRefusedOrWithinBounds) {
  std::mt19937_64 random(2);
  unsigned refused = 0;
  for (int i = 0; i < 200000; ++i) {
    HeaderWords words;
    for (int32_t& word : words) word = static_cast<int32_t>(random());
    if (i % 2 == 0) words[0] &= static_cast<int32_t>(0xffff0fffu);
    const std::optional<CollHeader> got =
        Unpack(words.data(), kLongHeaderWords);
    if (!got.has_value()) {
      ++refused;
      continue;
    }
    ASSERT_LT(static_cast<unsigned>(got->type), kMessageTypes);
    ASSERT_LT(static_cast<unsigned>(got->terms.kind), kKinds);
    // Packing the fields again gives the same words. So the words carry nothing
    // but these fields.
    ASSERT_EQ(Pack(*got), words);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, 200000u);
}

}  // namespace
}  // namespace gasnet::coll
