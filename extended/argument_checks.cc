#include "extended/argument_checks.h"

#include <atomic>
#include <cinttypes>

#include "base/log.h"

namespace gasnet::extended::internal {

void CheckRemote(const char* call, std::span<const Segment> segments, Rank node,
                 const void* address, size_t nbytes) {
  if (node >= segments.size()) {
    Fatal("%s: node is %u, but this job has %zu nodes, 0 to %zu", call, node,
          segments.size(), segments.size() - 1);
  }
  const Segment& segment = segments[node];
  if (nbytes == 0 || segment.Contains(address, nbytes)) return;
  Fatal(
      "%s: the %zu bytes at %p are not inside the segment of node %u, which "
      "is the %" PRIuPTR " bytes at 0x%" PRIxPTR,
      call, nbytes, address, node, segment.size, segment.base);
}

void CheckFurther(const char* call, const FurtherSegments& segments,
                  const Target& target, const void* address, size_t nbytes) {
  const Segment segment = segments.Published(target.node, target.endpoint);
  if (nbytes == 0 || (segment.size > 0 && segment.Contains(address, nbytes)))
    return;
  if (segment.size == 0) {
    Fatal(
        "%s: endpoint %u of node %u has no segment that is known here "
        "(gex_EP_BindSegment there, then gex_EP_PublishBoundSegment)",
        call, target.endpoint, target.node);
  }
  Fatal(
      "%s: the %zu bytes at %p are not inside the segment of endpoint %u of "
      "node %u, which is the %" PRIuPTR " bytes at 0x%" PRIxPTR,
      call, nbytes, address, target.endpoint, target.node, segment.size,
      segment.base);
}

void CheckLocal(const char* call, const char* argument, const void* address,
                size_t nbytes) {
  if (address == nullptr && nbytes > 0)
    Fatal("%s: %s is NULL, with nbytes %zu", call, argument, nbytes);
}

void CheckValueSize(const char* call, size_t nbytes) {
  constexpr size_t kMax = sizeof(uint64_t);
  if (nbytes < 1 || nbytes > kMax) {
    Fatal("%s: nbytes is %zu; it must be 1 to %zu", call, nbytes, kMax);
  }
}

void CheckHandleArray(const char* call, const void* handles, size_t count) {
  if (handles == nullptr && count > 0)
    Fatal("%s: handles is NULL, with numhandles %zu", call, count);
}

void CheckRegion(const char* call, bool want_open) {
  if (Operations::Mine().in_region() == want_open) return;
  if (want_open) {
    Fatal(
        "%s called without a gasnet_begin_nbi_accessregion of this thread "
        "before it",
        call);
  }
  Fatal(
      "%s called inside an access region of this thread; call "
      "gasnet_end_nbi_accessregion first",
      call);
}

}  // namespace gasnet::extended::internal

namespace gasnet::extended {

void ReportSecondNotify(const char* call) {
  // accessed with relaxed order, since it guards no other memory
  static std::atomic_flag told;
  if constexpr (thread::kChecks) {
    Fatal("%s called a second time without a completed wait or try between",
          call);
  }
  if (told.test_and_set(std::memory_order_relaxed)) return;
  Warn(
      "%s called a second time without a completed wait or try between; the "
      "first call counts (reported once)",
      call);
}

}  // namespace gasnet::extended
