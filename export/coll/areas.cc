#include "export/coll/areas.h"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <numeric>

#include "base/log.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {
namespace {

using coll::CollectiveKind;
using coll::CollectiveRequest;

struct Area {
  const std::byte* at = nullptr;
  size_t nbytes = 0;
  bool is_dest = false;
};

// The number of bytes that an operation uses at each of its address arguments.
// coll/request.h lists these arguments.
struct Sizes {
  size_t dest = 0;
  size_t source = 0;
  size_t root = 0;
  bool root_is_dest = false;
};

size_t Sum(const size_t* sizes, Rank count) {
  return sizes == nullptr ? 0
                          : std::accumulate(sizes, sizes + count, size_t{0});
}

Sizes SizesOf(const CollectiveRequest& request, const NodePosition& place) {
  const size_t one = request.nbytes;
  const size_t all = one * place.total;
  switch (request.kind) {
    case CollectiveKind::kBroadcast:
      return {.dest = one, .root = one};
    case CollectiveKind::kScatter:
      return {.dest = one, .root = all};
    case CollectiveKind::kGather:
      return {.source = one, .root = all, .root_is_dest = true};
    case CollectiveKind::kGatherAll:
      return {.dest = all, .source = one};
    case CollectiveKind::kExchange:
      return {.dest = all, .source = all};
    case CollectiveKind::kReduce:
      return {.source = one, .root = one, .root_is_dest = true};
    case CollectiveKind::kReduceAll:
    case CollectiveKind::kPrefixReduce:
    case CollectiveKind::kPermute:
      return {.dest = one, .source = one};
    case CollectiveKind::kScatterV:
      return {.dest = request.own_size,
              .root = Sum(request.out_sizes, place.nodes)};
    case CollectiveKind::kGatherV:
      return {.source = request.own_size,
              .root = Sum(request.in_sizes, place.nodes),
              .root_is_dest = true};
    case CollectiveKind::kGatherAllV:
      return {.dest = Sum(request.in_sizes, place.nodes),
              .source = request.own_size};
    case CollectiveKind::kExchangeV:
      return {.dest = Sum(request.in_sizes, place.nodes),
              .source = Sum(request.out_sizes, place.nodes)};
    case CollectiveKind::kPut:
    case CollectiveKind::kGet:
    case CollectiveKind::kBarrier:
      break;
  }
  return {};
}

// Returns the offset of this node's block i in an area that holds the blocks of
// all nodes.
size_t OffsetOf(const CollectiveRequest& request, const NodePosition& place,
                size_t i) {
  if (request.kind == CollectiveKind::kGatherV ||
      request.kind == CollectiveKind::kGatherAllV) {
    return Sum(request.in_sizes, place.node);
  }
  if (request.kind == CollectiveKind::kScatterV) {
    return Sum(request.out_sizes, place.node);
  }
  return place.mine[i] * request.nbytes;
}

const std::byte* RootArea(const CollectiveRequest& request) {
  return static_cast<const std::byte*>(request.root_area);
}

// Returns true if the source of this node's block i already lies at the address
// to which the operation would move the block.
bool SourceIsInPlace(const CollectiveRequest& request,
                     const NodePosition& place, size_t i) {
  const std::byte* const source = request.sources[i];
  switch (request.kind) {
    case CollectiveKind::kGather:
    case CollectiveKind::kGatherV:
      return place.is_root &&
             source == RootArea(request) + OffsetOf(request, place, i);
    case CollectiveKind::kReduce:
      return place.is_root && source == RootArea(request);
    case CollectiveKind::kGatherAll:
    case CollectiveKind::kGatherAllV:
      return source == request.dests[i] + OffsetOf(request, place, i);
    case CollectiveKind::kReduceAll:
    case CollectiveKind::kPrefixReduce:
      return source == request.dests[i];
    default:
      return false;
  }
}

// Returns true if this node is a root that sends, and its own block i already
// lies at its destination.
bool DestIsInPlace(const CollectiveRequest& request, const NodePosition& place,
                   size_t i) {
  if (!place.is_root) return false;
  if (request.kind != CollectiveKind::kScatter &&
      request.kind != CollectiveKind::kScatterV) {
    return false;
  }
  return request.dests[i] == RootArea(request) + OffsetOf(request, place, i);
}

bool RootIsInPlace(const CollectiveRequest& request) {
  if (request.kind != CollectiveKind::kBroadcast) return false;
  for (size_t i = 0; i < request.dests.count(); ++i) {
    if (request.dests[i] == request.root_area) return true;
  }
  return false;
}

void CheckPromise(const CollectiveRequest& request, const Area& area,
                  const Segment& segment) {
  const int promise =
      area.is_dest ? GASNET_COLL_DST_IN_SEGMENT : GASNET_COLL_SRC_IN_SEGMENT;
  if ((static_cast<int>(request.flags) & promise) == 0 || area.nbytes == 0 ||
      segment.Contains(area.at, area.nbytes))
    return;
  Fatal(
      "%s: flags have %s, but the %zu bytes at %p are not inside the segment, "
      "which is the %" PRIuPTR " bytes at 0x%" PRIxPTR,
      request.call,
      area.is_dest ? "GASNET_COLL_DST_IN_SEGMENT"
                   : "GASNET_COLL_SRC_IN_SEGMENT",
      area.nbytes, static_cast<const void*>(area.at), segment.size,
      segment.base);
}

void CheckNull(const CollectiveRequest& request, const Area& area) {
  if (area.at != nullptr || area.nbytes == 0) return;
  Fatal("%s: %s is NULL, with %zu bytes", request.call,
        area.is_dest ? "a destination" : "a source", area.nbytes);
}

const char* NameOf(const Area& area) {
  return area.is_dest ? "destination" : "source";
}

// Requires that no destination overlaps another area. Goes through the areas in
// order of address: no area may begin inside an earlier destination, and no
// destination inside an earlier source. Earlier sources may overlap each other,
// so only the one with the highest end is compared.
void RequireApart(const char* call, std::vector<Area>& areas) {
  std::ranges::sort(areas, {}, [](const Area& area) { return area.at; });
  // The source and the destination with the highest ends so far.
  const Area* furthest[2] = {};
  for (const Area& next : areas) {
    for (const Area* const before : furthest) {
      if (before == nullptr || (!before->is_dest && !next.is_dest)) continue;
      if (static_cast<size_t>(next.at - before->at) >= before->nbytes) continue;
      Fatal("%s: the %zu bytes of a %s at %p overlap the %zu of a %s at %p",
            call, before->nbytes, NameOf(*before),
            static_cast<const void*>(before->at), next.nbytes, NameOf(next),
            static_cast<const void*>(next.at));
    }
    const Area*& mine = furthest[next.is_dest ? 1 : 0];
    if (mine == nullptr || next.at + next.nbytes > mine->at + mine->nbytes)
      mine = &next;
  }
}

// The areas of this call that may not overlap. Add() checks each area by itself
// before it collects the area.
class Collected {
 public:
  Collected(const CollectiveRequest& request, const Segment& segment)
      : request_(request), segment_(segment) {}

