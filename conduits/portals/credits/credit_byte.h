// The credit byte of an active message: EXXXNNNN.
//
//            bit 7 (E)                 bits 6-4 (extra)         bits 3-0 (used)
// request   the sender's epoch ended  credits it missed, to 7  credits used
// reply     the sender's epoch ended  credits lent on top      credits back
//
// A credit is 256 bytes of receive buffer and one place in the queue of
// requests.
#ifndef CONDUITS_PORTALS_CREDITS_CREDIT_BYTE_H_
#define CONDUITS_PORTALS_CREDITS_CREDIT_BYTE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gasnet::portals_conduit::credits {

inline constexpr size_t kCreditBytes = 256;
inline constexpr unsigned kMaxExtra = 7;
inline constexpr unsigned kMaxUsed = 15;
// The maximum size, in bytes, of a chunk. The credits for a request that fills
// such a chunk still fit in the byte.
inline constexpr size_t kLargestChunk = kMaxUsed * kCreditBytes;

struct CreditByte {
  bool epoch = false;
  uint8_t extra = 0;
  uint8_t used = 0;

  constexpr uint8_t Wire() const {
    return static_cast<uint8_t>((epoch ? 0x80u : 0u) | extra << 4 | used);
  }
  static constexpr CreditByte Of(uint8_t wire) {
    return {.epoch = (wire & 0x80) != 0,
            .extra = static_cast<uint8_t>(wire >> 4 & kMaxExtra),
            .used = static_cast<uint8_t>(wire & kMaxUsed)};
  }
};

// Returns the number of credits for a request that takes `bytes` bytes of a
// receive buffer, padding included. If a Long's payload is sent separately, the
// payload's event takes one more credit.
constexpr unsigned CreditsFor(size_t bytes, bool data_go_apart = false) {
  return static_cast<unsigned>(
             std::max<size_t>(1, (bytes + kCreditBytes - 1) / kCreditBytes)) +
         (data_go_apart ? 1 : 0);
}

// Returns the number of credits for the largest request. It fills a chunk.
// Every peer always has at least this many credits.
constexpr uint16_t LeastCredits(size_t chunk) {
  return static_cast<uint16_t>(CreditsFor(chunk));
}

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_CREDIT_BYTE_H_
