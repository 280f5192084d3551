// The wait of a sender for room on a link.
#ifndef CORE_AM_ROOM_WAIT_H_
#define CORE_AM_ROOM_WAIT_H_

#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/wait_reason.h"
#include "core/observe/status_board.h"

namespace gasnet::am {

// Returns the description of a wait for room for the message, with the fill of
// its ring if the link knows it.
template <Link L>
auto ReasonForRoom(L& link, Rank dest, Lane lane, const Message& message) {
  [[maybe_unused]] L* const to = &link;
  [[maybe_unused]] const bool is_across = message.across != 0;
  return [=] {
    observe::Waiting waiting = WaitForRoom{dest, lane}();
    if constexpr (LinkKnowsFill<L>) {
      if (!is_across) waiting.second = to->FillTo(dest, lane).Packed();
    }
    return waiting;
  };
}

}  // namespace gasnet::am

#endif  // CORE_AM_ROOM_WAIT_H_
