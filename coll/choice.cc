#include "coll/choice.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "coll/crowd.h"

namespace gasnet::coll {
namespace {

struct CollectiveCall {
  const Team& team;
  const CollectiveRequest& request;
  const CollSettings& settings;

  size_t nbytes() const { return request.nbytes; }
  bool InCrowd() const { return IsCrowd(team, settings); }
  // Returns true if there are few nodes. With few nodes, nodes send directly to
  // all others, or to the root.
  bool IsFlat() const {
    return team.nodes() == 1 ||
           team.nodes() <=
               (team.all_near() ? settings.flat_near : settings.flat_far);
  }
  bool IsOneBlockEach() const {
    return request.blocks.form == BlockMap::Form::kTeam &&
           team.one_image_each();
  }
  // Returns true if the blocks of all nodes have at most `most` bytes together.
  bool AllHold(size_t most) const { return nbytes() <= most / team.nodes(); }

  // Returns true if blocks go round a ring. Each node gets every block from the
  // previous node, so it communicates with only two others. A host gets each
  // block from other hosts only once, even if the host has several nodes.
  bool IsRing() const {
    return IsOneBlockEach() && !team.all_near() && team.nodes() > 2 &&
           nbytes() >= settings.ring_from;
  }

  // Returns true if the blocks of a host travel together, through the host's
  // leader. This requires that there are few bytes, and that a host other than
  // the root's has several nodes.
  bool IsLed() const {
    if (nbytes() == 0 || !team.HasSharedHostBeyond(request.root)) return false;
    // If nodes claim their blocks, not all nodes know at this point which
    // blocks the others have. In the worst case one host has all blocks.
    const size_t blocks = request.blocks.form == BlockMap::Form::kTeam
                              ? team.most_images_on_host()
                              : request.blocks.total;
    const size_t most = std::min(settings.leaders, settings.eager_far);
    return nbytes() <= most / std::max<size_t>(blocks, 1);
  }

  // Returns true for two nodes that share no memory. Such a pair does not use
  // slices: they would move as many bytes as whole contributions, but in two
  // phases.
  bool IsFarPair() const {
    return team.nodes() == 2 && !team.all_near() && team.one_image_each();
  }
  bool IsSliced() const {
    return nbytes() > settings.flat_reduce && !IsFarPair();
  }
  // Returns true if small contributions are combined along a tree.
  bool IsTree() const {
    return team.one_image_each() && !IsFlat() && !IsFarPair();
  }
  // Returns true if prefixes of few bytes go along a chain. This requires
  // several nodes that share memory and are not a crowd. In a chain each node
  // receives and sends one message; direct messages would be n * n / 2 among n
  // nodes. All parts are eager.
  bool IsChain() const {
    const size_t blocks = std::bit_width(team.nodes());
    return team.nodes() >= settings.chain_from && team.all_near() &&
           team.one_image_each() && !InCrowd() &&
           nbytes() * blocks <= settings.eager_far;
  }
};

const Algorithm& GatherAllOf(const CollectiveCall& call) {
  const bool few = call.AllHold(call.settings.rounds_gather);
  if (call.IsOneBlockEach() && few) {
    if (call.InCrowd()) return algorithms::kCentralGatherAll;
    if (!call.IsFlat()) return algorithms::kBruckGatherAll;
  }
  return call.IsRing() ? algorithms::kRingGatherAll : algorithms::kGatherAll;
}

const Algorithm& ExchangeOf(const CollectiveCall& call) {
  if (!call.IsOneBlockEach()) return algorithms::kExchange;
  if (call.InCrowd() && call.AllHold(call.settings.eager_far)) {
    return algorithms::kCentralExchange;
  }
  const bool few = call.nbytes() <= call.settings.rounds_exchange;
  return few && !call.IsFlat() ? algorithms::kBruckExchange
                               : algorithms::kExchange;
}

const Algorithm& ReduceAllOf(const CollectiveCall& call) {
  if (call.IsSliced()) return algorithms::kSlicedReduceAll;
  if (call.InCrowd() && call.team.one_image_each()) {
    return algorithms::kCentralReduceAll;
  }
  return call.IsTree() ? algorithms::kTreeReduceAll
                       : algorithms::kFlatReduceAll;
}

const Algorithm& PrefixOf(const CollectiveCall& call) {
  if (call.IsFarPair()) return algorithms::kFlatPrefix;
  if (call.IsSliced()) return algorithms::kSlicedPrefix;
  if (call.IsChain()) return algorithms::kChainPrefix;
  return call.InCrowd() && call.team.one_image_each()
             ? algorithms::kSklanskyPrefix
             : algorithms::kFlatPrefix;
}

}  // namespace

const Algorithm& Choose(const Team& team, const CollectiveRequest& request,
                        const CollSettings& settings) {
  const CollectiveCall call = {team, request, settings};
  switch (request.kind) {
    case CollectiveKind::kBroadcast:
      return algorithms::kBroadcast;
    case CollectiveKind::kScatter:
      return call.IsLed() ? algorithms::kLedScatter : algorithms::kScatter;
    case CollectiveKind::kGather:
      return call.IsLed() ? algorithms::kLedGather : algorithms::kGather;
    case CollectiveKind::kGatherAll:
      return GatherAllOf(call);
    case CollectiveKind::kExchange:
      return ExchangeOf(call);
    case CollectiveKind::kReduce:
      return call.IsSliced() ? algorithms::kSlicedReduce
             : call.IsTree() ? algorithms::kTreeReduce
                             : algorithms::kFlatReduce;
    case CollectiveKind::kReduceAll:
      return ReduceAllOf(call);
    case CollectiveKind::kPrefixReduce:
      return PrefixOf(call);
    case CollectiveKind::kPermute:
      return algorithms::kPermute;
    case CollectiveKind::kScatterV:
      return algorithms::kScatterV;
    case CollectiveKind::kGatherV:
      return algorithms::kGatherV;
    case CollectiveKind::kGatherAllV:
      return algorithms::kGatherAllV;
    case CollectiveKind::kExchangeV:
      return algorithms::kExchangeV;
    case CollectiveKind::kPut:
    case CollectiveKind::kGet:
      return algorithms::kPartners;
    case CollectiveKind::kBarrier:
      break;
  }
  return call.InCrowd()  ? algorithms::kCentralBarrier
         : call.IsFlat() ? algorithms::kFlatBarrier
                         : algorithms::kDissemination;
}

}  // namespace gasnet::coll
