#include "conduits/portals/header.h"

#include "base/round_up.h"

namespace gasnet::portals_conduit {
namespace {

constexpr int kFormAt = 62;
constexpr int kShapeAt = 60;
constexpr int kArgsAt = 55;
constexpr int kHandlerAt = 47;
constexpr int kPayloadAt = 35;
constexpr int kEndpointAt = 30;
constexpr int kAcrossAt = 25;
constexpr int kFetchedAt = 24;
constexpr int kIndexBits = 5;
static_assert(kMaxEndpoints == 1u << kIndexBits);

constexpr int kChunkAt = 40;
constexpr int kCreditAt = 32;

template <class T>
T Field(uint64_t bits, int at, int width) {
  return static_cast<T>(bits >> at & ((uint64_t{1} << width) - 1));
}

uint64_t Bits(uint64_t value, int at) { return value << at; }

}  // namespace

uint64_t PortalsHeader::MatchBits() const {
  return Bits(static_cast<uint64_t>(form), kFormAt) |
         Bits(static_cast<uint64_t>(shape), kShapeAt) |
         Bits(num_args, kArgsAt) | Bits(handler, kHandlerAt) |
         Bits(payload, kPayloadAt) | Bits(endpoint, kEndpointAt) |
         Bits(across, kAcrossAt) |
         Bits(static_cast<uint64_t>(is_fetched), kFetchedAt);
}

uint64_t PortalsHeader::HeaderData() const {
  return Bits(chunk, kChunkAt) | Bits(credit, kCreditAt) | word;
}

PortalsHeader PortalsHeader::Of(uint64_t match_bits, uint64_t header_data) {
  return {
      .form = static_cast<Form>(Field<uint8_t>(match_bits, kFormAt, 2)),
      .shape =
          static_cast<MessageShape>(Field<uint8_t>(match_bits, kShapeAt, 2)),
      .num_args = Field<uint8_t>(match_bits, kArgsAt, 5),
      .handler = Field<uint8_t>(match_bits, kHandlerAt, 8),
      .payload = Field<uint16_t>(match_bits, kPayloadAt, 12),
      .chunk = Field<uint32_t>(header_data, kChunkAt, 24),
      .credit = Field<uint8_t>(header_data, kCreditAt, 8),
      .word = Field<uint32_t>(header_data, 0, 32),
      .endpoint = Field<EndpointIndex>(match_bits, kEndpointAt, kIndexBits),
      .across = Field<EndpointIndex>(match_bits, kAcrossAt, kIndexBits),
      .is_fetched = Field<uint8_t>(match_bits, kFetchedAt, 1) != 0,
  };
}

BodyLayout BodyLayout::Of(MessageShape shape, unsigned num_args, size_t payload,
                          bool is_fetched) {
  const bool is_long =
      shape == MessageShape::kLong || shape == MessageShape::kPackedLong;
  const unsigned first = FirstArgInBody(shape);
  size_t at = num_args > first ? (num_args - first) * sizeof(int32_t) : 0;
  BodyLayout layout;
  if (is_long || is_fetched) {
    layout.dest = RoundUp(at, sizeof(uint64_t));
    layout.size = layout.dest + (is_long ? sizeof(uint64_t) : 0);
    const bool has_size = shape == MessageShape::kLong || is_fetched;
    at = layout.size + (has_size ? sizeof(uint64_t) : 0);
  }
  layout.payload = RoundUp(at, 16);
  layout.end = RoundUp(layout.payload + payload, 16);
  return layout;
}

}  // namespace gasnet::portals_conduit
