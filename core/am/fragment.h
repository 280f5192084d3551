// A message that is larger than a frame travels in fragments, each alone in its
// frame. A fragment is a record of the message (records.h), with its place
// inserted behind the record's start, and a part of the payload:
//
//   0  as in a record; the first byte has kFragmentFlag too
//   8  message number, offset, length: 32 bits each; 0
//  24  what a record has from its byte 8 on
//
// The frame ends with the payload, or padding follows. It has a header of the
// network's own, of `begin` bytes, a multiple of 8. These are pure functions of
// bytes; nothing is used before it is checked against the bytes that arrived.
#ifndef CORE_AM_FRAGMENT_H_
#define CORE_AM_FRAGMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/message.h"
#include "core/am/records.h"

namespace gasnet::am {

// The place of one fragment in its message.
struct Fragment {
  uint32_t number = 0;  // of the message in its lane
  uint32_t offset = 0;
  uint32_t length = 0;
};

// A fragment as received. The payload is the fragment's, all else the
// message's.
struct FragmentRecord : Record {
  Fragment fragment;
};

inline constexpr std::byte kFragmentFlag{4};
inline constexpr size_t kFragmentBytes = 16;

// Returns where the payload of a fragment begins in its frame.
constexpr size_t FragmentPayloadAt(size_t begin, Category category,
                                   unsigned num_args) {
  return RecordLayout::Of(begin + kFragmentBytes, category, num_args, 1)
      .payload_at;
}

// Writes one fragment of the message, whose payload is in one place. Returns
// where it ends.
size_t EncodeFragment(std::byte* frame, size_t begin, const Message& message,
                      const Fragment& fragment);
// Writes the same except the payload. Returns where the payload is to begin.
size_t EncodeFragmentHead(std::byte* frame, size_t begin,
                          const Message& message, const Fragment& fragment);

// Returns true if the frame holds a fragment, well-formed or not, and no other
// record.
inline bool IsFragment(std::span<const std::byte> frame, size_t begin) {
  return frame.size() > begin && (frame[begin] & kFragmentFlag) != std::byte{0};
}
// Returns false if the fragment is malformed, or is of a larger Medium than
// kMaxMedium (tuning.h). The frame is at a multiple of 16.
bool DecodeFragment(std::span<std::byte> frame, size_t begin,
                    FragmentRecord& record);

}  // namespace gasnet::am

#endif  // CORE_AM_FRAGMENT_H_
