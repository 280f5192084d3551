// Divides the ranks of a job into groups that fit one picture: the rows and
// columns of a matrix, and the bars below it. Up to kMost ranks are a group
// each. More ranks are grouped by host if there are 2 to kMost hosts, and
// otherwise in blocks of successive ranks.
#ifndef JOB_STATISTICS_RANK_GROUPS_H_
#define JOB_STATISTICS_RANK_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace gasnet::job {

class RankGroups {
 public:
  static constexpr uint32_t kMost = 64;

  // host_of: each rank's host, numbered densely. Empty: all are on one host.
  RankGroups(uint32_t ranks, std::vector<uint32_t> host_of);

  // The number of groups.
  uint32_t size() const { return size_; }
  // The group of a rank of the job.
  uint32_t Of(uint32_t rank) const {
    return is_by_host_ ? host_of_[rank] : rank / block_;
  }

  // Returns "rank 3", "ranks 4-7" or "host b". `hosts` has the hosts' names. A
  // host without a name has its number.
  std::string Name(uint32_t group, const std::vector<std::string>& hosts) const;

 private:
  const uint32_t ranks_;
  const std::vector<uint32_t> host_of_;
  bool is_by_host_ = false;
  uint32_t block_ = 1;  // ranks in a group, unless grouped by host
  uint32_t size_;
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_RANK_GROUPS_H_
