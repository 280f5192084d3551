#include "conduits/ofi/agreement.h"

#include <rdma/fabric.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gasnet::ofi {
namespace {

bool IsAlike(const ProviderFindings& one, const ProviderFindings& other) {
  return one.provider == other.provider && one.window == other.window &&
         one.least == other.least && one.frame_bytes == other.frame_bytes;
}

// A group of ranks that have found the same provider and limits. `first` is its
// first rank.
struct ProviderGroup {
  size_t first;
  size_t ranks = 1;
};

std::string Describe(const ProviderGroup& group,
                     const ProviderFindings& found) {
  std::string text = absl::StrCat("rank ", group.first);
  if (group.ranks > 1)
    absl::StrAppend(&text, " and ", group.ranks - 1, " more");
  if (found.provider[0] == '\0') return absl::StrCat(text, ": none");
  absl::StrAppend(&text, ": ", found.provider.data(), " of libfabric ",
                  FI_MAJOR(found.version), ".", FI_MINOR(found.version));
  return text;
}

std::vector<ProviderGroup> GroupsOf(std::span<const ProviderFindings> all) {
  std::vector<ProviderGroup> groups;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    const auto group = std::find_if(
        groups.begin(), groups.end(), [&](const ProviderGroup& each) {
          return IsAlike(all[each.first], all[rank]);
        });
    if (group == groups.end()) {
      groups.push_back({rank});
    } else {
      ++group->ranks;
    }
  }
  return groups;
}

std::string Describe(std::span<const ProviderGroup> groups,
                     std::span<const ProviderFindings> all) {
  std::string list;
  for (const ProviderGroup& each : groups) {
    absl::StrAppend(&list, list.empty() ? "" : "; ",
                    Describe(each, all[each.first]));
  }
  return list;
}

}  // namespace

absl::Status CheckAlike(std::span<const ProviderFindings> all) {
  const std::vector<ProviderGroup> groups = GroupsOf(all);
  if (groups.size() < 2) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the ranks of this job use different providers of libfabric, or "
      "providers that take different messages (",
      Describe(groups, all), "); GASNET_OFI_PROVIDER names one for all"));
}

std::string WhatOthersHave(std::span<const ProviderFindings> all) {
  const std::vector<ProviderGroup> groups = GroupsOf(all);
  return groups.size() < 2 ? "" : absl::StrCat("; ", Describe(groups, all));
}

}  // namespace gasnet::ofi
