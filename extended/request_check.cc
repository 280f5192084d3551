#include "extended/request_check.h"

#include <cinttypes>

#include "base/log.h"

namespace gasnet::extended {

void RefuseRequest(const Segment& segment, Rank source, const char* call,
                   uintptr_t address, uint64_t nbytes) {
  Fatal("rank %u called %s on 0x%" PRIxPTR " with %" PRIu64
        " bytes here, which is not inside this rank's segment (0x%" PRIxPTR
        ", %" PRIuPTR " bytes) or that of another of its endpoints",
        source, call, address, nbytes, segment.base, segment.size);
}

void RefuseRequestSize(Rank source, const char* call, uint64_t nbytes,
                       size_t limit) {
  Fatal("rank %u asked for %" PRIu64
        " bytes in one reply to %s; at most %zu fit; its memory or the network "
        "is corrupted",
        source, nbytes, call, limit);
}

}  // namespace gasnet::extended
