// The sizes of a rank's memory for messages: the windows for all other ranks,
// the buffers that hold the frames of these windows, and the largest frame.
#ifndef CONDUITS_OFI_MESSAGE_LIMITS_H_
#define CONDUITS_OFI_MESSAGE_LIMITS_H_

#include <cstddef>

#include "conduits/ofi/paths.h"
#include "core/am/credit.h"

namespace gasnet::ofi {

struct MessageLimits {
  // `far_ranks`: the number of ranks that this rank reaches over the fabric.
  MessageLimits(size_t far_ranks, const FrameRules& rules);

  size_t whole;            // bytes of the largest payload in one frame
  size_t frame_bytes;      // bytes of the largest frame
  am::CreditUnits window;  // for each peer, in each lane
  am::CreditUnits least;   // minimum cost of a frame
  size_t buffers;          // number of receive buffers
  size_t buffer_bytes;
  size_t sends;     // max. number of sends under way, per lane
  size_t arrivals;  // max. number of completions in the queue
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGE_LIMITS_H_
