#include "export/ex/new_team.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "core/endpoint_index.h"
#include "core/runtime/runtime.h"
#include "core/thread/mode.h"
#include "ex/client.h"
#include "export/ex/team_of.h"

namespace gasnet::exported {
namespace {

constexpr gex_Flags_t kScratchModes =
    GEX_FLAG_TM_GLOBAL_SCRATCH | GEX_FLAG_TM_LOCAL_SCRATCH |
    GEX_FLAG_TM_SYMMETRIC_SCRATCH | GEX_FLAG_TM_NO_SCRATCH;

// Under GASNET_SEGMENT_EVERYTHING there is no segment, and any address is
// valid.
[[maybe_unused]] void CheckIsInSegment(const char* call, const void* address,
                                       size_t nbytes) {
#if defined(GASNET_SEGMENT_EVERYTHING)
  static_cast<void>(call), static_cast<void>(address),
      static_cast<void>(nbytes);
#else
  const gasneti_segment* const segment =
      ex::Client::Mine().endpoint().segment.load();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  const uintptr_t base =
      segment == nullptr ? 0 : reinterpret_cast<uintptr_t>(segment->address);
  if (segment != nullptr && begin >= base && nbytes <= segment->size &&
      begin - base <= segment->size - nbytes) {
    return;
  }
  Fatal("%s: scratch space of %zu bytes at %p is not in this process's segment",
        call, nbytes, address);
#endif
}

}  // namespace

bool IsSizeQuery(const char* call, gex_Flags_t flags) {
  if ((flags & GEX_FLAG_TM_SCRATCH_SIZE_MIN) != 0) {
    Warn(
        "%s: GEX_FLAG_TM_SCRATCH_SIZE_MIN is deprecated; use "
        "GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED",
        call);
    return true;
  }
  return (flags & GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED) != 0;
}

void NewTeam::Split(int color, int key, void* scratch_addr,
                    size_t scratch_size) {
  if (color < 0)
    Fatal("%s: color is %d; it must be 0 or greater", call_, color);
  wish_.color = color;
  wish_.key = key;
  if ((flags_ & GEX_FLAG_TM_NO_SCRATCH) == 0) Lend(scratch_addr, scratch_size);
}

void NewTeam::List(const ex::ExTeam& parent,
                   std::span<const gex_EP_Location_t> args,
                   const gex_Addr_t* scratch_addrs, size_t scratch_size) {
  if (args.empty()) return;
  RequireScratchMode();
  for (const gex_EP_Location_t& place : args) {
    members_.push_back(NodeOf(parent, place));
    wish_.indices.push_back(static_cast<EndpointIndex>(place.gex_ep_index));
  }
  RequireOnce();
  const auto mine =
      std::ranges::find(members_, runtime->job().rank()) - members_.begin();
  if (mine == std::ssize(members_)) return;
  wish_.color = members_[0];
  wish_.key = mine;
  const gex_EP_Index_t index = args[static_cast<size_t>(mine)].gex_ep_index;
  wish_.endpoint = ex::Client::Mine().Find(index);
  if (wish_.endpoint == nullptr) {
    Fatal("%s: args lists endpoint %u of this process, which has none", call_,
          index);
  }
  if ((flags_ & GEX_FLAG_TM_NO_SCRATCH) != 0) return;
  const bool is_global = (flags_ & GEX_FLAG_TM_GLOBAL_SCRATCH) != 0;
  Lend(scratch_addrs[is_global ? mine : 0], scratch_size);
}

void NewTeam::RequireScratchMode() const {
  if (std::popcount(flags_ & kScratchModes) == 1) return;
  Fatal(
      "%s: flags (0x%x) must have one of GEX_FLAG_TM_GLOBAL_SCRATCH, "
      "GEX_FLAG_TM_LOCAL_SCRATCH, GEX_FLAG_TM_SYMMETRIC_SCRATCH and "
      "GEX_FLAG_TM_NO_SCRATCH",
      call_, flags_);
}

void NewTeam::Lend(void* address, size_t nbytes) {
  if (thread::kChecks && (address == nullptr || nbytes == 0)) {
    Fatal(
        "%s: scratch space is %zu bytes at %p; it must be some bytes, or "
        "flags have GEX_FLAG_TM_NO_SCRATCH",
        call_, nbytes, address);
  }
  if constexpr (thread::kChecks) CheckIsInSegment(call_, address, nbytes);
  wish_.scratch = {address, nbytes};
}

// Requires that each process has at most one member in the team, since
// collectives identify a member by its process.
void NewTeam::RequireOnce() const {
  std::vector<Rank> sorted = members_;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return;
  Fatal(
      "%s: args lists two endpoints of jobrank %u; a team has at most one of a "
      "process",
      call_, *twice);
}

Rank NewTeam::NodeOf(const ex::ExTeam& parent,
                     const gex_EP_Location_t& place) const {
  if (place.gex_ep_index >= kMaxEndpoints) {
    Fatal("%s: args lists endpoint %u of rank %u; processes have 0 to %u",
          call_, place.gex_ep_index, place.gex_rank, kMaxEndpoints - 1);
  }
  if ((flags_ & GEX_FLAG_RANK_IS_JOBRANK) != 0) {
    RequireRank(call_, "a jobrank of args",
                ex::Teams::Mine().Of(&gasneti_tm_all), place.gex_rank);
    return place.gex_rank;
  }
  RequireRank(call_, "a rank of args", parent, place.gex_rank);
  return parent.NodeOf(place.gex_rank);
}

ex::ExTeam* NewTeam::MakeOver(ex::ExTeam& parent) {
  wish_.flags = flags_;
  ex::ExTeam* const team =
      ex::Teams::Mine().Split(parent, call_, std::move(wish_));
  if (team != nullptr && !members_.empty() &&
      !std::ranges::equal(team->collective.ranks(), members_)) {
    Fatal(
        "%s: args lists %zu members; %u of them give this list, which all "
        "must",
        call_, members_.size(), team->size());
  }
  return team;
}

}  // namespace gasnet::exported
