// Gather_all and exchange of many small blocks in as many rounds as the number
// of nodes has bits (Bruck, Ho, Kipnis, Upfal, Weathersby 1997), each a phase
// with one message out and one in.
//
//   gather_all   block i of the memory is that of node me + i; in round r the
//                first 2^r go to node me - 2^r, and as many come from me + 2^r
//   exchange     block i is on its way from node me to node me + i; in round r
//                those with bit r in i go on to node me + 2^r, so that after
//                the last block i is that from node me - i
//
// Each round sends from memory that no later round writes: what was sent may be
// read still.
#include <algorithm>
#include <bit>
#include <cstring>

#include "coll/access.h"
#include "coll/schedule.h"

namespace gasnet::coll {

bool Schedule::IsInRounds() const {
  const size_t nbytes = op_.request->nbytes;
  switch (op_.request->kind) {
    case Kind::kGatherAll:
      return IsOneBlockEach() && !IsFlat() && !IsCentral() &&
             nbytes <= settings_.rounds_gather / team_.nodes();
    case Kind::kExchange:
      return IsOneBlockEach() && !IsFlat() && !IsCentral() &&
             nbytes <= settings_.rounds_exchange;
    default:
      return false;
  }
}

// ---- gather_all

void Schedule::BeginGatherRound() {
  const size_t nbytes = op_.request->nbytes;
  const Rank nodes = team_.nodes();
  const Rank step = Rank{1} << op_.phase;
  std::byte* const memory = Memory(nodes * nbytes);
  if (op_.phase == 0) CopyBytes(memory, op_.request->sources[0], nbytes);
  const size_t some = std::min(step, nodes - step) * nbytes;
  NoIns(1);
  In(0, (me() + step) % nodes, memory + step * nbytes, some);
  Out((me() + nodes - step) % nodes, 0, memory, some);
}

void Schedule::FinishGatherRound() {
  if (op_.phase + 1u < Rounds()) return;
  const size_t nbytes = op_.request->nbytes;
  const size_t below = me() * nbytes;
  const size_t above = (team_.nodes() - me()) * nbytes;
  std::byte* const to = op_.request->dests[0];
  const std::byte* const memory = op_.memory.get();
  CopyBytes(to + below, memory, above);
  CopyBytes(to, memory + above, below);
}

// ---- exchange

namespace {

// Calls f(i) for the blocks that go on in that round; blocks of zero bytes do
// not travel.
template <class F>
void ForRound(Rank nodes, unsigned round, size_t nbytes, F f) {
  if (nbytes == 0) return;
  for (Rank i = Rank{1} << round; i < nodes; ++i) {
    if ((i >> round & 1) != 0) f(i);
  }
}

}  // namespace

void Schedule::BeginExchangeRound() {
  const size_t nbytes = op_.request->nbytes;
  const Rank nodes = team_.nodes();
  const size_t half = std::bit_ceil(nodes) / 2 * nbytes;
  // The blocks, what comes in a round, and what goes out in each.
  std::byte* const blocks = Memory(nodes * nbytes + (1 + Rounds()) * half);
  std::byte* const come = blocks + nodes * nbytes;
  std::byte* const go = come + (1 + op_.phase) * half;
  if (op_.phase == 0) {
    const std::byte* const from = op_.request->sources[0];
    CopyBytes(blocks, from + me() * nbytes, (nodes - me()) * nbytes);
    CopyBytes(blocks + (nodes - me()) * nbytes, from, me() * nbytes);
  }
  size_t some = 0;
  ForRound(nodes, op_.phase, nbytes, [&](Rank i) {
    std::memcpy(go + some, blocks + i * nbytes, nbytes);
    some += nbytes;
  });
  const Rank step = Rank{1} << op_.phase;
  NoIns(1);
  In(0, (me() + nodes - step) % nodes, come, some);
  Out((me() + step) % nodes, 0, go, some);
}

void Schedule::FinishExchangeRound() {
  const size_t nbytes = op_.request->nbytes;
  const Rank nodes = team_.nodes();
  std::byte* const blocks = op_.memory.get();
  const std::byte* come = blocks + nodes * nbytes;
  ForRound(nodes, op_.phase, nbytes, [&](Rank i) {
    std::memcpy(blocks + i * nbytes, come, nbytes);
    come += nbytes;
  });
  if (op_.phase + 1u < Rounds()) return;
  std::byte* const to = op_.request->dests[0];
  for (Rank i = 0; i < nodes; ++i) {
    const Rank from = (me() + nodes - i) % nodes;
    CopyBytes(to + from * nbytes, blocks + i * nbytes, nbytes);
  }
}

}  // namespace gasnet::coll
