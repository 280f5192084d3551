// The words in front of a message from or to an endpoint other than 0
// (further_messages.h): 16 arguments of a Medium between endpoints 0, and what
// finds no place there at the end of its payload.
//
//   word 0    from the lowest bit: 8 of the handler, 5 of the number of
//             arguments, 2 of the category, 2 of the kind, 5 of the index of
//             the target's endpoint, 5 of the sender's; 0
//   then      [pieces] the message's number at its sender, its size, and of a
//             piece its offset; [Longs] the address at the target, low half
//             first; [not of pieces] the arguments
//
// Pure functions of words, which may have any value when they come in.
#ifndef EX_FURTHER_HEAD_H_
#define EX_FURTHER_HEAD_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/am/message.h"

namespace gasnet::ex {

struct FurtherHead {
  // kLast goes with pieces, brings the arguments, and has no payload.
  enum class Kind : uint8_t { kWhole, kPiece, kLast };
  static constexpr size_t kMostWords = 1 + 2 + 2 + am::kMaxArgs;

  uint8_t handler = 0;
  uint8_t num_args = 0;
  am::Category category = am::Category::kShort;
  Kind kind = Kind::kWhole;
  EndpointIndex to = 0;
  EndpointIndex from = 0;
  uint32_t number = 0;
  uint32_t size = 0;    // bytes of the whole payload
  uint32_t offset = 0;  // of a piece
  uint64_t address = 0;
  std::array<int32_t, am::kMaxArgs> args{};

  // Returns how many words it takes.
  size_t words() const;
  // Returns the bytes of them that go to the end of the payload.
  size_t spilled() const {
    return (std::max(words(), size_t{am::kMaxArgs}) - am::kMaxArgs) *
           sizeof(int32_t);
  }
  void Write(std::span<int32_t, kMostWords> to_words) const;

  // Reads word 0. Returns nothing if there is no such message. The rest is read
  // once all words are there.
  static std::optional<FurtherHead> Start(uint32_t word);
  void Read(std::span<const int32_t, kMostWords> from_words);
};

}  // namespace gasnet::ex

#endif  // EX_FURTHER_HEAD_H_
