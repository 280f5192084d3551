#include "core/hostshm/rings.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/asymmetric_fence.h"
#include "base/round_up.h"
#include "job/memory/anonymous_file.h"
#include "job/memory/memory_shortage.h"
#include "job/shared_failure.h"

namespace gasnet::hostshm {
namespace {

uint32_t MyGroup(const job::Job& job, uint32_t group_size) {
  return job.host_rank() / group_size;
}

std::vector<Rank> RanksOfMyGroup(const job::Job& job, uint32_t group_size) {
  const auto host_of = job.host_of();
  std::vector<Rank> ranks;
  uint32_t index = 0;  // index among the ranks of this host
  for (Rank rank = 0; rank < job.size(); ++rank) {
    if (host_of[rank] != host_of[job.rank()]) continue;
    if (index++ / group_size == MyGroup(job, group_size)) ranks.push_back(rank);
  }
  return ranks;
}

// Returns the size in bytes of a full group's rings.
uint64_t GroupBytes(const job::Job& job, uint32_t group_size) {
  return Layout(std::min(group_size, job.host_size())).total();
}

// Returns the size in bytes of all ranks' status pages. They are at the
// beginning of the memory.
uint64_t StatusBytes(const job::Job& job) {
  return uint64_t{job.host_size()} * job::kStatusPageBytes;
}

uint64_t PlacesBytes(const job::Job& job) {
  return RoundUp(job.host_size() * sizeof(am::CpuBoard::Line), kPage);
}

}  // namespace

Rings::Rings(job::Job& job, uint32_t group_size)
    : job_(job),
      ranks_(RanksOfMyGroup(job, group_size)),
      my_index_(job.host_rank() % group_size),
      layout_(static_cast<uint32_t>(ranks_.size())),
      group_bytes_(GroupBytes(job, group_size)),
      groups_((job.host_size() - 1) / group_size + 1),
      my_group_(MyGroup(job, group_size)),
      begin_(StatusBytes(job) + my_group_ * group_bytes_),
      places_at_(StatusBytes(job) + groups_ * group_bytes_),
      end_(places_at_ + PlacesBytes(job)) {}

absl::Status Rings::Start(HostLink& link) {
  return job::ShareOutcome(job_, "gasnet_init", StartMine(link),
                           "could not make its message rings");
}

absl::Status Rings::StartMine(HostLink& link) {
  AsymmetricFence::Register();
  const int fd = job_.host_memory_fd();
  const absl::Status allowed = job::CheckFileLimit(end_);
  if (!allowed.ok()) return allowed;
  // All ranks set the same length, so the order of their calls does not matter.
  if (ftruncate(fd, static_cast<off_t>(end_)) != 0) {
    return absl::ErrnoToStatus(errno, "sizing the shared memory of this host");
  }
  const std::string what =
      absl::StrCat("the message rings of ", ranks_.size(), " ranks");
  const SharedMapping::Part status = {
      uint64_t{job_.host_rank()} * job::kStatusPageBytes,
      job::kStatusPageBytes};
  absl::Status reserved =
      job::ReserveHostMemory(fd, status.offset, status.bytes, what);
  if (reserved.ok()) {
    reserved = job::ReserveHostMemory(fd, begin_, layout_.total(), what);
  }
  if (reserved.ok()) {
    reserved = job::ReserveHostMemory(fd, places_at_, PlacesBytes(job_), what);
  }
  if (!reserved.ok()) return reserved;
  constexpr auto kMine = SharedMapping::Owner::kThisProcess;
  rings_ = SharedMapping(fd, {begin_, layout_.total()}, kMine, what);
  if (rings_.valid()) {
    status_ = SharedMapping(fd, status, kMine, what);
  }
  if (status_.valid()) {
    places_ = SharedMapping(fd, {places_at_, PlacesBytes(job_)},
                            SharedMapping::Owner::kOther, what);
  }
  if (!places_.valid()) {
    return absl::ErrnoToStatus(errno, "mapping the shared memory of this host");
  }
  link.Init(rings_.base(), layout_, my_index_, ranks_, job_.size());
  return absl::OkStatus();
}

void Rings::Join(am::CpuBoard& cpu_board) const {
  auto* const lines = reinterpret_cast<am::CpuBoard::Line*>(places_.base());
  cpu_board.Join({lines, job_.host_size()}, job_.host_rank());
}

}  // namespace gasnet::hostshm
