// Checks of a request by active message, made before the request is served. A
// request that fails them shows a misuse by the client program of the
// requesting rank. It ends the job with a message that names the rank, the call
// and the range.
#ifndef EXTENDED_REQUEST_CHECK_H_
#define EXTENDED_REQUEST_CHECK_H_

#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/further_segments.h"
#include "core/segment.h"

namespace gasnet::extended {

[[noreturn]] void RefuseRequest(const Segment& segment, Rank source,
                                const char* call, uintptr_t address,
                                uint64_t nbytes);
[[noreturn]] void RefuseRequestSize(Rank source, const char* call,
                                    uint64_t nbytes, size_t limit);

// Returns the memory [address, address+nbytes). It must be inside `segment`, or
// inside one segment of `others`; otherwise the job ends.
inline void* CheckRequest(const Segment& segment, const FurtherSegments& others,
                          Rank source, const char* call, uintptr_t address,
                          uint64_t nbytes) {
  if (!segment.Contains(address, nbytes) && !others.Contains(address, nbytes))
      [[unlikely]]
    RefuseRequest(segment, source, call, address, nbytes);
  return reinterpret_cast<void*>(address);
}

// Checks that the requested bytes fit one reply.
inline void CheckRequestSize(Rank source, const char* call, uint64_t nbytes,
                             size_t limit) {
  if (nbytes > limit) [[unlikely]]
    RefuseRequestSize(source, call, nbytes, limit);
}

}  // namespace gasnet::extended

#endif  // EXTENDED_REQUEST_CHECK_H_
