// Gather_all and exchange of many small blocks in ceil(log2(nodes)) rounds
// (Bruck, Ho, Kipnis, Upfal, Weathersby 1997). Each round is a phase with one
// outgoing and one incoming message.
//
//   gather_all   Block i of the memory is from node me + i. In round r the
//                first 2^r blocks go to node me - 2^r, and as many arrive
//                from node me + 2^r.
//   exchange     Block i travels from node me to node me + i. In round r the
//                blocks with bit r in i are forwarded to node me + 2^r. After
//                the last round, block i is the one from node me - i.
//
// Sent blocks may still be read in later rounds. So no later round writes the
// memory that a round sends from.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class Bruck : public Algorithm {
 public:
  unsigned Phases(const Team& team) const final { return team.rounds(); }

 protected:
  constexpr Bruck() : Algorithm({.may_push = true}) {}
  ~Bruck() = default;

  static bool IsLast(const OperationPhase& at) {
    return at.index() + 1 == at.team.rounds();
  }
};

class BruckGatherAll final : public Bruck {
 public:
  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const Rank nodes = at.nodes();
    const Rank step = Rank{1} << at.index();
    std::byte* const memory = at.Memory(nodes * nbytes);
    if (at.index() == 0) CopyBytes(memory, at.request.sources[0], nbytes);
    const size_t some = std::min(step, nodes - step) * nbytes;
    at.NoIns(1);
    at.In(0, (at.me() + step) % nodes, memory + step * nbytes, some);
    at.Out((at.me() + nodes - step) % nodes, 0, memory, some);
  }
  void Finish(OperationPhase& at) const override {
    if (!IsLast(at)) return;
    const size_t below = at.me() * at.nbytes();
    const size_t above = (at.nodes() - at.me()) * at.nbytes();
    std::byte* const to = at.request.dests[0];
    const std::byte* const memory = at.op.memory.get();
    CopyBytes(to + below, memory, above);
    CopyBytes(to, memory + above, below);
  }
};

// Calls f(i) for the blocks that move in this round. Blocks of zero bytes do
// not move.
template <class F>
void ForRound(const OperationPhase& at, F f) {
  if (at.nbytes() == 0) return;
  for (Rank i = Rank{1} << at.index(); i < at.nodes(); ++i) {
    if ((i >> at.index() & 1) != 0) f(i);
  }
}

class BruckExchange final : public Bruck {
 public:
  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const Rank nodes = at.nodes();
    const size_t half = std::bit_ceil(nodes) / 2 * nbytes;
    // The memory holds all blocks, then the blocks that arrive in one round,
    // then for each round the blocks that leave.
    std::byte* const blocks =
        at.Memory(nodes * nbytes + (1 + at.team.rounds()) * half);
    std::byte* const come = blocks + nodes * nbytes;
    std::byte* const go = come + (1 + at.index()) * half;
    if (at.index() == 0) {
      const std::byte* const from = at.request.sources[0];
      const size_t below = at.me() * nbytes;
      const size_t above = (nodes - at.me()) * nbytes;
      CopyBytes(blocks, from + below, above);
      CopyBytes(blocks + above, from, below);
    }
    size_t some = 0;
    ForRound(at, [&](Rank i) {
      std::memcpy(go + some, blocks + i * nbytes, nbytes);
      some += nbytes;
    });
    const Rank step = Rank{1} << at.index();
    at.NoIns(1);
    at.In(0, (at.me() + nodes - step) % nodes, come, some);
    at.Out((at.me() + step) % nodes, 0, go, some);
  }
  void Finish(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const Rank nodes = at.nodes();
    std::byte* const blocks = at.op.memory.get();
    const std::byte* come = blocks + nodes * nbytes;
    ForRound(at, [&](Rank i) {
      std::memcpy(blocks + i * nbytes, come, nbytes);
      come += nbytes;
    });
    if (!IsLast(at)) return;
    std::byte* const to = at.request.dests[0];
    for (Rank i = 0; i < nodes; ++i) {
      const Rank from = (at.me() + nodes - i) % nodes;
      CopyBytes(to + from * nbytes, blocks + i * nbytes, nbytes);
    }
  }
};

constexpr BruckGatherAll kBruckGatherAllObject;
constexpr BruckExchange kBruckExchangeObject;

}  // namespace

const Algorithm& kBruckGatherAll = kBruckGatherAllObject;
const Algorithm& kBruckExchange = kBruckExchangeObject;

}  // namespace gasnet::coll::algorithms
