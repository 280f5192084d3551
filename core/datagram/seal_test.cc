#include "core/datagram/seal.h"

#include <array>
#include <cstring>

#include "core/datagram/packet.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

struct Datagram {
  alignas(16) std::array<std::byte, 200> bytes;

  Datagram() {
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(i);
    }
  }
  MutableBytes all() { return bytes; }
};

class SealTest : public ::testing::TestWithParam<Cipher> {
 protected:
  void SetUp() override {
    if (GetParam() == Cipher::kAes256Gcm && !Seal::HasAes()) {
      GTEST_SKIP() << "this processor has no AES instructions";
    }
  }
  static Seal Make(unsigned char first = 1) {
    Seal::Key key{};
    key[0] = first;
    return Seal(key, GetParam());
  }
};

TEST_P(SealTest, ASignedPacketIsOursAndReadable) {
  const Seal seal = Make();
  Datagram packet;
  seal.Sign(packet.all());
  EXPECT_TRUE(Make().Verify(packet.all()));
  EXPECT_TRUE(Make().Verify(packet.all())) << "it stays as it is";
  EXPECT_EQ(std::memcmp(packet.bytes.data() + kTagBytes,
                        Datagram().bytes.data() + kTagBytes,
                        packet.bytes.size() - kTagBytes),
            0);
  EXPECT_FALSE(Make(2).Verify(packet.all())) << "another job's key";
}

TEST_P(SealTest, AnyChangedBitIsSeen) {
  const Seal seal = Make();
  Datagram packet, secret;
  seal.Sign(packet.all());
  seal.Encrypt({Datagram().all()}, secret.bytes.data());
  for (size_t bit = 0; bit < 8 * packet.bytes.size(); ++bit) {
    const std::byte mask = std::byte{1} << bit % 8;
    packet.bytes[bit / 8] ^= mask;
    EXPECT_FALSE(seal.Verify(packet.all())) << bit;
    packet.bytes[bit / 8] ^= mask;
    Datagram changed = secret;
    changed.bytes[bit / 8] ^= mask;
    EXPECT_FALSE(seal.Decrypt(changed.all())) << bit;
  }
  for (size_t size = kHeaderBytes; size < packet.bytes.size(); ++size) {
    EXPECT_FALSE(seal.Verify(packet.all().first(size))) << size;
  }
}

TEST_P(SealTest, EncryptionHidesTheRecordsAndOnlyThem) {
  const Seal seal = Make();
  Datagram plain, secret;
  seal.Encrypt({plain.all()}, secret.bytes.data());
  EXPECT_EQ(
      std::memcmp(secret.bytes.data() + kTagBytes,
                  plain.bytes.data() + kTagBytes, kHeaderBytes - kTagBytes),
      0);
  EXPECT_NE(std::memcmp(secret.bytes.data() + kHeaderBytes,
                        plain.bytes.data() + kHeaderBytes, 100),
            0);
  ASSERT_TRUE(Make().Decrypt(secret.all()));
  EXPECT_EQ(std::memcmp(secret.bytes.data() + kTagBytes,
                        plain.bytes.data() + kTagBytes,
                        plain.bytes.size() - kTagBytes),
            0);
}

TEST_P(SealTest, AHeaderAloneCanBeSealedBothWays) {
  const Seal seal = Make();
  Datagram plain, secret;
  seal.Encrypt({plain.all().first(kHeaderBytes)}, secret.bytes.data());
  EXPECT_TRUE(seal.Decrypt(secret.all().first(kHeaderBytes)));
  seal.Sign(plain.all().first(kHeaderBytes));
  EXPECT_TRUE(seal.Decrypt(plain.all().first(kHeaderBytes)))
      << "with nothing to encrypt they are the same";
}

TEST_P(SealTest, APacketInTwoPlacesIsSealedAsOne) {
  const Seal seal = Make();
  for (size_t at = kHeaderBytes; at <= 200; at += 16) {
    Datagram whole, parts;
    const Outgoing both{parts.all().first(at), parts.all().subspan(at)};
    Datagram secret, expected;
    seal.Encrypt({whole.all()}, expected.bytes.data());
    seal.Encrypt(both, secret.bytes.data());
    EXPECT_EQ(secret.bytes, expected.bytes) << at;
    if (!seal.SignsTwoPlaces()) continue;
    seal.Sign(parts.all().first(at), both.body);
    seal.Sign(whole.all());
    EXPECT_EQ(parts.bytes, whole.bytes) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SealTest,
                         ::testing::Values(Cipher::kAes256Gcm,
                                           Cipher::kChaCha20Poly1305));

}  // namespace
}  // namespace gasnet::datagram
