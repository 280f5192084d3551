// Barriers: the votes of all nodes are merged. There are three ways: from all
// nodes to all, through the center, or by dissemination. In round r of a
// dissemination each node merges all votes that it has received. It sends the
// result to the node 2^r above itself.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coll/algorithms/central.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

struct WireVote {
  int32_t named;
  int32_t mismatch;
  int32_t id;
};
static_assert(kVoteBytes == sizeof(WireVote));

// Returns memory for `places` votes and stores this node's current vote at
// `place`. Each phase has its own place, because the vote sent in an earlier
// phase may still be read.
std::byte* PutVote(OperationPhase& at, size_t place, size_t places) {
  if (at.index() == 0) at.op.vote = at.request.vote;
  const BarrierVote& is = at.op.vote;
  const WireVote vote = {is.named, is.mismatch, is.id};
  std::byte* const memory = at.Memory(places * kVoteBytes);
  std::memcpy(memory + place * kVoteBytes, &vote, kVoteBytes);
  return memory;
}

void MergeVotes(OperationPhase& at) {
  for (const InPart& in : at.op.ins) {
    if (in.nbytes == 0) continue;
    WireVote vote;
    std::memcpy(&vote, in.bytes(), kVoteBytes);
    at.op.vote = Merge(at.op.vote, {.named = vote.named != 0,
                                    .mismatch = vote.mismatch != 0,
                                    .id = vote.id});
  }
}

class FlatBarrier final : public Algorithm {
 public:
  constexpr FlatBarrier() : Algorithm({.runs_at_once = true}) {}

  void Begin(OperationPhase& at) const override {
    const Rank nodes = at.nodes();
    std::byte* const votes = PutVote(at, nodes, nodes + size_t{1});
    at.NoIns(nodes);
    at.ForOthers([&](Rank other) {
      at.In(other, other, votes + other * kVoteBytes, kVoteBytes);
      at.Out(other, at.me(), votes + nodes * kVoteBytes, kVoteBytes);
    });
  }
  void Finish(OperationPhase& at) const override { MergeVotes(at); }
};

class CentralBarrierAlgorithm final : public Central {
 public:
  void Begin(OperationPhase& at) const override {
    const size_t place = at.nodes() + at.index();
    std::byte* const votes = PutVote(at, place, at.nodes() + size_t{2});
    const std::byte* const mine = votes + place * kVoteBytes;
    if (at.index() == 0) return ToCenter(at, mine, votes, kVoteBytes);
    FromCenter(at, mine, 0, votes, kVoteBytes);
  }
  void Finish(OperationPhase& at) const override { MergeVotes(at); }
};

class Dissemination final : public Algorithm {
 public:
  constexpr Dissemination() : Algorithm({.runs_at_once = true}) {}

  unsigned Phases(const Team& team) const override { return team.rounds(); }
  void Begin(OperationPhase& at) const override {
    const Rank nodes = at.nodes();
    const Rank step = Rank{1} << at.index();
    const size_t place = size_t{2} * at.index();
    std::byte* const mine =
        PutVote(at, place, 2 * at.team.rounds()) + place * kVoteBytes;
    at.NoIns(1);
    at.In(0, (at.me() + nodes - step) % nodes, mine + kVoteBytes, kVoteBytes);
    at.Out((at.me() + step) % nodes, 0, mine, kVoteBytes);
  }
  void Finish(OperationPhase& at) const override { MergeVotes(at); }
};

constexpr FlatBarrier kFlatBarrierObject;
constexpr CentralBarrierAlgorithm kCentralBarrierObject;
constexpr Dissemination kDisseminationObject;

}  // namespace

const Algorithm& kFlatBarrier = kFlatBarrierObject;
const Algorithm& kCentralBarrier = kCentralBarrierObject;
const Algorithm& kDissemination = kDisseminationObject;

}  // namespace gasnet::coll::algorithms
