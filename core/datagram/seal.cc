#include "core/datagram/seal.h"

#include <sodium.h>

#include <cstring>

#include "base/log.h"
#include "core/datagram/ciphers.h"
#include "core/datagram/packet.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kNonceAt = kTagBytes;

static_assert(crypto_aead_chacha20poly1305_ietf_ABYTES == kTagBytes &&
              crypto_aead_chacha20poly1305_ietf_NPUBBYTES == 12 &&
              crypto_aead_chacha20poly1305_ietf_KEYBYTES == sizeof(Seal::Key));

const unsigned char* In(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* Out(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

void RequireSodium() {
  static const int state = GetCiphers().init();
  if (state < 0) Fatal("libsodium cannot be initialised");
}

// The address passed for empty ranges, because the library refuses null
// pointers.
unsigned char nowhere[1];

}  // namespace

bool Seal::HasAes() { return Gcm::IsAvailable(); }

Cipher Seal::Best() {
  return HasAes() ? Cipher::kAes256Gcm : Cipher::kChaCha20Poly1305;
}

Seal::Seal(const Key& key, Cipher cipher) : key_(key) {
  RequireSodium();
  if (cipher == Cipher::kAes256Gcm) {
    gcm_ = std::make_shared<const Gcm>(key.data());
  }
}

void Seal::SealParts(ConstBytes secret, std::byte* out, std::byte* tag,
                     ConstBytes open, const std::byte* nonce) const {
  if (gcm_ != nullptr) {
    gcm_->Seal(secret, out, tag, open, nonce);
    return;
  }
  unsigned char* const c = secret.empty() ? nowhere : Out(out);
  GetCiphers().encrypt(c, Out(tag), nullptr, In(secret.data()), secret.size(),
                       In(open.data()), open.size(), nullptr, In(nonce),
                       key_.data());
}

bool Seal::OpenParts(MutableBytes secret, const std::byte* tag, ConstBytes open,
                     const std::byte* nonce) const {
  if (gcm_ != nullptr) return gcm_->Open(secret, tag, open, nonce);
  unsigned char* const c = secret.empty() ? nowhere : Out(secret.data());
  return GetCiphers().decrypt(c, nullptr, c, secret.size(), In(tag),
                              In(open.data()), open.size(), In(nonce),
                              key_.data()) == 0;
}

void Seal::Sign(MutableBytes packet) const {
  SealParts({}, nullptr, packet.data(), packet.subspan(kTagBytes),
            packet.data() + kNonceAt);
}

void Seal::Sign(MutableBytes head, ConstBytes body) const {
  gcm_->Tag(head.data(), {head.subspan(kTagBytes), body},
            head.data() + kNonceAt);
}

void Seal::Encrypt(const Outgoing& packet, std::byte* out) const {
  const std::byte* const head = packet.head.data();
  const ConstBytes open =
      packet.head.subspan(kTagBytes, kHeaderBytes - kTagBytes);
  ConstBytes secret = packet.head.subspan(kHeaderBytes);
  if (!packet.body.empty()) {
    std::byte* const joined = out + kHeaderBytes;
    Outgoing{secret, packet.body}.CopyTo(joined);
    secret = {joined, packet.size() - kHeaderBytes};
  }
  SealParts(secret, out + kHeaderBytes, out, open, head + kNonceAt);
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
