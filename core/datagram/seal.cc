#include "core/datagram/seal.h"

#include <cstring>

#include "base/log.h"
#include "core/datagram/packet.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kNonceAt = kTagBytes;

static_assert(crypto_aead_aes256gcm_ABYTES == kTagBytes &&
              crypto_aead_chacha20poly1305_ietf_ABYTES == kTagBytes);
static_assert(crypto_aead_aes256gcm_NPUBBYTES == 12 &&
              crypto_aead_chacha20poly1305_ietf_NPUBBYTES == 12);
static_assert(crypto_aead_aes256gcm_KEYBYTES == sizeof(Seal::Key) &&
              crypto_aead_chacha20poly1305_ietf_KEYBYTES == sizeof(Seal::Key));

const unsigned char* In(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* Out(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

void RequireSodium() {
  static const int state = sodium_init();
  if (state < 0) Fatal("libsodium cannot be initialised");
}

// The library asks for places that are not null, also for nothing.
unsigned char nowhere[1];

}  // namespace

bool Seal::HasAes() {
  RequireSodium();
  return crypto_aead_aes256gcm_is_available() != 0;
}

Cipher Seal::Best() {
  return HasAes() ? Cipher::kAes256Gcm : Cipher::kChaCha20Poly1305;
}

Seal::Seal(const Key& key, Cipher cipher) : cipher_(cipher), key_(key), aes_() {
  RequireSodium();
  if (cipher == Cipher::kChaCha20Poly1305) return;
  if (!HasAes()) {
    Fatal("this processor cannot do AES-256-GCM, which the job uses");
  }
  crypto_aead_aes256gcm_beforenm(&aes_, key.data());
  large_ = std::make_shared<LargeGcm>(key.data());
}

bool Seal::IsLarge(ConstBytes secret, ConstBytes open) const {
  return large_ != nullptr && secret.size() + open.size() >= LargeGcm::kLeast;
}

void Seal::SealParts(ConstBytes secret, std::byte* out, std::byte* tag,
                     ConstBytes open, const std::byte* nonce) const {
  if (IsLarge(secret, open)) {
    large_->Seal(secret, out, tag, open, nonce);
    return;
  }
  unsigned char* const c = secret.empty() ? nowhere : Out(out);
  if (cipher_ == Cipher::kAes256Gcm) {
    crypto_aead_aes256gcm_encrypt_detached_afternm(
        c, Out(tag), nullptr, In(secret.data()), secret.size(), In(open.data()),
        open.size(), nullptr, In(nonce), &aes_);
  } else {
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        c, Out(tag), nullptr, In(secret.data()), secret.size(), In(open.data()),
        open.size(), nullptr, In(nonce), key_.data());
  }
}

bool Seal::OpenParts(MutableBytes secret, const std::byte* tag, ConstBytes open,
                     const std::byte* nonce) const {
  if (IsLarge(secret, open)) return large_->Open(secret, tag, open, nonce);
  unsigned char* const c = secret.empty() ? nowhere : Out(secret.data());
  const int result =
      cipher_ == Cipher::kAes256Gcm
          ? crypto_aead_aes256gcm_decrypt_detached_afternm(
                c, nullptr, c, secret.size(), In(tag), In(open.data()),
                open.size(), In(nonce), &aes_)
          : crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                c, nullptr, c, secret.size(), In(tag), In(open.data()),
                open.size(), In(nonce), key_.data());
  return result == 0;
}

void Seal::Sign(MutableBytes packet) const {
  SealParts({}, nullptr, packet.data(), packet.subspan(kTagBytes),
            packet.data() + kNonceAt);
}

void Seal::Encrypt(ConstBytes packet, std::byte* out) const {
  const ConstBytes open = packet.subspan(kTagBytes, kHeaderBytes - kTagBytes);
  SealParts(packet.subspan(kHeaderBytes), out + kHeaderBytes, out, open,
            packet.data() + kNonceAt);
  std::memcpy(out + kTagBytes, open.data(), open.size());
}

bool Seal::Verify(ConstBytes packet) const {
  return OpenParts({}, packet.data(), packet.subspan(kTagBytes),
                   packet.data() + kNonceAt);
}

bool Seal::Decrypt(MutableBytes packet) const {
  return OpenParts(packet.subspan(kHeaderBytes), packet.data(),
                   packet.subspan(kTagBytes, kHeaderBytes - kTagBytes),
                   packet.data() + kNonceAt);
}

}  // namespace gasnet::datagram
