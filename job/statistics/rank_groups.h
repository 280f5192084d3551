// Divides the ranks of a job into groups that fit one picture. The picture has
// a row, a column and a bar for each group. If there are up to kMost ranks,
// each rank is a group. If there are more ranks, and 2 to kMost hosts, each
// host is a group. In all other cases, blocks of successive ranks are the
// groups.
#ifndef JOB_STATISTICS_RANK_GROUPS_H_
#define JOB_STATISTICS_RANK_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace gasnet::job {

class RankGroups {
 public:
  static constexpr uint32_t kMost = 64;

  // host_of: each rank's host, numbered densely. Empty: all ranks are on one
  // host.
  RankGroups(uint32_t ranks, std::vector<uint32_t> host_of);

  // Returns the number of groups.
  uint32_t size() const { return size_; }
  // Returns the group of a rank of the job.
  uint32_t Of(uint32_t rank) const {
    return is_by_host_ ? host_of_[rank] : rank / block_;
  }

  // Returns "rank 3", "ranks 4-7" or "host b". `hosts` has the hosts' names. If
  // a host has no name, its number is used.
  std::string Name(uint32_t group, const std::vector<std::string>& hosts) const;

 private:
  const uint32_t ranks_;
  const std::vector<uint32_t> host_of_;
  bool is_by_host_ = false;
  uint32_t block_ = 1;  // Ranks in a group of successive ranks.
  uint32_t size_;
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_RANK_GROUPS_H_