  void Add(const Area& area, bool in_place) {
    CheckNull(request_, area);
    CheckPromise(request_, area, segment_);
    if (area.nbytes > 0 && !in_place) apart_.push_back(area);
  }
  void RequireApart() { exported::RequireApart(request_.call, apart_); }

 private:
  const CollectiveRequest& request_;
  const Segment& segment_;
  std::vector<Area> apart_;
};

void AddPartners(const CollectiveRequest& request, Collected& areas) {
  const coll::TransferPartners& moves = request.partners;
  const bool is_put = request.kind == CollectiveKind::kPut;
  for (size_t i = 0; i < moves.count; ++i) {
    areas.Add(
        {is_put ? moves.sources[i] : moves.dests[i], request.nbytes, !is_put},
        false);
  }
}

}  // namespace

void CheckAreas(const CollectiveRequest& request, const NodePosition& place,
                const Segment& segment) {
  const Sizes sizes = SizesOf(request, place);
  Collected areas(request, segment);
  for (size_t i = 0; i < request.dests.count(); ++i) {
    areas.Add({request.dests[i], sizes.dest, true},
              DestIsInPlace(request, place, i));
  }
  for (size_t i = 0; i < request.sources.count(); ++i) {
    areas.Add({request.sources[i], sizes.source, false},
              SourceIsInPlace(request, place, i));
  }
  if (place.is_root && sizes.root > 0) {
    areas.Add({RootArea(request), sizes.root, sizes.root_is_dest},
              RootIsInPlace(request));
  }
  AddPartners(request, areas);
  areas.RequireApart();
}

void CheckUnequalAreas(const CollectiveRequest& request, Rank me,
                       const Segment& segment) {
  const bool is_rooted = request.kind == CollectiveKind::kReduce;
  const bool is_prefix = request.kind == CollectiveKind::kPrefixReduce;
  const bool has_dest = !is_rooted || request.root == me;
  const Area source = {request.sources[0], request.nbytes, false};
  const Area dest = {is_rooted ? RootArea(request) : request.dests[0],
                     is_prefix ? request.nbytes : request.reduction.elem_size,
                     true};
  const bool in_place = has_dest && source.at == dest.at;
  Collected areas(request, segment);
  areas.Add(source, in_place);
  if (has_dest) areas.Add(dest, in_place);
  areas.RequireApart();
}

}  // namespace gasnet::exported
