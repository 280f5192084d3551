#include "conduits/portals/credits/credit_tables.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/tuning.h"

namespace gasnet::portals_conduit::credits {
namespace {

// The maximum receive space, in bytes. The number of credits of a larger
// space would not fit its field.
constexpr uint64_t kMaxSpace = uint64_t{1} << 36;

// Interpolates between two rows of the table. `share` is the position between
// the rows, from 0 to 1.
uint32_t Between(double from, double to, double share) {
  return static_cast<uint32_t>(std::lround(from + share * (to - from)));
}

// The properties of a job's receive buffers that do not depend on the number of
// buffers.
struct BufferShape {
  size_t chunk;
  uint32_t servers;

  uint64_t Each(uint32_t chunks) const {
    return (chunks - 1) * (chunk / kCreditBytes);
  }
  uint64_t Total(uint64_t buffers, uint32_t chunks) const {
    return (buffers - servers) * Each(chunks);
  }
  uint64_t Buffers(uint64_t credits, uint32_t chunks) const {
    const uint64_t each = Each(chunks);
    return std::max(std::max(kMinBuffers, uint64_t{servers} + 1),
                    (credits + each - 1) / each + servers);
  }
};

// The division of `space` bytes into buffers that yields the most credits. If
// no division yields at least `needed` credits, `buffers` is 0. `least` is the
// smallest space with a division that yields `needed` credits.
struct Division {
  uint64_t buffers = 0;
  uint32_t chunks = 0;
  uint64_t total = 0;
  uint64_t least = UINT64_MAX;

  Division(uint64_t space, uint64_t needed, uint32_t most_chunks,
           const BufferShape& shape) {
    for (uint32_t n = kMinChunks; n <= most_chunks; ++n) {
      const uint64_t bytes = n * shape.chunk;
      const uint64_t fewest = shape.Buffers(needed, n);
      least = std::min(least, fewest * bytes);
      if (space / bytes < fewest) continue;
      const uint64_t here = shape.Total(space / bytes, n);
      if (buffers != 0 && here <= total) continue;
      buffers = space / bytes;
      chunks = n;
      total = here;
    }
  }
};

uint16_t PerNode(uint32_t peers, uint16_t least, const StartingCredits& table,
                 const CreditSettings& settings) {
  if (settings.per_node.has_value()) return *settings.per_node;
  uint64_t each = table.per_node;
  // In static mode no credits leave the bank. So the peers get the bank's
  // credits.
  if (settings.mode == Mode::kStatic && !settings.bank.has_value()) {
    each += table.bank / std::max(peers, 1u);
  }
  return static_cast<uint16_t>(
      std::clamp<uint64_t>(each, least, settings.max_per_node));
}

// Divides `total` credits between the peers and the bank. If credits are off,
// the peers get none.
void Share(uint32_t peers, uint64_t total, uint16_t least, bool off,
           BufferPlan* plan) {
  plan->total = total;
  if (off) {
    plan->per_node = 0;
  } else if (peers > 0 && total < uint64_t{peers} * plan->per_node) {
    plan->per_node =
        static_cast<uint16_t>(std::max<uint64_t>(least, total / peers));
  }
  plan->bank = static_cast<uint32_t>(total - uint64_t{peers} * plan->per_node);
}

// Plans the buffers that fit in `space` bytes.
absl::Status Divide(uint64_t space, uint32_t peers, uint64_t needed,
                    const BufferShape& shape, BufferPlan* plan) {
  const Division division(space, needed, plan->chunks_per_buffer, shape);
  if (division.buffers == 0 || space > kMaxSpace) {
    return absl::InvalidArgumentError(absl::StrCat(
        "GASNET_PORTAL_AMRECV_SPACE is ", space, " bytes; accepted for ", peers,
        " peers and messages of ", shape.chunk, " bytes: ", division.least,
        " to ", kMaxSpace));
  }
  plan->buffers = static_cast<uint32_t>(division.buffers);
  plan->chunks_per_buffer = division.chunks;
  return absl::OkStatus();
}

}  // namespace

StartingCredits StartingCredits::For(uint32_t nodes) {
  for (size_t i = 1; i < kCreditRows.size(); ++i) {
    const CreditRow& from = kCreditRows[i - 1];
    const CreditRow& to = kCreditRows[i];
    if (nodes > to.nodes) continue;
    const double share =
        std::log(std::max<double>(nodes, from.nodes) / from.nodes) /
        std::log(to.nodes / from.nodes);
    return {Between(from.per_node, to.per_node, share),
            Between(from.bank, to.bank, share)};
  }
  return {Between(kCreditRows.back().per_node, 0, 0),
          Between(kCreditRows.back().bank, 0, 0)};
}

absl::StatusOr<BufferPlan> PlanBuffers(uint32_t peers, size_t chunk,
                                       uint32_t servers,
                                       const CreditSettings& settings) {
  const BufferShape shape = {chunk, servers};
  const uint16_t least = LeastCredits(chunk);
  const uint32_t nodes = peers + 1;
  const StartingCredits table = StartingCredits::For(nodes);
  BufferPlan plan;
  plan.per_node = PerNode(peers, least, table, settings);
  plan.chunks_per_buffer = nodes <= kFewNodes ? kChunksOfFew : kChunksOfMany;
  const bool off = settings.mode == Mode::kOff;
  if (settings.receive_space.has_value()) {
    const absl::Status status =
        Divide(*settings.receive_space, peers,
               off ? 0 : uint64_t{peers} * least, shape, &plan);
    if (!status.ok()) return status;
  } else {
    const uint64_t wanted =
        uint64_t{peers} * plan.per_node + settings.bank.value_or(table.bank);
    plan.buffers =
        static_cast<uint32_t>(shape.Buffers(wanted, plan.chunks_per_buffer));
  }
  plan.buffer_bytes = plan.chunks_per_buffer * chunk;
  Share(peers, shape.Total(plan.buffers, plan.chunks_per_buffer), least, off,
        &plan);
  return plan;
}

}  // namespace gasnet::portals_conduit::credits
