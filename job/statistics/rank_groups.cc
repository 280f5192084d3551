#include "job/statistics/rank_groups.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gasnet::job {
namespace {

uint32_t Quotient(uint32_t number, uint32_t divisor) {
  return (number + divisor - 1) / divisor;
}

}  // namespace

RankGroups::RankGroups(uint32_t ranks, std::vector<uint32_t> host_of)
    : ranks_(ranks), host_of_(std::move(host_of)), size_(ranks) {
  if (ranks <= kMost) return;
  const uint32_t hosts =
      host_of_.empty()
          ? 1
          : *std::max_element(host_of_.begin(), host_of_.end()) + 1;
  is_by_host_ = hosts > 1 && hosts <= kMost;
  block_ = Quotient(ranks, kMost);
  size_ = is_by_host_ ? hosts : Quotient(ranks, block_);
}

std::string RankGroups::Name(uint32_t group,
                             const std::vector<std::string>& hosts) const {
  if (is_by_host_) {
    return group < hosts.size() ? absl::StrCat("host ", hosts[group])
                                : absl::StrCat("host ", group);
  }
  const uint32_t first = group * block_;
  const uint32_t last = std::min(first + block_, ranks_) - 1;
  if (first == last) return absl::StrCat("rank ", first);
  return absl::StrCat("ranks ", first, "-", last);
}

}  // namespace gasnet::job
