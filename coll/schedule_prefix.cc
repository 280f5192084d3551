// Prefixes of few bytes, where all nodes share memory. Messages carry subtrees
// of the canonical tree (combine.h), and a node ends up with those of all
// contributions before its own: one for each bit of its number.
#include <algorithm>
#include <bit>

#include "coll/access.h"
#include "coll/combine.h"
#include "coll/schedule.h"

namespace gasnet::coll {

bool Schedule::IsChain(const Team& team, const Request& request,
                       const Settings& settings) {
  const size_t blocks = std::bit_width(team.nodes());
  return request.kind == Kind::kPrefixReduce &&
         team.nodes() >= settings.chain_from && team.all_near() &&
         team.one_image_each() && request.nbytes <= settings.flat_reduce &&
         !HasCenter(team, settings) &&
         request.nbytes * blocks <= settings.eager_far;
}

// ---- chain
// ---------------------------------------------------------------------
//
// A message has the subtrees of all contributions so far (combine.h).

void Schedule::BeginChain() {
  const size_t nbytes = op_.request->nbytes;
  const size_t before = ChainBlocks(me()) * nbytes;
  const size_t after = ChainBlocks(me() + size_t{1}) * nbytes;
  std::byte* const memory = Memory(before + after);
  if (op_.phase == 0) {
    NoIns(1);
    if (me() > 0) In(0, me() - 1, memory, before);
    return;
  }
  NoIns(0);
  if (me() + 1 == team_.nodes()) return;
  Out(me() + 1, 0, memory + before, after);
  op_.outs.back().phase = 0;
}

void Schedule::FinishChain() {
  if (op_.phase != 0) return;
  const Request& request = *op_.request;
  std::byte* const memory = op_.memory.get();
  combiner_.ExtendChain(request.reduction, me(), memory, request.sources[0],
                        memory + ChainBlocks(me()) * request.nbytes,
                        request.dests[0]);
}

// ---- Sklansky (1960)
// ---------------------------------------------------------------------
//
// In a crowd, where each step of a chain is a turn on a processor. In round r,
// the last of each 2^r nodes, if these are the lower half of 2^(r+1), sends
// their subtree to all of the upper half: n / 2 messages in each of log2 n
// rounds.

bool Schedule::IsSklansky(const Team& team, const Request& request,
                          const Settings& settings) {
  return request.kind == Kind::kPrefixReduce && HasCenter(team, settings) &&
         team.one_image_each() && request.nbytes <= settings.flat_reduce;
}

namespace {

// Whether the node is the last one of 2^round that make a subtree.
bool EndsSubtree(Rank me, unsigned round) {
  return static_cast<unsigned>(std::countr_one(me)) >= round;
}

}  // namespace

// Vectors of the memory: what comes, as ExtendChain takes it; what that makes
// of it; and the subtrees that end here, also that of this node alone, since
// the result may overwrite it before it is sent.
std::byte* Schedule::SubtreesBefore() {
  const size_t ending = static_cast<size_t>(std::countr_one(me()));
  return Memory(
      (ChainBlocks(me()) + ChainBlocks(me() + size_t{1}) + 1 + ending) *
      op_.request->nbytes);
}
std::byte* Schedule::SubtreesAfter() {
  return SubtreesBefore() + ChainBlocks(me()) * op_.request->nbytes;
}
std::byte* Schedule::SubtreeEnding(unsigned round) {
  const size_t at = ChainBlocks(me() + size_t{1}) + round;
  return SubtreesAfter() + at * op_.request->nbytes;
}

void Schedule::BeginSklansky() {
  const size_t nbytes = op_.request->nbytes;
  const unsigned round = op_.phase;
  const Rank step = Rank{1} << round;
  NoIns(1);
  if ((me() & step) != 0) {
    const size_t larger = ChainBlocks(me() >> (round + 1));
    return In(0, (me() & ~(step - 1)) - 1, SubtreesBefore() + larger * nbytes,
              nbytes);
  }
  if (!EndsSubtree(me(), round)) return;
  std::byte* const subtree = SubtreeEnding(round);
  if (round == 0) CopyBytes(subtree, op_.request->sources[0], nbytes);
  const Rank end = std::min(me() + step, team_.nodes() - 1);
  for (Rank to = me() + 1; to <= end; ++to) Out(to, 0, subtree, nbytes);
}

void Schedule::FinishSklansky() {
  const Request& request = *op_.request;
  const unsigned round = op_.phase;
  if (EndsSubtree(me(), round + 1)) {
    const void* const halves[] = {
        op_.ins[0].bytes(),
        round == 0 ? request.sources[0] : SubtreeEnding(round)};
    if (round == 0) WillRead(request.sources[0], request.nbytes);
    combiner_.Combine(request.reduction, SubtreeEnding(round + 1), halves, 2,
                      request.reduction.elem_count);
  }
  if (round + 1 < Rounds()) return;
  combiner_.ExtendChain(request.reduction, me(), SubtreesBefore(),
                        request.sources[0], SubtreesAfter(), request.dests[0]);
}

}  // namespace gasnet::coll
