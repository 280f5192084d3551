#include "conduits/ofi/message_limits.h"

#include <algorithm>

#include "base/round_up.h"
#include "conduits/ofi/frame.h"
#include "conduits/ofi/tuning.h"
#include "core/am/message.h"
#include "core/am/records.h"
#include "core/lane.h"

namespace gasnet::ofi {
namespace {

// Returns the size, in bytes, of a frame with one message that has the maximum
// number of arguments and a payload of `medium` bytes.
size_t FrameBytes(size_t medium) {
  const am::RecordLayout layout = am::RecordLayout::Of(
      kFrameHeaderBytes, am::Category::kLong, am::kMaxArgs, medium);
  return RoundUp(layout.end, am::kCreditUnitBytes);
}

// The maximum number of frames from a peer that only give credit back. These
// frames cost no credit. At most two are on their way in each lane, because the
// peer sends one per half window of frames that it has received.
constexpr size_t kCreditFrames = 2 * kLanes + 1;

// Returns the number of frames that a window may hold if the windows of all
// ranks together may hold `all`. Returns at least two: half a window must hold
// a frame.
size_t FramesFor(size_t ranks, size_t all) {
  const size_t each = all / ranks;
  return each <= kCreditFrames
             ? 2
             : std::max<size_t>((each - kCreditFrames) / kLanes, 2);
}

}  // namespace

MessageLimits::MessageLimits(size_t far_ranks, const FrameRules& rules) {
  const size_t ranks = std::max<size_t>(far_ranks, 1);
  const size_t fair = kAllWindowsBytes / (kLanes * ranks);
  // A window must hold two frames, so that half a window holds one.
  whole = kWholeMedium;
  while (whole > kMinWhole && (2 * FrameBytes(whole) > fair ||
                               FrameBytes(whole) > rules.most_bytes)) {
    whole /= 2;
  }
  frame_bytes = FrameBytes(whole);
  size_t window_bytes = std::max(std::min(kWindowBytes, fair), 2 * frame_bytes);
  if (!rules.multiple) {
    window_bytes =
        std::min(window_bytes, FramesFor(ranks, rules.receives) * frame_bytes);
  }
  window = am::CreditFor(window_bytes);
  least = rules.multiple ? am::CreditUnits{1} : am::CreditFor(frame_bytes);
  if (!rules.managed) {
    const size_t frames = FramesFor(ranks, kQueuedArrivals);
    const auto share =
        static_cast<am::CreditUnits>((window + frames - 1) / frames);
    least = std::max(least,
                     std::min(share, static_cast<am::CreditUnits>(window / 2)));
  }
  sends = std::clamp<size_t>(rules.sends / kLanes, 1, kSends);
  const size_t frames = kLanes * (window / least) + kCreditFrames;
  arrivals = ranks * frames;
  if (rules.multiple) {
    const size_t needed =
        ranks * (kLanes * window_bytes + kCreditFrames * am::kCreditUnitBytes);
    // All buffers but one must hold all windows. The remaining buffer may be
    // occupied by a frame whose handler runs. The unused ends of the buffers do
    // not count.
    buffer_bytes = RoundUp(
        std::max(kMinBuffer, needed / (kReceiveBuffers - 1) + frame_bytes),
        4096);
    buffers = kReceiveBuffers;
  } else {
    buffer_bytes = frame_bytes;
    buffers = ranks * frames;
  }
}

}  // namespace gasnet::ofi
