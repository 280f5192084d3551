// The message rings of this rank's group in the host memory. Start creates them
// and hands them to the link. They stay mapped as long as this object lives.
//
// The ranks of a host, in order of rank, are divided into groups of one size. A
// group has rings among all its ranks, and no rings to other groups. The host
// memory begins with the ranks' status pages. Behind these lie the rings of one
// group after the other, each in the space of a full group. Behind the rings
// lies the CpuBoard of all the host's ranks (am/cpu_board.h). All ranks compute
// the same layout.
#ifndef CORE_HOSTSHM_RINGS_H_
#define CORE_HOSTSHM_RINGS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/am/cpu_board.h"
#include "core/am/message.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/shared_mapping.h"
#include "job/job.h"
#include "job/status/status_page.h"

namespace gasnet::hostshm {

class Rings {
 public:
  // group_size: the maximum number of ranks of a host in one group, at least 1.
  Rings(job::Job& job, uint32_t group_size);

  // Maps the rings of this rank's group and starts the link over them.
  // Collective; fails on all ranks if it fails on one.
  absl::Status Start(HostLink& link);

  // Joins the CpuBoard of this host's ranks. Start() must have been called.
  void Join(am::CpuBoard& cpu_board) const;

  // Returns this rank's status page. Start() must have been called.
  job::StatusPage& status_page() const {
    return *reinterpret_cast<job::StatusPage*>(status_.base());
  }

  // Returns the offset in the host memory behind the rings and the CpuBoard.
  uint64_t end() const { return end_; }

  // Returns the bytes of host memory for one group: the rings of a full group.
  uint64_t group_bytes() const { return group_bytes_; }
  uint32_t groups() const { return groups_; }
  uint32_t my_group() const { return my_group_; }

  // Returns the start of this rank's group's rings; valid after Start().
  unsigned char* base() const { return rings_.base(); }
  const Layout& layout() const { return layout_; }
  uint32_t my_index() const { return my_index_; }
  const std::vector<Rank>& ranks() const { return ranks_; }

 private:
  absl::Status StartMine(HostLink& link);

  job::Job& job_;
  const std::vector<Rank> ranks_;
  const uint32_t my_index_;
  const Layout layout_;
  const uint64_t group_bytes_;
  const uint32_t groups_;
  const uint32_t my_group_;
  const uint64_t begin_;
  const uint64_t places_at_;
  const uint64_t end_;
  SharedMapping status_;
  SharedMapping rings_;
  SharedMapping places_;  // a line of CpuBoard for each rank of the host
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_RINGS_H_
