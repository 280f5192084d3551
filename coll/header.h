// The header of every message of the collectives. A header travels as arguments
// of an active message. Payload, `value` and `landing` depend on the type.
//
//   type      value                          payload
//   kEager    -                              all bytes of a part
//   kOffer    address of the source, or 0    -    (landing: the part's size)
//   kReady    address of the dest, or 0      -    (landing: where pieces go)
//   kTaken    -                              -    the offered source was read
//   kPlaced   -                              -    all of the part is in place
//   kMeet     -                              -    (phase: the round)
//   kBase     -                              -    `number` is the whole base
//   kAskBase  -                              -    asks for a kBase, once the
//                                                 window admits `number`
//   kTerms    -                              -    the sender waits for the
//                                                 receiver in operation
//                                                 `number` and reports its own
//                                                 call; no answer
//
// A header is unchecked data from another rank. Unpack bounds the fields that
// are used as indices. The other fields are compared with this rank's record of
// the operation.
#ifndef COLL_HEADER_H_
#define COLL_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "coll/request.h"

namespace gasnet::coll {

enum class MessageType : uint8_t {
  kEager,
  kOffer,
  kReady,
  kTaken,
  kPlaced,
  kMeet,
  kBase,
  kAskBase,
  kTerms,
};
inline constexpr unsigned kMessageTypes = 9;

// The arguments of a call that must be the same on all nodes. Messages carry
// only as much of these arguments as fits here.
struct Terms {
  CollectiveKind kind = CollectiveKind::kBroadcast;
  uint8_t modes = 0;    // IN, OUT and addressing flags, as TermsOf packs them
  uint8_t how = 0;      // reductions: type and operation, or function
  uint32_t root = 0;    // as the client numbers it
  uint32_t nbytes = 0;  // bytes of a block; kMany: that many or more

  static constexpr uint32_t kMany = UINT32_MAX;
  bool operator==(const Terms&) const = default;
};

struct CollHeader {
  MessageType type = MessageType::kEager;
  uint8_t phase = 0;  // the receiver's phase; kMeet: the round
  uint16_t team = 0;
  uint16_t base = 0;  // low 16 bits of the sender's oldest unfinished number
  uint32_t number = 0;
  uint32_t key = 0;  // names a part of the operation
  Terms terms;
  uint64_t value = 0;
  uint64_t landing = 0;  // kReady: a landing; kOffer: a size
};

inline constexpr size_t kHeaderWords = 6;
inline constexpr size_t kLongHeaderWords = 10;  // including value and landing
using HeaderWords = std::array<int32_t, kLongHeaderWords>;

namespace internal {

inline constexpr uint32_t kKindShift = 8;
inline constexpr uint32_t kPhaseShift = 4;

inline uint64_t Join(int32_t low, int32_t high) {
  return uint64_t{static_cast<uint32_t>(high)} << 32 |
         static_cast<uint32_t>(low);
}
inline int32_t Low(uint64_t value) { return static_cast<int32_t>(value); }
inline int32_t High(uint64_t value) {
  return static_cast<int32_t>(value >> 32);
}

}  // namespace internal

inline HeaderWords Pack(const CollHeader& header) {
  const uint32_t what = static_cast<uint32_t>(header.type) |
                        uint32_t{header.phase} << internal::kPhaseShift |
                        static_cast<uint32_t>(header.terms.kind)
                            << internal::kKindShift |
                        uint32_t{header.team} << 16;
  const uint32_t state = uint32_t{header.base} |
                         uint32_t{header.terms.modes} << 16 |
                         uint32_t{header.terms.how} << 24;
  return {static_cast<int32_t>(what),
          static_cast<int32_t>(state),
          static_cast<int32_t>(header.number),
          static_cast<int32_t>(header.key),
          static_cast<int32_t>(header.terms.nbytes),
          static_cast<int32_t>(header.terms.root),
          internal::Low(header.value),
          internal::High(header.value),
          internal::Low(header.landing),
          internal::High(header.landing)};
}

// Returns true if the words of a short message equal `expected`, except for the
// sender's base.
[[gnu::always_inline]] inline bool IsButForBase(const int32_t* words,
                                                const HeaderWords& expected) {
  return words[0] == expected[0] && words[1] >> 16 == expected[1] >> 16 &&
         words[2] == expected[2] && words[3] == expected[3] &&
         words[4] == expected[4] && words[5] == expected[5];
}
inline uint16_t BaseOf(const int32_t* words) {
  return static_cast<uint16_t>(words[1]);
}

// Unpacks a header. Returns nullopt if the words are not a header that a rank
// can send. Only long headers have value and landing.
inline std::optional<CollHeader> Unpack(const int32_t* words, size_t count) {
  const auto what = static_cast<uint32_t>(words[0]);
  const auto state = static_cast<uint32_t>(words[1]);
  const uint32_t type = what & 0xf;
  const uint32_t kind = what >> internal::kKindShift & 0xff;
  if (type >= kMessageTypes || kind >= kKinds) {
    return std::nullopt;
  }
  CollHeader header;
  header.type = static_cast<MessageType>(type);
  header.phase = what >> internal::kPhaseShift & 0xf;
  header.team = static_cast<uint16_t>(what >> 16);
  header.base = static_cast<uint16_t>(state);
  header.number = static_cast<uint32_t>(words[2]);
  header.key = static_cast<uint32_t>(words[3]);
  header.terms = {.kind = static_cast<CollectiveKind>(kind),
                  .modes = static_cast<uint8_t>(state >> 16),
                  .how = static_cast<uint8_t>(state >> 24),
                  .root = static_cast<uint32_t>(words[5]),
                  .nbytes = static_cast<uint32_t>(words[4])};
  if (count >= kLongHeaderWords) {
    header.value = internal::Join(words[6], words[7]);
    header.landing = internal::Join(words[8], words[9]);
  }
  return header;
}

}  // namespace gasnet::coll

#endif  // COLL_HEADER_H_
