#include "conformance/coll/trial.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace conformance {
namespace {

enum Role : uint32_t { kDst, kSrc };

// Returns a number that depends on all arguments and is the same on all nodes.
uint64_t Mix(uint32_t key, uint32_t a, uint32_t b) {
  uint64_t mixed = (uint64_t{key} << 32) + (uint64_t{a} << 16) + b;
  mixed = (mixed ^ (mixed >> 31)) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 32);
}

bool IsPair(Kind kind) { return kind == Kind::kPut || kind == Kind::kGet; }

}  // namespace

uint32_t Group::me() const {
  const auto found = std::find(members.begin(), members.end(), gasnet_mynode());
  return static_cast<uint32_t>(found - members.begin());
}

Group TheJob() {
  Group group = {GASNET_TEAM_ALL, {}};
  group.members.resize(gasnet_nodes());
  std::iota(group.members.begin(), group.members.end(), 0u);
  return group;
}

bool Exists(Kind kind, Form form) {
  switch (form) {
    case Form::kAll:
      return true;
    case Form::kIndexed:
      return kind <= Kind::kExchange || IsPair(kind);
    default:
      return kind <= Kind::kReduce;
  }
}

int Plan::flags() const {
  int flags = in | out | (single ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL);
  if (kind == Kind::kPrefixExclusive) flags |= GASNET_ALL_EXCLUSIVE;
  if (!promise || in_place) return flags;
  if (dst_place == Place::kSegment) flags |= GASNET_COLL_DST_IN_SEGMENT;
  if (src_place == Place::kSegment) flags |= GASNET_COLL_SRC_IN_SEGMENT;
  return flags;
}

bool Plan::IsComputed() const {
  return kind >= Kind::kReduce && kind <= Kind::kPrefixExclusive;
}

// --- Layout of blocks and areas ---

Trial::Trial(const Plan& plan) : plan_(plan), me_(plan.group->me()) {
  if (plan_.IsComputed()) plan_.nbytes -= plan_.nbytes % kMatrixBytes;
  DescribeBlocks();
  DescribeAreas();
  ReserveAll(plan_.dst_place, dsts_, kDst);
  ReserveAll(plan_.src_place, srcs_, kSrc);
  if (plan_.in_place) DescribeInPlace();
}

