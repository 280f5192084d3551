// A message of the conduit itself, apart from the active messages. It has no
// body, because the header data holds all of it.
//
//   kRevoke   a lender asks for credits; kReturn always answers it
//   kBlocked  a request was refused; kResume answers it, when requests are
//             accepted again
//
// So at most four system messages are on their way from one rank to another.
// The queue has room for all of them, so they are never refused.
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
  // Decodes the header data of a message. Accepts any bits; an unknown kind
  // yields a value that is none of the kinds above.
  static SystemMessage Of(uint64_t data) {
    return {.kind = static_cast<Kind>(data >> 32 & 0xff),
            .epoch = (data >> 16 & 1) != 0,
            .credits = static_cast<uint16_t>(data & 0xffff)};
  }
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_SYSTEM_MESSAGE_H_
