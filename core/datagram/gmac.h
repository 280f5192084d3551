// The tags of AES-256-GCM for bytes that are not encrypted (GMAC), on a
// processor with AVX2 and VPCLMULQDQ. Takes four tenths of the time of
// ipsec-mb's functions for AVX2, which multiply one block at a time. ipsec-mb's
// functions for AVX-512 are faster still (docs/PERFORMANCE.md, "Tags").
//
// A tag is the sum of the encrypted nonce and of a polynomial over the blocks,
// in a field of 2^128 elements (NIST SP 800-38D). The coefficients are
// multiplied by the powers of H, the encryption of zero. Sixteen products are
// added before they are reduced to one element.
//
// An object holds a key that never changes, so any number of threads may call
// it at once.
#ifndef CORE_DATAGRAM_GMAC_H_
#define CORE_DATAGRAM_GMAC_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/port.h"

namespace gasnet::datagram {

class Gmac {
 public:
  // The round keys of AES-256, in the order of encryption.
  using RoundKeys = std::array<std::array<unsigned char, 16>, 15>;

  // Returns true if this processor has the instructions.
  static bool IsAvailable();

  // Creates the tags of a key. Requires IsAvailable().
  explicit Gmac(const RoundKeys& keys);
  ~Gmac();
  Gmac(const Gmac&) = delete;
  Gmac& operator=(const Gmac&) = delete;

  // Writes the tag of `open`. The nonce has 12 bytes, the tag 16.
  void Tag(const Outgoing& open, const std::byte* nonce,
           unsigned char* tag) const;

 private:
  class Hash;

  void ComputePowers();

  // The number of products that are added before they are reduced.
  static constexpr size_t kAtOnce = 16;
  static constexpr size_t kBlock = 16;

  alignas(16) RoundKeys keys_;
  // The powers of H from kAtOnce down to 1, and the sums of the halves of each
  // power, twice.
  alignas(32) std::array<std::array<unsigned char, kBlock>, kAtOnce> powers_;
  alignas(32) std::array<std::array<unsigned char, kBlock>, kAtOnce> halves_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_GMAC_H_
