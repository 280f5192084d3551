// Debug checks of handles of endpoints and segments.
#ifndef EXPORT_EX_OBJECTS_H_
#define EXPORT_EX_OBJECTS_H_

#include "core/thread/mode.h"
#include "gasnetex.h"

namespace gasnet::exported {

namespace internal {
void RequireEndpoint(const char* call, gex_EP_t ep);
void RequireSegment(const char* call, gex_Segment_t segment);
}  // namespace internal

// Each Check* function ends the job, in debug builds, if the handle names no
// existing object. Each Checked* function also returns the object.
inline void CheckEndpoint(const char* call, gex_EP_t ep) {
  if constexpr (thread::kChecks) internal::RequireEndpoint(call, ep);
}
inline void CheckSegment(const char* call, gex_Segment_t segment) {
  if constexpr (thread::kChecks) internal::RequireSegment(call, segment);
}

inline gasneti_ep& CheckedEndpoint(const char* call, gex_EP_t ep) {
  CheckEndpoint(call, ep);
  return *ep;
}
inline gasneti_segment& CheckedSegment(const char* call,
                                       gex_Segment_t segment) {
  CheckSegment(call, segment);
  return *segment;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OBJECTS_H_
