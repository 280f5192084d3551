// How much memory messages take: a rank's windows for all others, the buffers
// that hold them, and the largest frame.
#ifndef CONDUITS_OFI_MESSAGE_LIMITS_H_
#define CONDUITS_OFI_MESSAGE_LIMITS_H_

#include <cstddef>

#include "conduits/ofi/paths.h"
#include "core/am/credit.h"

namespace gasnet::ofi {

struct MessageLimits {
  // For a job of which so many ranks are reached by the fabric.
  MessageLimits(size_t far_ranks, const FrameRules& rules);

  size_t max_medium;       // bytes of payload
  size_t frame_bytes;      // of the largest frame
  am::CreditUnits window;  // of a rank's frames to another, on each lane
  am::CreditUnits least;   // that a frame costs of it
  size_t buffers;          // to receive into
  size_t buffer_bytes;
  size_t sends;     // under way at once, on each lane
  size_t arrivals;  // that may be in the queue at once
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGE_LIMITS_H_
