#include "tools/gasnetrun/placement.h"

#include <algorithm>
#include <numeric>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"

namespace gasnet::gasnetrun {
namespace {

// Indexed by rank: the index of the rank's host in the list.
using Choice = std::vector<size_t>;

uint64_t TotalSlots(const HostList& hosts) {
  return std::accumulate(
      hosts.begin(), hosts.end(), uint64_t{0},
      [](uint64_t sum, const HostSlots& host) { return sum + host.slots; });
}

bool HasAnySlots(const HostList& hosts) {
  return std::any_of(hosts.begin(), hosts.end(),
                     [](const HostSlots& host) { return host.slots > 0; });
}

Choice Block(size_t hosts, uint32_t ranks) {
  Choice choice;
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    // If there are more hosts than ranks, each of the first hosts gets one
    // rank.
    choice.push_back(hosts >= ranks ? rank : rank * hosts / ranks);
  }
  return choice;
}

Choice Cyclic(size_t hosts, uint32_t ranks) {
  Choice choice;
  for (uint32_t rank = 0; rank < ranks; ++rank) choice.push_back(rank % hosts);
  return choice;
}

Choice BySlots(const HostList& hosts, uint32_t ranks) {
  Choice choice;
  for (size_t host = 0; host < hosts.size() && choice.size() < ranks; ++host) {
    const size_t room =
        std::min<size_t>(hosts[host].slots, ranks - choice.size());
    choice.insert(choice.end(), room, host);
  }
  return choice;
}

Placement Renumber(const HostList& hosts, const Choice& choice) {
  constexpr uint32_t kUnused = ~uint32_t{0};
  std::vector<uint32_t> number(hosts.size(), kUnused);
  Placement placement;
  for (const size_t host : choice) {
    if (number[host] == kUnused) {
      number[host] = static_cast<uint32_t>(placement.hosts.size());
      placement.hosts.push_back(hosts[host].name);
    }
    placement.host_of.push_back(number[host]);
  }
  return placement;
}

}  // namespace

std::optional<MapBy> ParseMapBy(std::string_view name) {
  static constexpr std::pair<std::string_view, MapBy> kNames[] = {
      {"block", MapBy::kBlock},
      {"cyclic", MapBy::kCyclic},
      {"slots", MapBy::kSlots}};
  for (const auto& [known, map_by] : kNames) {
    if (absl::EqualsIgnoreCase(name, known)) return map_by;
  }
  return std::nullopt;
}

absl::StatusOr<Placement> Place(const HostList& hosts, uint32_t ranks,
                                MapBy map_by) {
  const HostList slotted = WithOneSlotEach(hosts);
  const uint64_t slots = TotalSlots(slotted);
  if (map_by == MapBy::kDefault) {
    map_by =
        HasAnySlots(hosts) && slots >= ranks ? MapBy::kSlots : MapBy::kBlock;
  }
  if (map_by == MapBy::kBlock) {
    return Renumber(hosts, Block(hosts.size(), ranks));
  }
  if (map_by == MapBy::kCyclic) {
    return Renumber(hosts, Cyclic(hosts.size(), ranks));
  }
  if (slots < ranks) {
    return absl::InvalidArgumentError(
        absl::StrCat("-n is ", ranks, ", but the hosts have ", slots,
                     " slots; accepted with --map-by slots: at most that"));
  }
  return Renumber(hosts, BySlots(slotted, ranks));
}

}  // namespace gasnet::gasnetrun