void Trial::DescribeBlocks() {
  const uint32_t size = plan_.group->size();
  owners_.resize(size);
  std::iota(owners_.begin(), owners_.end(), 0u);
  if (IsPair(plan_.kind)) return DescribePairs();
  if (plan_.form != Form::kIndexed) return;
  // There are up to two blocks for each node, and at least one in total. The
  // owners of the blocks come in a random order. With `single`, all nodes know
  // this order, and the blocks are shuffled once more.
  std::vector<uint32_t> order = owners_;
  Random random(plan_.key);
  for (size_t i = size; i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  owners_.clear();
  for (const uint32_t owner : order) {
    owners_.insert(owners_.end(), random.Below(3), owner);
  }
  if (owners_.empty()) owners_.push_back(order[0]);
  for (size_t i = owners_.size(); plan_.single && i > 1; --i) {
    std::swap(owners_[i - 1], owners_[random.Below(i)]);
  }
}

void Trial::DescribePairs() {
  Random random(plan_.key);
  const uint32_t size = plan_.group->size();
  if (plan_.form == Form::kIndexed) {
    owners_.resize(random.Below(3 * size));
    for (uint32_t& owner : owners_) {
      owner = static_cast<uint32_t>(random.Below(size));
    }
  }
  targets_.resize(owners_.size());
  for (uint32_t& target : targets_) {
    target = static_cast<uint32_t>(random.Below(size));
  }
}

std::vector<Area> Trial::AtRoot(size_t bytes) const {
  return {{plan_.root, 0, bytes}};
}

std::vector<Area> Trial::Each(size_t bytes) const {
  std::vector<Area> areas;
  for (uint32_t block = 0; block < blocks(); ++block) {
    areas.push_back({owners_[block], block, bytes});
  }
  return areas;
}

std::vector<Area> Trial::EachOf(size_t (Trial::*size)(uint32_t) const) const {
  std::vector<Area> areas = Each(0);
  for (Area& area : areas) area.bytes = (this->*size)(area.block);
  return areas;
}

size_t Trial::SizeOf(uint32_t from, uint32_t to) const {
  return Mix(plan_.key, from, to) % (plan_.nbytes + 1);
}

size_t Trial::SizeOut(uint32_t from) const {
  size_t bytes = 0;
  for (uint32_t to = 0; to < blocks(); ++to) bytes += SizeOf(from, to);
  return bytes;
}

size_t Trial::SizeIn(uint32_t to) const {
  size_t bytes = 0;
  for (uint32_t from = 0; from < blocks(); ++from) bytes += SizeOf(from, to);
  return bytes;
}

uint32_t Trial::TargetOf(uint32_t block) const {
  const uint32_t turned = block + plan_.key % blocks();
  return plan_.key % 2 == 0 ? turned % blocks()
                            : (2 * blocks() - 1 - turned) % blocks();
}

uint32_t Trial::SourceOf(uint32_t block) const {
  uint32_t source = 0;
  while (TargetOf(source) != block) ++source;
  return source;
}

void Trial::DescribeAreas() {
  const size_t one = plan_.nbytes;
  const size_t all = one * blocks();
  switch (plan_.kind) {
    case Kind::kBroadcast:
      return void((srcs_ = AtRoot(one), dsts_ = Each(one)));
    case Kind::kScatter:
      return void((srcs_ = AtRoot(all), dsts_ = Each(one)));
    case Kind::kGather:
      return void((srcs_ = Each(one), dsts_ = AtRoot(all)));
    case Kind::kGatherAll:
      return void((srcs_ = Each(one), dsts_ = Each(all)));
    case Kind::kExchange:
      return void((srcs_ = Each(all), dsts_ = Each(all)));
    case Kind::kReduce:
      return void((srcs_ = Each(one), dsts_ = AtRoot(one)));
    case Kind::kReduceAll:
    case Kind::kPrefix:
    case Kind::kPrefixExclusive:
    case Kind::kPermute:
      return void((srcs_ = Each(one), dsts_ = Each(one)));
    case Kind::kScatterV:
      srcs_ = AtRoot(SizeOut(0));
      return void(dsts_ = EachOf(&Trial::SizeTo));
    case Kind::kGatherV:
      dsts_ = AtRoot(SizeOut(0));
      return void(srcs_ = EachOf(&Trial::SizeTo));
    case Kind::kGatherAllV:
      dsts_ = Each(SizeOut(0));
      return void(srcs_ = EachOf(&Trial::SizeTo));
    case Kind::kExchangeV:
      srcs_ = EachOf(&Trial::SizeOut);
      return void(dsts_ = EachOf(&Trial::SizeIn));
    case Kind::kPut:
    case Kind::kGet:
      srcs_ = dsts_ = Each(one);
      for (uint32_t i = 0; i < blocks(); ++i) {
        (plan_.kind == Kind::kPut ? dsts_ : srcs_)[i].owner = targets_[i];
      }
  }
}

// Returns a misalignment in bytes. If all nodes give one address, all blocks
// have the same misalignment.
size_t Trial::Misalignment(uint32_t block, uint32_t role) const {
  const bool one =
      plan_.single && (plan_.form == Form::kAll || plan_.form == Form::kTeam);
  const size_t unit = plan_.IsComputed() ? 8 : 1;
  return Mix(plan_.key, one ? 0 : block + 1, role) % 8 * unit;
}

// Reserves memory for each node's areas, in the order of blocks. Every area
// gets the size of the largest one, so that all nodes reserve the same sizes.
void Trial::ReserveAll(Place place, std::vector<Area>& areas, uint32_t role) {
  size_t most = 0;
  for (const Area& area : areas) most = std::max(most, area.bytes);
  std::vector<size_t> offsets;
  std::vector<size_t> used(plan_.group->size());
  for (Area& area : areas) {
    const size_t which = used[area.owner]++;
    if (which == offsets.size()) {
      offsets.emplace_back();
      ok_ = ok_ && Reserve(place, most + 64, 0, &offsets.back());
    }
    area.offset = offsets[which] + Misalignment(area.block, role);
  }
}

void Trial::DescribeInPlace() {
  if (plan_.kind == Kind::kScatter) {
    dsts_[plan_.root].inside = true;
    return;
  }
  for (Area& area : srcs_) {
    area.inside = dsts_.size() == srcs_.size() || area.owner == plan_.root;
  }
}

char* Trial::DstOf(const Area& area) const {
  if (area.inside) {
    return AddressOn(NodeOf(area.owner), plan_.src_place, srcs_[0].offset) +
           area.block * plan_.nbytes;
  }
  return AddressOn(NodeOf(area.owner), plan_.dst_place, area.offset);
}

char* Trial::SrcOf(const Area& area) const {
  if (!area.inside) {
    return AddressOn(NodeOf(area.owner), plan_.src_place, area.offset);
  }
  const Area& outer = dsts_.size() == 1 ? dsts_[0] : dsts_[area.owner];
  const bool whole =
      plan_.kind == Kind::kGather || plan_.kind == Kind::kGatherAll;
  return DstOf(outer) + (whole ? area.block * plan_.nbytes : 0);
}

// --- Choices ---

namespace {

bool MayBeInPlace(const Plan& plan) {
  if (plan.form == Form::kIndexed || plan.single) return false;
  return plan.kind <= Kind::kPrefix && plan.kind != Kind::kExchange;
}

Place AnyPlace(Random& random, int most) {
  return static_cast<Place>(random.Below(static_cast<uint64_t>(most)));
}

Place KnownPlace(const Plan& plan, Random& random) {
  const bool lists = plan.form == Form::kLists || plan.form == Form::kIndexed;
  const bool segment = lists || GASNET_ALIGNED_SEGMENTS != 0;
  return segment && random.Below(2) == 0 ? Place::kSegment : Place::kFixed;
}

}  // namespace

void Vary(Plan& plan, Random& random) {
  plan.root = static_cast<uint32_t>(random.Below(plan.group->size()));
  plan.key = static_cast<uint32_t>(random.Below(uint64_t{1} << 31));
  plan.promise = random.Below(2) == 0;
  plan.matrices = random.Below(2) == 0;
  if (plan.kind == Kind::kPut || plan.kind == Kind::kGet) plan.single = false;
  plan.dst_place = AnyPlace(random, kPlaces - 1);
  plan.src_place = AnyPlace(random, kPlaces);
  if (plan.single) {
    plan.dst_place = KnownPlace(plan, random);
    plan.src_place = KnownPlace(plan, random);
  }
  // Memory that another node addresses must lie in its owner's segment.
  if (plan.kind == Kind::kPut) plan.dst_place = Place::kSegment;
  if (plan.kind == Kind::kGet) plan.src_place = Place::kSegment;
  plan.in_place = random.Below(4) == 0 && MayBeInPlace(plan);
  if (plan.in_place && plan.kind == Kind::kScatter &&
      plan.src_place == Place::kPages) {
    plan.src_place = Place::kHeap;
  }
}

}  // namespace conformance
