#include "export/ex/objects.h"

#include "base/log.h"
#include "ex/client.h"

namespace gasnet::exported::internal {

void RequireEndpoint(const char* call, gex_EP_t ep) {
  if (ep == GEX_EP_INVALID) Fatal("%s: the endpoint is GEX_EP_INVALID", call);
  if (ex::Client::Mine().Has(ep)) return;
  Fatal(
      "%s: the endpoint is %p, which is not one of this process; it may have "
      "been destroyed",
      call, static_cast<const void*>(ep));
}

void RequireSegment(const char* call, gex_Segment_t segment) {
  if (segment == GEX_SEGMENT_INVALID) {
    Fatal("%s: the segment is GEX_SEGMENT_INVALID", call);
  }
  if (ex::Client::Mine().Has(segment)) return;
  Fatal(
      "%s: the segment is %p, which is not one of this process; it may have "
      "been destroyed",
      call, static_cast<const void*>(segment));
}

}  // namespace gasnet::exported::internal
