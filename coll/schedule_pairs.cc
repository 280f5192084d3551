// The phases of what is not made of equal blocks: parts of their own sizes,
// generalized puts and gets, barriers.
#include <cstring>

#include "coll/access.h"
#include "coll/schedule.h"

namespace gasnet::coll {

// ---- parts of their own sizes

void Schedule::BeginSizes() {
  const Request& request = *op_.request;
  const Rank nodes = team_.nodes();
  const Kind kind = request.kind;
  const bool receives_all = kind == Kind::kGatherAllV ||
                            kind == Kind::kExchangeV ||
                            (kind == Kind::kGatherV && IsRoot());
  NoIns(receives_all ? nodes : kind == Kind::kScatterV && !IsRoot() ? 1 : 0);
  if (kind == Kind::kScatterV && !IsRoot()) {
    return In(0, request.root, request.dests[0], request.own_size);
  }
  if (kind == Kind::kGatherV && !IsRoot()) {
    return Out(request.root, me(), request.sources[0], request.own_size);
  }
  const bool sends_parts = kind == Kind::kScatterV || kind == Kind::kExchangeV;
  const std::byte* from = kind == Kind::kScatterV
                              ? static_cast<std::byte*>(request.root_area)
                              : request.sources[0];
  std::byte* to = kind == Kind::kGatherV
                      ? static_cast<std::byte*>(request.root_area)
                      : request.dests[0];
  for (Rank node = 0; node < nodes; ++node) {
    if (receives_all) {
      if (node != me()) In(node, node, to, request.in_sizes[node]);
      to += request.in_sizes[node];
    }
    if (kind == Kind::kGatherV) continue;
    const size_t size =
        sends_parts ? request.out_sizes[node] : request.in_sizes[me()];
    const size_t key = kind == Kind::kScatterV ? 0 : me();
    if (node != me()) Out(node, key, from, size);
    if (sends_parts) from += size;
  }
}

void Schedule::FinishSizes() {
  const Request& request = *op_.request;
  const Kind kind = request.kind;
  const bool rooted = kind == Kind::kScatterV || kind == Kind::kGatherV;
  if (rooted && !IsRoot()) return;
  size_t before_in = 0;
  size_t before_out = 0;
  for (Rank node = 0; node < me(); ++node) {
    if (kind != Kind::kScatterV) before_in += request.in_sizes[node];
    if (kind == Kind::kScatterV || kind == Kind::kExchangeV) {
      before_out += request.out_sizes[node];
    }
  }
  auto* const area = static_cast<std::byte*>(request.root_area);
  std::byte* const to =
      (kind == Kind::kGatherV ? area : request.dests[0]) + before_in;
  const std::byte* const from =
      (kind == Kind::kScatterV ? area : request.sources[0]) + before_out;
  const size_t size = kind == Kind::kScatterV ? request.out_sizes[me()]
                                              : request.in_sizes[me()];
  CopyBytes(to, from, size);
}

// ---- generalized put and get

void Schedule::BeginTokens(bool back) {
  const Partners& partners = op_.request->partners;
  // In the first phase the accessed tell those that access, then these those.
  const auto accessed = [&](size_t i) {
    const Rank node =
        partners.nodes == nullptr ? partners.node : partners.nodes[i];
    return team_.index_of(node);
  };
  size_t ins = 0;
  const size_t most = partners.count + partners.partners.size();
  NoIns(most);
  for (size_t i = 0; i < partners.count; ++i) {
    const Rank node = accessed(i);
    if (node == me()) continue;
    back ? Out(node, 0, nullptr, 0) : In(ins++, node, nullptr, 0);
  }
  for (const Rank rank : partners.partners) {
    const Rank node = team_.index_of(rank);
    if (node == me()) continue;
    back ? In(ins++, node, nullptr, 0) : Out(node, 0, nullptr, 0);
  }
}

// ---- barrier

namespace {

struct WireVote {
  int32_t named;
  int32_t mismatch;
  int32_t id;
};

}  // namespace

void Schedule::BeginBarrier() {
  const Rank nodes = team_.nodes();
  if (op_.phase == 0) op_.vote = op_.request->vote;
  // A vote of its own for each phase: what was sent may be read still.
  constexpr size_t kBytes = sizeof(WireVote);
  const bool central = HasCenter(team_, settings_);
  const bool all_at_once = central || IsFlat();
  std::byte* const memory =
      Memory(kBytes * (all_at_once ? nodes + 2 : 2 * Rounds() + 2));
  std::byte* const mine =
      memory + (all_at_once ? nodes + op_.phase : 2 * op_.phase) * kBytes;
  const WireVote vote = {op_.vote.named, op_.vote.mismatch, op_.vote.id};
  std::memcpy(mine, &vote, kBytes);
  if (!all_at_once) {
    const Rank step = Rank{1} << op_.phase;
    NoIns(1);
    In(0, (me() + nodes - step) % nodes, mine + kBytes, kBytes);
    return Out((me() + step) % nodes, 0, mine, kBytes);
  }
  NoIns(nodes);
  for (Rank i = 1; i < nodes; ++i) {
    const Rank other = (me() + i) % nodes;
    // The center hears all, then all hear the center.
    const bool hears = !central || (op_.phase == 0 ? me() : other) == kCenter;
    const bool tells = !central || (op_.phase == 0 ? other : me()) == kCenter;
    if (hears) In(other, other, memory + other * kBytes, kBytes);
    if (tells) Out(other, me(), mine, kBytes);
  }
}

void Schedule::FinishBarrier() {
  for (const InPart& in : op_.ins) {
    if (in.nbytes == 0) continue;
    WireVote vote;
    std::memcpy(&vote, in.bytes(), sizeof(vote));
    op_.vote = Merge(op_.vote, {.named = vote.named != 0,
                                .mismatch = vote.mismatch != 0,
                                .id = vote.id});
  }
}

}  // namespace gasnet::coll
