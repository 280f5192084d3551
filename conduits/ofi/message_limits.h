// The sizes of a rank's memory for messages: the windows for all other ranks,
// the buffers that hold these windows, and the largest frame.
#ifndef CONDUITS_OFI_MESSAGE_LIMITS_H_
#define CONDUITS_OFI_MESSAGE_LIMITS_H_

#include <cstddef>

#include "conduits/ofi/paths.h"
#include "core/am/credit.h"

namespace gasnet::ofi {

struct MessageLimits {
  // `far_ranks`: the number of ranks of the job that this rank reaches over the
  // fabric.
  MessageLimits(size_t far_ranks, const FrameRules& rules);

  size_t whole;            // bytes of the largest payload in one frame
  size_t frame_bytes;      // bytes of the largest frame
  am::CreditUnits window;  // for each peer, in each lane
  am::CreditUnits least;   // smallest cost of a frame
  size_t buffers;          // receive buffers
  size_t buffer_bytes;
  size_t sends;     // sends under way at once, in each lane
  size_t arrivals;  // most completions in the queue at once
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGE_LIMITS_H_
