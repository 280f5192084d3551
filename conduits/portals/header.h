// The layout of an active message in a Portals message: the match bits, the
// header data, and the body.
//
//   match bits   63-62 form  61-60 shape  59-55 arguments  54-47 handler
//                46-35 bytes of payload in the body
//                34-30 endpoint of the target
//                29-25 endpoint of the target XOR endpoint of the sender
//                      (am::Message)
//                24    1 if the target fetches the payload
//   header data  63-40 chunk  39-32 credit  31-0 word
//
// The header of a request names the chunk that its reply goes to, and the reply
// repeats the number of this chunk. The word is the first argument. But if a
// Long's payload is sent apart, the word is the LID, which joins the halves of
// the Long (long_reassembly.h).
//
// The body has, in this order:
//
//   - the other arguments, 4 bytes each
//   - in a Long: the destination
//   - if the payload is sent apart: its size in bytes
//   - if the payload is fetched: its size in 32 bits, then the number of
//     the sender's offer (offers.h) in 32 bits
//   - at a multiple of 16: the payload
//
// A body ends at a multiple of 16. So payloads are aligned for any type,
// although bodies are packed one behind another. A Short with at most one
// argument has no body.
#ifndef CONDUITS_PORTALS_HEADER_H_
#define CONDUITS_PORTALS_HEADER_H_

#include <cstddef>
#include <cstdint>

#include "core/endpoint_index.h"

namespace gasnet::portals_conduit {

enum class Form : uint8_t {
  kMessage,
  kLongData,  // the payload of a Long whose header is sent apart
  kNothing,   // sent if a handler sent no reply; returns credits
  kInPlace,   // header of a Long; the payload has arrived already
};
enum class MessageShape : uint8_t { kShort, kMedium, kLong, kPackedLong };

struct PortalsHeader {
  Form form = Form::kMessage;
  MessageShape shape = MessageShape::kShort;
  uint8_t num_args = 0;
  uint8_t handler = 0;
  uint16_t payload = 0;
  uint32_t chunk = 0;
  uint8_t credit = 0;
  uint32_t word = 0;
  EndpointIndex endpoint = 0;  // endpoint of the target
  EndpointIndex across = 0;
  bool is_fetched = false;

  uint64_t MatchBits() const;
  uint64_t HeaderData() const;
  static PortalsHeader Of(uint64_t match_bits, uint64_t header_data);
};

inline constexpr size_t kMaxPayload = (1u << 12) - 1;
inline constexpr uint32_t kMaxChunks = 1u << 24;
// The maximum number of bytes of a body without its payload: 16 arguments, the
// destination, and the size.
inline constexpr size_t kMaxBesides = 80;

// Returns true if the payload is sent apart and causes its own event.
inline bool HasHalves(const PortalsHeader& header) {
  return header.form == Form::kMessage && header.shape == MessageShape::kLong;
}
inline bool HasPayload(MessageShape shape) {
  return shape == MessageShape::kMedium || shape == MessageShape::kPackedLong;
}
// Returns the index of the first argument that the body has: 1 if the word has
// argument 0, else 0.
inline unsigned FirstArgInBody(MessageShape shape) {
  return shape == MessageShape::kLong ? 0 : 1;
}

// The offsets of the parts of a body, in bytes.
struct BodyLayout {
  size_t dest = 0;
  size_t size = 0;  // of a payload that is not in the body
  size_t payload = 0;
  size_t end = 0;

  static BodyLayout Of(MessageShape shape, unsigned num_args, size_t payload,
                       bool is_fetched = false);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_HEADER_H_
