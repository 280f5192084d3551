// The job's key at work: gives packets their tag, and checks it.
//
// The tag is the authentication part of AES-256-GCM (gcm.h), or of
// ChaCha20-Poly1305 where a processor has no AES instructions, over everything
// behind it;
// optionally what follows the header is encrypted too. All ranks of a job use
// the same key and the same cipher. The nonce is what a packet has at its
// bytes 16 to 27, counter, source and target: a source never counts the same
// number twice.
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

  // Whether this processor can do AES-256-GCM.
  static bool HasAes();
  static Cipher Best();

  explicit Seal(const Key& key, Cipher cipher = Best());

  // Writes the tag of a packet whose header is complete.
  void Sign(MutableBytes packet) const;
  // The same of a packet in two places, where this cipher can.
  bool SignsTwoPlaces() const { return gcm_ != nullptr; }
  void Sign(MutableBytes head, ConstBytes body) const;
  // The same, with the contents encrypted; `out` has room for the whole packet
  // and is not the packet.
  void Encrypt(const Outgoing& packet, std::byte* out) const;

  // False: not by a rank of this job, or damaged. `packet` is at least as long
  // as a header. When it was encrypted it is decrypted in place.
  bool Verify(ConstBytes packet) const;
  bool Decrypt(MutableBytes packet) const;

 private:
  void SealParts(ConstBytes secret, std::byte* out, std::byte* tag,
                 ConstBytes open, const std::byte* nonce) const;
  bool OpenParts(MutableBytes secret, const std::byte* tag, ConstBytes open,
                 const std::byte* nonce) const;

  Key key_;
  std::shared_ptr<const Gcm> gcm_;  // null: ChaCha20-Poly1305
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SEAL_H_
