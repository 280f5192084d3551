// The first words of every message of the collectives, as arguments of an
// active message. Payload and `value` depend on the type.
//
//   type      value                          payload
//   kEager    -                              all bytes of a part
//   kOffer    address of the source, or 0    -
//   kReady    address of the dest, or 0      -    (landing: where pieces go)
//   kTaken    -                              -    the offered source was read
//   kPlaced   -                              -    all of the part is in place
//   kMeet     round                          -
//   kBase     -                              -    `base` alone is the message
//   kAskBase  -                              -    answer it, once it admits
//                                                 `number`
//
// Everything here is another rank's word: Unpack bounds what indexes anything;
// the rest is compared with what this rank knows of the operation.
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
};
inline constexpr unsigned kMessageTypes = 8;

// The arguments that all nodes must give alike, as far as a message has them.
struct Terms {
  Kind kind = Kind::kBroadcast;
  uint8_t modes = 0;    // in, out, addressing: see ModesOf
  uint32_t root = 0;    // as the client numbers it
  uint32_t nbytes = 0;  // kMany: as many or more

  static constexpr uint32_t kMany = UINT32_MAX;
  bool operator==(const Terms&) const = default;
};

struct Header {
  MessageType type = MessageType::kEager;
  uint8_t phase = 0;  // of the receiver
  uint16_t team = 0;
  uint16_t base = 0;  // low half of the sender's oldest unfinished number
  uint32_t number = 0;
  uint32_t key = 0;  // which part of the operation
  Terms terms;
  uint64_t value = 0;
  uint64_t landing = 0;  // kReady
};

inline constexpr size_t kHeaderWords = 6;
inline constexpr size_t kLongHeaderWords = 10;  // with value and landing
using HeaderWords = std::array<int32_t, kLongHeaderWords>;

HeaderWords Pack(const Header& header);
// Nothing where no rank sends such words. value and landing: from the words of
// a long header alone.
std::optional<Header> Unpack(const int32_t* words, size_t count);

}  // namespace gasnet::coll

#endif  // COLL_HEADER_H_
