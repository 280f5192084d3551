#include "core/datagram/gcm.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <array>
#include <vector>

#include "core/datagram/gmac.h"

namespace gasnet::datagram {
namespace {

using Bytes = std::vector<std::byte>;
using Tag = std::array<std::byte, crypto_aead_aes256gcm_ABYTES>;

constexpr std::array<unsigned char, 32> kKey = {7, 1, 2};

Bytes Pattern(size_t size, unsigned seed) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(i * 13 + seed);
  }
  return bytes;
}

unsigned char* Raw(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

// Runs with the library alone, and with the tags of Gmac.
class GcmTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !Gmac::IsAvailable()) {
      GTEST_SKIP() << "this processor has no VPCLMULQDQ";
    }
    ASSERT_GE(sodium_init(), 0);
    if (!Gcm::IsAvailable() || crypto_aead_aes256gcm_is_available() == 0) {
      GTEST_SKIP() << "this processor has no AES instructions";
    }
  }

  // Computes the expected tag with libsodium.
  static Tag Expected(Bytes secret, Bytes open, Bytes nonce, Bytes& encrypted) {
    Tag tag;
    encrypted.resize(secret.size() + 1);  // so that data() is not null
    crypto_aead_aes256gcm_encrypt_detached(
        Raw(encrypted.data()), Raw(tag.data()), nullptr, Raw(secret.data()),
        secret.size(), Raw(open.data()), open.size(), nullptr,
        Raw(nonce.data()), kKey.data());
    encrypted.resize(secret.size());
    return tag;
  }
};

TEST_P(GcmTest, AgreesWithLibsodium) {
  const Gcm gcm(kKey.data(), GetParam());
  for (const size_t size : {0, 1, 15, 16, 17, 1000, 1472, 33000, 65000}) {
    for (const size_t open_size : {size_t{56}, size}) {
      const Bytes nonce = Pattern(12, static_cast<unsigned>(size));
      const Bytes secret = Pattern(size, 1);
      const Bytes open = Pattern(open_size, 2);
      Bytes expected;
      const Tag tag = Expected(secret, open, nonce, expected);
      Bytes encrypted(size);
      Tag ours;
      gcm.Seal(secret, encrypted.data(), ours.data(), open, nonce.data());
      EXPECT_EQ(ours, tag) << size;
      EXPECT_EQ(encrypted, expected) << size;
      EXPECT_TRUE(gcm.Open(encrypted, tag.data(), open, nonce.data())) << size;
      EXPECT_EQ(encrypted, secret) << size;
    }
  }
}

TEST_P(GcmTest, RefusesWhatWasChanged) {
  const Gcm gcm(kKey.data(), GetParam());
  const Bytes nonce = Pattern(12, 3);
  Bytes open = Pattern(2000, 4);
  Tag tag;
  gcm.Seal({}, nullptr, tag.data(), open, nonce.data());
  for (size_t at = 0; at < open.size(); at += 97) {
    open[at] ^= std::byte{1};
    EXPECT_FALSE(gcm.Open({}, tag.data(), open, nonce.data())) << at;
    open[at] ^= std::byte{1};
  }
  for (std::byte& byte : tag) {
    byte ^= std::byte{128};
    EXPECT_FALSE(gcm.Open({}, tag.data(), open, nonce.data()));
    byte ^= std::byte{128};
  }
  EXPECT_TRUE(gcm.Open({}, tag.data(), open, nonce.data()));
}

// Each number of blocks takes another path: many at once, pairs, and one. The
// place where the parts meet, within a block, makes other paths.
TEST_P(GcmTest, TagsPacketsOfAllLengthsInTwoParts) {
  const Gcm gcm(kKey.data(), GetParam());
  const Bytes nonce = Pattern(12, 5);
  for (size_t size = 240; size < 1100; ++size) {
    const Bytes open = Pattern(size, static_cast<unsigned>(size));
    Bytes nothing;
    const Tag expected = Expected({}, open, nonce, nothing);
    for (const size_t head : {size_t{0}, size_t{8}, size_t{56}, size_t{64},
                              size % 59, size - size % 7, size}) {
      const ConstBytes whole(open);
      Tag tag;
      gcm.Tag(tag.data(), {whole.first(head), whole.subspan(head)},
              nonce.data());
      EXPECT_EQ(tag, expected) << size << " bytes, the first part " << head;
    }
    EXPECT_TRUE(gcm.Open({}, expected.data(), open, nonce.data())) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Library, GcmTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Gmac, GcmTest, ::testing::Values(true));

}  // namespace
}  // namespace gasnet::datagram
