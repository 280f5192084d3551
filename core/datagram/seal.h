// Makes the tags of packets with the job's key, and verifies tags.
//
// The tag is the authentication part of AES-256-GCM (gcm.h), or of
// ChaCha20-Poly1305 if a processor has no AES instructions. The tag covers all
// bytes of the packet after it. Optionally, the contents are encrypted too. All
// ranks of a job use the same key and the same cipher. The nonce is bytes 16 to
// 27 of a packet: counter, source and target. A source never uses a counter
// value twice.
#ifndef CORE_DATAGRAM_SEAL_H_
#define CORE_DATAGRAM_SEAL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/datagram/gcm.h"
#include "core/datagram/port.h"

namespace gasnet::datagram {

enum class Cipher : uint8_t { kAes256Gcm, kChaCha20Poly1305 };

class Seal {
 public:
  using Key = std::array<unsigned char, 32>;

  // Returns true if this processor supports AES-256-GCM.
  static bool HasAes();
  static Cipher Best();

  explicit Seal(const Key& key, Cipher cipher = Best());

  // Writes the tag of a packet whose header is complete.
  void Sign(MutableBytes packet) const;
  // Returns true if the second Sign() may be called. That one takes a packet in
  // two parts.
  bool SignsTwoPlaces() const { return gcm_ != nullptr; }
  void Sign(MutableBytes head, ConstBytes body) const;
  // Like Sign(), but also encrypts the contents. `out` has room for the whole
  // packet and does not overlap it.
  void Encrypt(const Outgoing& packet, std::byte* out) const;

  // Verify() and Decrypt() return false if the packet was damaged, or not sent
  // by a rank of this job. The packet is at least as long as a header.
  // Decrypt() decrypts it in place.
  bool Verify(ConstBytes packet) const;
  bool Decrypt(MutableBytes packet) const;

 private:
  void SealParts(ConstBytes secret, std::byte* out, std::byte* tag,
                 ConstBytes open, const std::byte* nonce) const;
  bool OpenParts(MutableBytes secret, const std::byte* tag, ConstBytes open,
                 const std::byte* nonce) const;

  Key key_;
  std::shared_ptr<const Gcm> gcm_;  // null: the cipher is ChaCha20-Poly1305
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SEAL_H_
