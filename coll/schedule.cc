#include "coll/schedule.h"

#include <algorithm>
#include <bit>

#include "base/log.h"
#include "coll/access.h"

namespace gasnet::coll {

namespace {

bool HasOwnSizes(Kind kind) {
  return kind == Kind::kScatterV || kind == Kind::kGatherV ||
         kind == Kind::kGatherAllV || kind == Kind::kExchangeV;
}

}  // namespace

unsigned Schedule::Phases() const {
  switch (op_.request->kind) {
    case Kind::kReduce:
    case Kind::kReduceAll:
    case Kind::kPrefixReduce:
      if (FormOf() == Form::kTree) return Rounds() + 1;
      if (FormOf() == Form::kSklansky) return Rounds();
      return FormOf() == Form::kFlat ? 1 : 2;
    case Kind::kPut:
    case Kind::kGet:
      return 2;
    case Kind::kBarrier:
      return HasCenter(team_, settings_) ? 2 : IsFlat() ? 1 : Rounds();
    default:
      if (IsCentral()) return 2;
      if (IsInRounds()) return Rounds();
      return (Claims() ? 1 : 0) +
             (IsLed() && op_.request->kind == Kind::kGather ? 2 : 1);
  }
}

bool Schedule::IsFlat(const Team& team, const Settings& settings) {
  return team.nodes() == 1 ||
         team.nodes() <=
             (team.all_near() ? settings.flat_near : settings.flat_far);
}

unsigned Schedule::Rounds() const {
  return static_cast<unsigned>(std::bit_width(team_.nodes() - 1u));
}

bool Schedule::OnlySends(Rank node) const {
  const bool is_root = op_.request->root == node;
  switch (op_.request->kind) {
    case Kind::kBroadcast:
    case Kind::kScatter:
      // Where nodes list blocks, one without any hears nothing of the root.
      return is_root && CopiesOwnFirst() &&
             op_.request->blocks.form == BlockMap::Form::kTeam;
    case Kind::kGather:
    case Kind::kGatherV:
      return !is_root;
    default:
      return false;
  }
}

// Small ones; others are under way meanwhile.
bool Schedule::CopiesOwnFirst() const {
  return op_.request->out == Sync::kAll && team_.nodes() == 2 &&
         op_.request->nbytes <= settings_.eager_near;
}

// Where the terms do not say the size of a part, the sender's comes with its
// offer: before any memory is written, and also where the receiver expects no
// rendezvous, since nodes may disagree about it.
bool Schedule::IsPulled(size_t nbytes, bool near) const {
  const Kind kind = op_.request->kind;
  if (kind == Kind::kPermute || HasOwnSizes(kind)) return true;
  if (op_.request->nbytes >= Terms::kMany) return true;
  if (!near) return false;
  switch (kind) {
    case Kind::kGather:
    case Kind::kGatherAll:
    case Kind::kExchange:
      return nbytes < settings_.push_from || nbytes > settings_.push_to;
    default:
      return true;
  }
}

// ---- blocks

size_t Schedule::Blocks() const {
  return op_.request->blocks.form == BlockMap::Form::kTeam
             ? team_.blocks()
             : op_.request->blocks.total;
}

Rank Schedule::OwnerOf(size_t block) const {
  return op_.owners.empty() ? team_.owner_of(static_cast<uint32_t>(block))
                            : op_.owners[block];
}

size_t Schedule::MyBlocks() const {
  switch (op_.request->blocks.form) {
    case BlockMap::Form::kTeam:
      return team_.images(me());
    case BlockMap::Form::kClaimed:
      return op_.request->blocks.count;
    case BlockMap::Form::kListed:
      break;
  }
  return op_.mine.size();
}

size_t Schedule::MyBlock(size_t j) const {
  switch (op_.request->blocks.form) {
    case BlockMap::Form::kTeam:
      return team_.first_image(me()) + j;
    case BlockMap::Form::kClaimed:
      return op_.request->blocks.first + j;
    case BlockMap::Form::kListed:
      break;
  }
  return op_.mine[j];
}

// MyBlocks() where it is not.
size_t Schedule::IndexOfMine(size_t block) const {
  const size_t count = MyBlocks();
  if (count == 0) return 0;
  if (op_.request->blocks.form == BlockMap::Form::kListed) {
    const auto at = std::lower_bound(op_.mine.begin(), op_.mine.end(), block);
    return at != op_.mine.end() && *at == block
               ? static_cast<size_t>(at - op_.mine.begin())
               : count;
  }
  const size_t first = MyBlock(0);
  return block - first < count ? block - first : count;
}

// ---- parts

std::byte* Schedule::Memory(size_t bytes) {
  if (op_.memory_bytes < bytes) {
    op_.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    op_.memory_bytes = bytes;
  }
  return op_.memory.get();
}

void Schedule::NoIns(size_t count) {
  op_.ins.assign(count, InPart{.done = true});
  op_.ins_left = 0;
}

void Schedule::In(size_t index, Rank from, std::byte* to, size_t nbytes) {
  op_.ins[index] = {.from = from, .to = to, .nbytes = nbytes};
  ++op_.ins_left;
}

void Schedule::Out(Rank to, size_t key, const std::byte* from, size_t nbytes,
                   uint32_t after) {
  op_.outs.push_back({.to = to,
                      .key = static_cast<uint32_t>(key),
                      .phase = op_.phase,
                      .after = after,
                      .from = from,
                      .nbytes = nbytes});
  ++op_.outs_left;
}

size_t Schedule::IndexOf(uint32_t key, Rank from) const {
  const size_t none = op_.ins.size();
  switch (op_.request->kind) {
    case Kind::kScatter:
      if (Claims() && op_.phase == 0) return key;
      if (op_.ins.empty()) return none;
      return IsLed() && LeaderOf(me()) == me() ? key : IndexOfMine(key);
    case Kind::kExchange: {
      if (IsCentral() || IsInRounds() || (Claims() && op_.phase == 0)) {
        return key;
      }
      if (op_.ins.empty()) return none;
      const size_t blocks = Blocks();
      return IndexOfMine(key / blocks) * blocks + key % blocks;
    }
    case Kind::kPrefixReduce: {
      if (FormOf() != Form::kSliced || op_.phase == 0) return key;
      const size_t nodes = team_.nodes();
      return IndexOfMine(key / nodes) * nodes + key % nodes;
    }
    case Kind::kPut:
    case Kind::kGet:
      for (size_t i = 0; i < none; ++i) {
        if (!op_.ins[i].done && op_.ins[i].from == from) return i;
      }
      return none;
    default:
      return key;
  }
}

uint32_t Schedule::KeyOf(size_t index) const {
  const auto key = static_cast<uint32_t>(index);
  if (IsCentral() || IsInRounds() || (Claims() && op_.phase == 0)) return key;
  const auto of_mine = [&](size_t each) {
    return static_cast<uint32_t>(MyBlock(index / each) * each + index % each);
  };
  switch (op_.request->kind) {
    case Kind::kScatter:
      return IsLed() && LeaderOf(me()) == me() ? key : of_mine(1);
    case Kind::kExchange:
      return of_mine(Blocks());
    case Kind::kPrefixReduce:
      return FormOf() == Form::kSliced && op_.phase == 1
                 ? of_mine(team_.nodes())
                 : key;
    default:
      return key;
  }
}

// ---- phases

void Schedule::Begin() {
  if (Claims() && op_.phase == 0) return BeginClaims();
  switch (op_.request->kind) {
    case Kind::kBroadcast: {
      std::byte* const to = MyBlocks() > 0 ? op_.request->dests[0]
                            : IsRoot()     ? nullptr
                                           : Memory(op_.request->nbytes);
      return BeginBroadcast(
          op_.request->root,
          IsRoot() ? static_cast<std::byte*>(op_.request->root_area) : to, to);
    }
    case Kind::kScatter:
      return IsLed() ? BeginLedScatter() : BeginScatter();
    case Kind::kGather:
      return IsLed() ? BeginLedGather() : BeginGather();
    case Kind::kGatherAll:
      return IsCentral()    ? BeginCentral()
             : IsInRounds() ? BeginGatherRound()
             : IsRing()     ? BeginRing()
                            : BeginGatherAll();
    case Kind::kExchange:
      return IsCentral()    ? BeginCentral()
             : IsInRounds() ? BeginExchangeRound()
                            : BeginExchange();
    case Kind::kPermute:
      NoIns(op_.request->target == me() ? 0 : 1);
      if (op_.request->target == me()) return;
      In(0, InPart::kAnybody, op_.request->dests[0], op_.request->nbytes);
      return Out(op_.request->target, 0, op_.request->sources[0],
                 op_.request->nbytes);
    case Kind::kScatterV:
    case Kind::kGatherV:
    case Kind::kGatherAllV:
    case Kind::kExchangeV:
      return BeginSizes();
    case Kind::kPut:
    case Kind::kGet:
      return BeginTokens(op_.phase == 1);
    case Kind::kBarrier:
      return BeginBarrier();
    case Kind::kReduce:
    case Kind::kReduceAll:
    case Kind::kPrefixReduce:
      return BeginReduction();
  }
}

void Schedule::Finish() {
  if (Claims() && op_.phase == 0) return FinishClaims();
  switch (op_.request->kind) {
    case Kind::kReduce:
    case Kind::kReduceAll:
    case Kind::kPrefixReduce:
      return FinishReduction();
    case Kind::kBarrier:
      return FinishBarrier();
    case Kind::kScatterV:
    case Kind::kGatherV:
    case Kind::kGatherAllV:
    case Kind::kExchangeV:
      return FinishSizes();
    case Kind::kPut:
    case Kind::kGet:
      return;
    case Kind::kGatherAll:
      return IsCentral()    ? FinishCentral()
             : IsInRounds() ? FinishGatherRound()
                            : FinishMovement();
    case Kind::kExchange:
      return IsCentral()    ? FinishCentral()
             : IsInRounds() ? FinishExchangeRound()
                            : FinishMovement();
    case Kind::kBroadcast:
    case Kind::kScatter:
      // It may be the other's already.
      if (IsRoot() && CopiesOwnFirst()) return;
      return IsLed() ? FinishLed() : FinishMovement();
    case Kind::kGather:
      return IsLed() ? FinishLed() : FinishMovement();
    default:
      return FinishMovement();
  }
}

void Schedule::BeginClaims() {
  const Rank nodes = team_.nodes();
  op_.claims.assign(size_t{2} * nodes, 0);
  op_.claims[2 * me()] = static_cast<uint32_t>(op_.request->blocks.first);
  op_.claims[2 * me() + 1] = static_cast<uint32_t>(op_.request->blocks.count);
  NoIns(nodes);
  auto* const at = reinterpret_cast<std::byte*>(op_.claims.data());
  constexpr size_t kBytes = 2 * sizeof(uint32_t);
  for (Rank i = 1; i < nodes; ++i) {
    const Rank other = (me() + i) % nodes;
    In(other, other, at + other * kBytes, kBytes);
    Out(other, me(), at + me() * kBytes, kBytes);
  }
}

void Schedule::FinishClaims() {
  constexpr uint32_t kNobody = UINT32_MAX;
  op_.owners.assign(op_.request->blocks.total, kNobody);
  size_t owned = 0;
  for (Rank node = 0; node < team_.nodes(); ++node) {
    const size_t first = op_.claims[2 * node];
    const size_t count = op_.claims[2 * node + 1];
    for (size_t k = first; k < first + count; ++k) {
      if (k >= op_.owners.size() || op_.owners[k] != kNobody) {
        Fatal("%s: rank %u has blocks %zu to %zu of %zu, which %s",
              op_.request->call, team_.rank_of(node), first, first + count - 1,
              op_.owners.size(),
              k >= op_.owners.size() ? "are not so many"
                                     : "overlap those of another rank");
      }
      op_.owners[k] = node;
    }
    owned += count;
  }
  if (owned == op_.owners.size()) return;
  Fatal("%s: all ranks together have %zu blocks; nblocks is %zu",
        op_.request->call, owned, op_.owners.size());
}

}  // namespace gasnet::coll
