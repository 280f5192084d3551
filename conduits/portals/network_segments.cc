// The segments of the ranks: exposes this rank's, and learns of the others.
#include <utility>

#include "conduits/portals/network.h"

namespace gasnet::portals_conduit {

absl::StatusOr<network::Exposed> PortalsNetwork::Expose(
    EndpointIndex endpoint, const Segment& segment) {
  messages_.receiver().SetSegment(endpoint, segment);
  // Only the segment of endpoint 0 is exposed. Transfers to other endpoints go
  // by active messages.
  if (endpoint != 0) return network::Exposed::Of(ExposeResult{});
  const absl::StatusOr<ExposeResult> exposed =
      ExposeSegment(*interface_, segment);
  if (!exposed.ok()) return exposed.status();
  return network::Exposed::Of(*exposed);
}

// Attaches the segments of all ranks. Sets the size of a segment to 0 if
// Portals cannot reach the segment; active messages then carry its transfers.
void PortalsNetwork::Attach(std::span<const Segment> segments,
                            std::span<const network::Exposed> exposed) {
  std::vector<Segment> reached(segments.begin(), segments.end());
  std::vector<bool> coherent(reached.size());
  bool all = true;
  for (Rank rank = 0; rank < reached.size(); ++rank) {
    const auto result = exposed[rank].As<ExposeResult>();
    all = all && result.reached && reached[rank].size > 0;
    if (!result.reached) reached[rank] = {};
    coherent[rank] = result.coherent;
  }
  if (all) max_long_ = interface_->most_bytes();
  transfers_.SetSegments(std::move(reached), std::move(coherent),
                         segments[job_.rank()]);
}

}  // namespace gasnet::portals_conduit
