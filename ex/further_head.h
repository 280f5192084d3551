// The header words of a message from or to an endpoint other than 0
// (further_messages.h). The first 16 words are the arguments of a Medium
// between endpoints 0. The rest are at the end of the Medium's payload.
//
// - Word 0, from the lowest bit: 8 bits of the handler, 5 of the number of
//   arguments, 2 of the category, 2 of the kind, 5 of the index of the target's
//   endpoint, 5 of the index of the sender's endpoint, and zeros.
// - Only in pieces: the message's number at its sender, the size of its
//   payload, and, if the piece has payload, the piece's offset.
// - Only in Longs: the address at the target, low half first.
// - Not in pieces with payload: the arguments.
//
// All functions are pure. Received words may have any value.
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
  // kWhole is a message in one part. Any other message consists of several
  // kPiece with the payload, and then one kLast with the arguments.
  enum class Kind : uint8_t { kWhole, kPiece, kLast };
  static constexpr size_t kMaxWords = 1 + 2 + 2 + am::kMaxArgs;

  uint8_t handler = 0;
  uint8_t num_args = 0;
  am::Category category = am::Category::kShort;
  Kind kind = Kind::kWhole;
  EndpointIndex to = 0;
  EndpointIndex from = 0;
  uint32_t number = 0;
  uint32_t size = 0;    // bytes of the whole message's payload
  uint32_t offset = 0;  // the piece's offset in the payload
  uint64_t address = 0;
  std::array<int32_t, am::kMaxArgs> args{};

  // Returns the number of header words.
  size_t words() const;
  // Returns the number of bytes of header words that do not fit the arguments,
  // and so follow the payload.
  size_t spilled() const {
    return (std::max(words(), size_t{am::kMaxArgs}) - am::kMaxArgs) *
           sizeof(int32_t);
  }
  void Write(std::span<int32_t, kMaxWords> to_words) const;

  // Start() reads word 0, and returns nothing if the word is invalid. Read()
  // reads the other words, once all of them are present.
  static std::optional<FurtherHead> Start(uint32_t word);
  void Read(std::span<const int32_t, kMaxWords> from_words);
};

}  // namespace gasnet::ex

#endif  // EX_FURTHER_HEAD_H_
