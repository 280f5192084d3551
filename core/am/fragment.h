// Fragments of a message that is larger than a frame. Each fragment is alone in
// its frame. A fragment is a record of the message (records.h), with the
// fragment's place inserted behind the record's start, and a part of the
// payload:
//
//      0  as in a record; the first byte also has kFragmentFlag
//      8  message number, offset, length: 32 bits each; 0
//     24  the bytes of a record from its byte 8 on
//
// The frame ends with the payload, or padding follows. The frame begins with
// the network's header of `begin` bytes, a multiple of 8. These functions are
// pure functions of bytes. They use no field before they have checked it
// against the bytes that arrived.
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
  uint32_t number = 0;  // number of the message in its lane
  uint32_t offset = 0;
  uint32_t length = 0;
};

// A received fragment. The payload is that of the fragment. All other fields
// are those of the message.
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

// Writes one fragment of a message with contiguous payload. Returns the end of
// the fragment.
size_t EncodeFragment(std::byte* frame, size_t begin, const Message& message,
                      const Fragment& fragment);
// Like EncodeFragment(), but writes no payload. Returns the payload's offset.
size_t EncodeFragmentHead(std::byte* frame, size_t begin,
                          const Message& message, const Fragment& fragment);

// Returns true if the frame holds a fragment, well-formed or not, and no other
// record.
inline bool IsFragment(std::span<const std::byte> frame, size_t begin) {
  return frame.size() > begin && (frame[begin] & kFragmentFlag) != std::byte{0};
}
// Reads a fragment. Returns false if it is malformed, or belongs to a Medium
// larger than kMaxMedium (tuning.h). The frame is aligned to 16 bytes.
bool DecodeFragment(std::span<std::byte> frame, size_t begin,
                    FragmentRecord& record);

}  // namespace gasnet::am

#endif  // CORE_AM_FRAGMENT_H_
