// The data that nodes pass to collectives, and the expected results.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "coll/testing/program.h"

namespace gasnet::coll::testing {
namespace {

bool IsReduction(CollectiveKind kind) {
  return kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kReduceAll ||
         kind == CollectiveKind::kPrefixReduce;
}
bool HasBlocks(CollectiveKind kind) {
  return kind <= CollectiveKind::kExchange;
}

}  // namespace

std::string Wish::Name() const {
  constexpr const char* kForms[] = {"team", "claimed", "listed"};
  return absl::StrCat(
      "kind ", static_cast<unsigned>(kind), " in ", static_cast<unsigned>(in),
      " out ", static_cast<unsigned>(out), " nbytes ", nbytes, " blocks ",
      kForms[static_cast<unsigned>(form)], in_place ? " in place" : "",
      exclusive ? " exclusive" : "", " how ", static_cast<unsigned>(how));
}

// ---- wishes and areas

Wish CallMaker::RandomWish() {
  const CollSettings& settings = world_.options().settings;
  const size_t far = settings.eager_far;
  const size_t sizes[] = {0,
                          1,
                          8,
                          64,
                          far > 0 ? far - 1 : 0,
                          far,
                          far + 1,
                          settings.eager_near,
                          settings.eager_near + 1,
                          settings.push_to,
                          settings.push_to + 1,
                          std::min<size_t>(settings.flat_reduce, 3000) + 1,
                          3001};
  Wish wish;
  wish.kind = static_cast<CollectiveKind>(Below(kKinds));
  wish.in = static_cast<SyncMode>(Below(3));
  wish.out = static_cast<SyncMode>(Below(3));
  wish.nbytes = sizes[Below(std::size(sizes))];
  if (HasBlocks(wish.kind)) wish.form = static_cast<BlockMap::Form>(Below(3));
  wish.in_place = Maybe(3);
  wish.exclusive = Maybe(2);
  wish.how = static_cast<How>(Below(kHows));
  return wish;
}

CallMaker::Blocks CallMaker::MakeBlocks(BlockMap::Form form) {
  const SimTeam& team = *calls_->team;
  const auto nodes = static_cast<Rank>(team.ranks.size());
  Blocks blocks;
  blocks.of.resize(nodes);
  const auto give = [&](Rank index) {
    blocks.of[index].push_back(static_cast<uint32_t>(blocks.owner.size()));
    blocks.owner.push_back(index);
  };
  if (form == BlockMap::Form::kTeam) {
    for (Rank i = 0; i < nodes; ++i) {
      for (uint32_t j = 0; j < team.images[i]; ++j) give(i);
    }
  } else if (form == BlockMap::Form::kClaimed) {
    std::vector<Rank> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    for (const Rank i : order) {
      for (size_t j = Below(3); j > 0; --j) give(i);
    }
  } else {
    for (size_t k = Below(2 * nodes + 1); k > 0; --k) {
      give(static_cast<Rank>(Below(nodes)));
    }
  }
  return blocks;
}

void CallMaker::SetMap(Rank index, NodeCall& call) {
  BlockMap& map = call.request.blocks;
  map.form = calls_->wish.form;
  if (map.form == BlockMap::Form::kTeam) return;
  map.total = blocks_.owner.size();
  if (map.form == BlockMap::Form::kClaimed) {
    const std::vector<uint32_t>& mine = blocks_.of[index];
    map.count = mine.size();
    map.first = mine.empty() ? 0 : mine[0];
    return;
  }
  for (const Rank owner : blocks_.owner) {
    call.owners.push_back(calls_->team->ranks[owner]);
  }
  map.owners = call.owners.data();
}

Area& CallMaker::NewArea(Rank index, size_t nbytes, bool is_dest) {
  const Rank rank = calls_->team->ranks[index];
  const bool aligned = IsReduction(calls_->wish.kind);
  Area& area = world_.memory().Add(op_, rank, nbytes, is_dest, Maybe(2),
                                   aligned ? 0 : Below(16));
  return area;
}

// Returns random contents. If a reduction needs valid numbers, the contents are
// valid numbers.
Bytes CallMaker::Content(size_t nbytes) {
  Bytes bytes(nbytes);
  if (IsReduction(calls_->wish.kind) && calls_->wish.how == How::kFloatSum) {
    for (size_t i = 0; i + sizeof(float) <= nbytes; i += sizeof(float)) {
      const float value =
          std::ldexp(static_cast<float>(static_cast<int32_t>(random_())),
                     static_cast<int>(Below(20)) - 10);
      std::memcpy(&bytes[i], &value, sizeof(value));
    }
    return bytes;
  }
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
  return bytes;
}

void CallMaker::SetRandom(Bytes& bytes, size_t at, const Bytes& from) {
  if (!from.empty()) std::memcpy(&bytes[at], from.data(), from.size());
}

void CallMaker::MakeSources(size_t each) {
  sources_.clear();
  source_at_.clear();
  for (const Rank owner : blocks_.owner) {
    Area& area = NewArea(owner, each, false);
    area.initial = Content(each);
    area.expected = area.initial;
    sources_.push_back(&area);
    source_at_.push_back(area.at);
  }
}

void CallMaker::MakeDests(size_t each) {
  dests_.clear();
  for (const Rank owner : blocks_.owner) {
    dests_.push_back(&NewArea(owner, each, true));
  }
}

Area* CallMaker::MakeRootArea(size_t nbytes, bool is_dest) {
  Area& area = NewArea(root_, nbytes, is_dest);
  area.initial = Content(nbytes);
  area.expected = area.initial;
  calls_->of[root_]->request.root_area = area.at;
  return &area;
}

// Puts the addresses of each node's blocks into the node's request.
void CallMaker::SetLists() {
  for (Rank i = 0; i < calls_->of.size(); ++i) {
    NodeCall& call = *calls_->of[i];
    call.mine = blocks_.of[i];
    // Gives a request its addresses in one of three forms: a single address, a
    // selection from a list of all blocks, or a list of this node's blocks
    // only.
    const bool of_all = Maybe(2);
    const auto list = [&](std::vector<void*>& to, auto address_of,
                          bool there) -> Addresses {
      if (!there || call.mine.empty()) return {};
      if (call.mine.size() == 1 && Maybe(2)) return address_of(call.mine[0]);
      if (of_all) {
        to.assign(blocks_.owner.size(), nullptr);
        for (const uint32_t k : call.mine) to[k] = address_of(k);
        return {to.data(), call.mine.data(), call.mine.size()};
      }
      for (const uint32_t k : call.mine) to.push_back(address_of(k));
      return {to.data(), to.size()};
    };
    call.request.sources = list(
        call.sources, [&](uint32_t k) -> void* { return source_at_[k]; },
        !source_at_.empty());
    call.request.dests = list(
        call.dests, [&](uint32_t k) -> void* { return dests_[k]->at; },
        !dests_.empty());
  }
}

// ---- calls

std::unique_ptr<Calls> CallMaker::Make(const Wish& wish, SimTeam& team) {
  auto calls = std::make_unique<Calls>();
  calls_ = calls.get();
  calls->wish = wish;
  calls->team = &team;
  op_ = world_.memory().AddOperation(wish.in, wish.out, team.ranks);
  root_ = static_cast<Rank>(Below(team.ranks.size()));
  blocks_ = MakeBlocks(wish.form);
  nbytes_ = wish.nbytes;
  sources_.clear();
  source_at_.clear();
  dests_.clear();
  // Limits the size, so that tests with many blocks need little memory and
  // time.
  const size_t blocks = blocks_.owner.size();
  if (blocks > 8) nbytes_ = std::min(nbytes_, size_t{400000} / blocks / blocks);
  const size_t elements = nbytes_ / ElementSize(wish.how);
  if (IsReduction(wish.kind)) nbytes_ = elements * ElementSize(wish.how);
  const bool single = Maybe(2);
  const auto name = static_cast<uint32_t>(random_());
  for (Rank i = 0; i < team.ranks.size(); ++i) {
    auto call = std::make_unique<NodeCall>();
    CollectiveRequest& request = call->request;
    request = {.call = "test", .kind = wish.kind};
    request.in = wish.in;
    request.out = wish.out;
    request.single = single;
    request.root = root_;
    request.root_name = root_;
    const bool sized = wish.kind >= CollectiveKind::kScatterV &&
                       wish.kind <= CollectiveKind::kExchangeV;
    request.nbytes =
        sized || wish.kind == CollectiveKind::kBarrier ? 0 : nbytes_;
    if (IsReduction(wish.kind)) {
      request.reduction = ReductionOf(wish.how, elements);
      request.reduction.name = name;
      request.reduction.exclusive =
          wish.exclusive && wish.kind == CollectiveKind::kPrefixReduce;
    }
    if (HasBlocks(wish.kind)) SetMap(i, *call);
    calls->of.push_back(std::move(call));
  }
  switch (wish.kind) {
    case CollectiveKind::kBroadcast:
      MakeBroadcast();
      break;
    case CollectiveKind::kScatter:
      MakeScatter();
      break;
    case CollectiveKind::kGather:
      MakeGather();
      break;
    case CollectiveKind::kGatherAll:
      MakeGatherAll();
      break;
    case CollectiveKind::kExchange:
      MakeExchange();
      break;
    case CollectiveKind::kReduce:
    case CollectiveKind::kReduceAll:
    case CollectiveKind::kPrefixReduce:
      MakeReduction();
      break;
    case CollectiveKind::kPermute:
      MakePermute();
      break;
    case CollectiveKind::kScatterV:
    case CollectiveKind::kGatherV:
    case CollectiveKind::kGatherAllV:
    case CollectiveKind::kExchangeV:
      MakeSizes();
      break;
    case CollectiveKind::kPut:
    case CollectiveKind::kGet:
      MakePutOrGet();
      break;
    case CollectiveKind::kBarrier:
      MakeBarrier();
      break;
  }
  return calls;
}

}  // namespace gasnet::coll::testing
