// The memory for messages: a rank's windows for all others, the buffers that
// hold them, and the largest frame.
#ifndef CONDUITS_OFI_MESSAGE_LIMITS_H_
#define CONDUITS_OFI_MESSAGE_LIMITS_H_

#include <cstddef>

#include "conduits/ofi/paths.h"
#include "core/am/credit.h"

namespace gasnet::ofi {

struct MessageLimits {
  // `far_ranks`: the number of ranks of the job that are reached over the
  // fabric.
  MessageLimits(size_t far_ranks, const FrameRules& rules);

  size_t whole;            // the largest payload in one frame, bytes
  size_t frame_bytes;      // of the largest frame
  am::CreditUnits window;  // of a rank's frames to another, in each lane
  am::CreditUnits least;   // that a frame costs
  size_t buffers;          // to receive into
  size_t buffer_bytes;
  size_t sends;     // under way at once, in each lane
  size_t arrivals;  // that may be in the queue at once
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGE_LIMITS_H_
