// The checks of debug builds on the arguments of extended API calls. A
// violation ends the job with a message that names the call, the argument, the
// value and the limit. Other builds only check that gasnet_attach has been
// called.
#ifndef EXTENDED_ARGUMENT_CHECKS_H_
#define EXTENDED_ARGUMENT_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/further_segments.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "core/thread/rules.h"
#include "extended/operations.h"
#include "extended/target.h"

namespace gasnet::extended {

namespace internal {
void CheckRemote(const char* call, std::span<const Segment> segments, Rank node,
                 const void* address, size_t nbytes);
// segments: the segments that were published to this process.
void CheckFurther(const char* call, const FurtherSegments& segments,
                  const Target& target, const void* address, size_t nbytes);
void CheckLocal(const char* call, const char* argument, const void* address,
                size_t nbytes);
void CheckValueSize(const char* call, size_t nbytes);
void CheckHandleArray(const char* call, const void* handles, size_t count);
void CheckRegion(const char* call, bool want_open);
}  // namespace internal

// Checks that the call is legal in this context.
inline void CheckCall(const char* call) {
  RequireAttached(call);
  thread::RequireMayCommunicate(call);
}

// Checks a range of remote memory.
inline void CheckRemote(const char* call, Target target, const void* address,
                        size_t nbytes) {
  if constexpr (thread::kChecks) {
    if (target.endpoint == 0) {
      internal::CheckRemote(call, runtime->segments(), target.node, address,
                            nbytes);
    } else {
      internal::CheckFurther(call, runtime->further_segments(), target, address,
                             nbytes);
    }
  }
}

// Checks a range of local memory. argument: the name of the argument that gives
// the address.
inline void CheckLocal(const char* call, const char* argument,
                       const void* address, size_t nbytes) {
  if constexpr (thread::kChecks)
    internal::CheckLocal(call, argument, address, nbytes);
}

// Checks that nbytes is 1 to 8.
inline void CheckValueSize(const char* call, size_t nbytes) {
  if constexpr (thread::kChecks) internal::CheckValueSize(call, nbytes);
}

inline void CheckHandleArray(const char* call, const void* handles,
                             size_t count) {
  if constexpr (thread::kChecks)
    internal::CheckHandleArray(call, handles, count);
}

// CheckInRegion() checks that the calling thread is inside an access region,
// CheckNotInRegion() that it is not.
inline void CheckInRegion(const char* call) {
  if constexpr (thread::kChecks) internal::CheckRegion(call, true);
}
inline void CheckNotInRegion(const char* call) {
  if constexpr (thread::kChecks) internal::CheckRegion(call, false);
}

// Reports a second notify of a barrier whose phase is still open. In builds
// with checks the report ends the job. Other builds print it once per process,
// and the caller ignores the second notify.
void ReportSecondNotify(const char* call);

}  // namespace gasnet::extended

#endif  // EXTENDED_ARGUMENT_CHECKS_H_
