#include "ex/further_head.h"

namespace gasnet::ex {
namespace {

constexpr unsigned kArgsAt = 8;
constexpr unsigned kCategoryAt = 13;
constexpr unsigned kKindAt = 15;
constexpr unsigned kToAt = 17;
constexpr unsigned kFromAt = 22;
constexpr unsigned kEnd = 27;
static_assert(kMaxEndpoints == 1u << (kEnd - kFromAt));

// Returns bits `at` to `end` - 1 of the word.
uint8_t Bits(uint32_t word, unsigned at, unsigned end) {
  return static_cast<uint8_t>(word >> at & ((1u << (end - at)) - 1));
}

}  // namespace

size_t FurtherHead::words() const {
  const size_t of_pieces = kind == Kind::kWhole  ? 0
                           : kind == Kind::kLast ? 2
                                                 : 3;
  const size_t of_address = category == am::Category::kLong ? 2 : 0;
  return 1 + of_pieces + of_address + (kind == Kind::kPiece ? 0 : num_args);
}

void FurtherHead::Write(std::span<int32_t, kMaxWords> to_words) const {
  size_t next = 0;
  const auto put = [&](uint32_t word) {
    to_words[next++] = static_cast<int32_t>(word);
  };
  put(handler | uint32_t{num_args} << kArgsAt |
      static_cast<uint32_t>(category) << kCategoryAt |
      static_cast<uint32_t>(kind) << kKindAt | uint32_t{to} << kToAt |
      uint32_t{from} << kFromAt);
  if (kind != Kind::kWhole) {
    put(number);
    put(size);
  }
  if (kind == Kind::kPiece) put(offset);
  if (category == am::Category::kLong) {
    put(static_cast<uint32_t>(address));
    put(static_cast<uint32_t>(address >> 32));
  }
  if (kind == Kind::kPiece) return;
  for (unsigned i = 0; i < num_args; ++i) to_words[next++] = args[i];
}

std::optional<FurtherHead> FurtherHead::Start(uint32_t word) {
  FurtherHead head;
  head.handler = static_cast<uint8_t>(word);
  head.num_args = Bits(word, kArgsAt, kCategoryAt);
  head.category = static_cast<am::Category>(Bits(word, kCategoryAt, kKindAt));
  head.kind = static_cast<Kind>(Bits(word, kKindAt, kToAt));
  head.to = Bits(word, kToAt, kFromAt);
  head.from = Bits(word, kFromAt, kEnd);
  if (word >> kEnd != 0 || head.handler < am::kFirstClientHandler ||
      head.num_args > am::kMaxArgs || head.category > am::Category::kLong ||
      head.kind > Kind::kLast) {
    return std::nullopt;
  }
  return head;
}

void FurtherHead::Read(std::span<const int32_t, kMaxWords> from_words) {
  size_t next = 1;
  const auto get = [&] { return static_cast<uint32_t>(from_words[next++]); };
  if (kind != Kind::kWhole) {
    number = get();
    size = get();
  }
  if (kind == Kind::kPiece) offset = get();
  if (category == am::Category::kLong) {
    address = get();
    address |= uint64_t{get()} << 32;
  }
  if (kind == Kind::kPiece) return;
  for (unsigned i = 0; i < num_args; ++i) args[i] = from_words[next++];
}

}  // namespace gasnet::ex
