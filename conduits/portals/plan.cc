#include "conduits/portals/plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/strings.h"

namespace gasnet::portals {
namespace {

// What a job of a size starts with, between sizes interpolated by their
// logarithm: few peers get what they can use, many what there is memory for.
struct Row {
  double peers;
  double each;
  double bank;
};
constexpr std::array kRows = {
    Row{2, 256, 512},    Row{8, 128, 512},    Row{32, 64, 1024},
    Row{128, 32, 2048},  Row{512, 16, 4096},  Row{1024, 12, 6144},
    Row{4096, 6, 8192},  Row{10000, 6, 4096},
};
constexpr uint32_t kFewPeers = 128;
constexpr uint32_t kChunksOfFew = 32;
constexpr uint32_t kChunksOfMany = 128;
constexpr uint32_t kLeastBuffers = 3;
// Portal table entries that the queue of requests tells the disabling of.
constexpr size_t kTables = 2;
constexpr size_t kSlack = 16;

Row RowFor(uint32_t peers) {
  const double n = peers;
  if (n <= kRows.front().peers) return kRows.front();
  for (size_t i = 1; i < kRows.size(); ++i) {
    const Row& from = kRows[i - 1];
    const Row& to = kRows[i];
    if (n > to.peers) continue;
    const double way =
        std::log(n / from.peers) / std::log(to.peers / from.peers);
    return {n, from.each + way * (to.each - from.each),
            from.bank + way * (to.bank - from.bank)};
  }
  return kRows.back();
}

// Credits that so many buffers are good for.
uint64_t Total(uint64_t buffers, uint32_t chunks, uint32_t chunk) {
  return (buffers - 1) * (chunks - 1) * chunk / kCreditBytes;
}

}  // namespace

StatusOr<Plan> Plan::For(uint32_t peers, const Settings& settings) {
  Plan plan;
  plan.peers = peers;
  plan.chunk = settings.chunk;
  plan.least_credits = CreditsFor(settings.chunk);
  const Row row = RowFor(peers);
  plan.credits_each =
      std::max(plan.least_credits, settings.cred_per_node.value_or(
                                       static_cast<uint32_t>(row.each)));
  plan.bank =
      settings.banked_credits.value_or(static_cast<uint32_t>(row.bank));
  const uint32_t chunks = peers <= kFewPeers ? kChunksOfFew : kChunksOfMany;
  const uint64_t per_buffer = Total(2, chunks, plan.chunk);
  uint64_t total = uint64_t{peers} * plan.credits_each + plan.bank;
  plan.buffer_bytes = size_t{chunks} * plan.chunk;
  plan.buffers = std::max<uint32_t>(
      kLeastBuffers,
      static_cast<uint32_t>((total + per_buffer - 1) / per_buffer + 1));
  if (settings.amrecv_space.has_value()) {
    plan.buffers =
        static_cast<uint32_t>(*settings.amrecv_space / plan.buffer_bytes);
    const uint64_t least = uint64_t{peers} * plan.least_credits;
    const uint64_t buffers = std::max<uint64_t>(
        kLeastBuffers, (least + per_buffer - 1) / per_buffer + 1);
    if (plan.buffers < buffers) {
      return InvalidArgumentError(
          StrCat("GASNET_PORTAL_AMRECV_SPACE is ", *settings.amrecv_space,
                 ": receive buffers for ", peers, " peers take at least ",
                 buffers * plan.buffer_bytes, " bytes"));
    }
    const uint64_t most = Total(plan.buffers, chunks, plan.chunk);
    plan.credits_each = std::max(
        plan.least_credits,
        static_cast<uint32_t>(
            std::min<uint64_t>(plan.credits_each, most / peers)));
  }
  total = Total(plan.buffers, chunks, plan.chunk);
  plan.bank = static_cast<uint32_t>(total - uint64_t{peers} * plan.credits_each);
  plan.request_events = total + 2 * plan.buffers + kTables + kSlack;
  plan.safe_events = settings.msg_limit + settings.rpl_chunks +
                     2 * size_t{settings.sb_chunks} + kSlack;
  plan.system_events = 2 * size_t{peers} + kSlack;
  return plan;
}

}  // namespace gasnet::portals
