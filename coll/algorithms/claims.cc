// The first phase of collectives in which nodes claim their blocks. Every node
// tells all others which blocks it has.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/log.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// Records `node` as the owner of the blocks that it claims. Returns the number
// of these blocks.
size_t SetOwner(OperationPhase& at, Rank node) {
  std::vector<uint32_t>& owners = at.op.owners;
  const size_t first = at.op.claims[2 * node];
  const size_t count = at.op.claims[2 * node + 1];
  for (size_t k = first; k < first + count; ++k) {
    if (k >= owners.size() || owners[k] != kNobody) {
      Fatal("%s: rank %u has blocks %zu to %zu of %zu, which %s",
            at.request.call, at.team.rank_of(node), first, first + count - 1,
            owners.size(),
            k >= owners.size() ? "do not all exist"
                               : "overlap those of another rank");
    }
    owners[k] = node;
  }
  return count;
}

class Claims final : public Algorithm {
 public:
  void Begin(OperationPhase& at) const override {
    std::vector<uint32_t>& claims = at.op.claims;
    claims.assign(size_t{2} * at.nodes(), 0);
    claims[2 * at.me()] = static_cast<uint32_t>(at.request.blocks.first);
    claims[2 * at.me() + 1] = static_cast<uint32_t>(at.request.blocks.count);
    at.NoIns(at.nodes());
    auto* const memory = reinterpret_cast<std::byte*>(claims.data());
    constexpr size_t kBytes = 2 * sizeof(uint32_t);
    at.ForOthers([&](Rank other) {
      at.In(other, other, memory + other * kBytes, kBytes);
      at.Out(other, at.me(), memory + at.me() * kBytes, kBytes);
    });
  }

  void Finish(OperationPhase& at) const override {
    at.op.owners.assign(at.request.blocks.total, kNobody);
    size_t owned = 0;
    for (Rank node = 0; node < at.nodes(); ++node) owned += SetOwner(at, node);
    if (owned == at.op.owners.size()) return;
    Fatal("%s: all ranks together have %zu blocks; nblocks is %zu",
          at.request.call, owned, at.op.owners.size());
  }
};

constexpr Claims kClaimsObject;

}  // namespace

const Algorithm& kClaims = kClaimsObject;

}  // namespace gasnet::coll::algorithms
