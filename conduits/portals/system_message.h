// A message of the conduit itself, separate from active messages. It has no
// body, because its header data is enough.
//
//   kRevoke   a lender asks for credits; kReturn always answers it
//   kBlocked  a request was refused; kResume answers it, when requests are
//             accepted again
//
// At most one message of each kind is on its way from one rank to another. The
// queue has room for all of these, so system messages are never refused.
#ifndef CONDUITS_PORTALS_SYSTEM_MESSAGE_H_
#define CONDUITS_PORTALS_SYSTEM_MESSAGE_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals_conduit {

inline constexpr size_t kSystemMessagesEach = 4;

struct SystemMessage {
  enum class Kind : uint8_t { kRevoke = 1, kReturn, kBlocked, kResume };

  Kind kind = Kind::kRevoke;
  bool epoch = false;    // an epoch of the sender has ended
  uint16_t credits = 0;  // returned credits; used by kReturn only

  uint64_t HeaderData() const {
    return static_cast<uint64_t>(kind) << 32 | uint64_t{epoch} << 16 | credits;
  }
  // Decodes the header data of a message. Accepts any bits. An unknown kind
  // yields a value that is not in Kind.
  static SystemMessage Of(uint64_t data) {
    return {.kind = static_cast<Kind>(data >> 32 & 0xff),
            .epoch = (data >> 16 & 1) != 0,
            .credits = static_cast<uint16_t>(data & 0xffff)};
  }
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_SYSTEM_MESSAGE_H_
