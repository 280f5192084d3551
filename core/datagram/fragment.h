// A message that is larger than a packet travels in fragments, each alone in
// its packet. A fragment is a record of the message (core/am/records.h), with
// its place inserted behind the record's start, and a part of the payload:
//
//   0  as in a record; the first byte has kFragmentFlag too
//   8  message number, offset, length: 32 bits each; 0
//  24  what a record has from its byte 8 on
//
// The packet ends with the payload, or padding follows. A message that lands
// (am::HandlerTable) or is lent travels in fragments whatever its size. These
// are pure functions of bytes; nothing is used before it is checked against the
// bytes that arrived.
#ifndef CORE_DATAGRAM_FRAGMENT_H_
#define CORE_DATAGRAM_FRAGMENT_H_

#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/am/records.h"
#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

// The place of one fragment in its message.
struct Fragment {
  uint32_t number = 0;  // of the message in its lane
  uint32_t offset = 0;
  uint32_t length = 0;
};

// A fragment as received. The payload is the fragment's, all else the
// message's.
struct FragmentRecord : am::Record {
  Fragment fragment;
};

inline constexpr std::byte kFragmentFlag{4};
inline constexpr size_t kFragmentBytes = 16;

// Returns where the payload of a fragment begins in its packet.
constexpr size_t FragmentPayloadAt(am::Category category, unsigned num_args) {
  return am::RecordLayout::Of(kHeaderBytes + kFragmentBytes, category, num_args,
                              1)
      .payload_at;
}

// Writes one fragment of the message behind the packet's header. Returns where
// it ends.
size_t EncodeFragment(std::byte* packet, const am::Message& message,
                      const Fragment& fragment);
// Writes the same except the payload. Returns where the payload is to begin.
size_t EncodeFragmentHead(std::byte* packet, const am::Message& message,
                          const Fragment& fragment);

// Returns true if the packet holds a fragment, well-formed or not, and no other
// record.
inline bool IsFragment(ConstBytes packet) {
  return packet.size() > kHeaderBytes &&
         (packet[kHeaderBytes] & kFragmentFlag) != std::byte{0};
}
// Returns false if the fragment is malformed. `packet` is aligned as a port
// aligns it.
bool DecodeFragment(MutableBytes packet, FragmentRecord& record);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_FRAGMENT_H_
