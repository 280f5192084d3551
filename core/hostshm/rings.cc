#include "core/hostshm/rings.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/hostshm/asymmetric_fence.h"
#include "core/job/anonymous_file.h"
#include "core/job/memory_shortage.h"

namespace gasnet::hostshm {
namespace {

uint32_t MyGroup(const job::Job& job, uint32_t group_size) {
  return job.host_rank() / group_size;
}

std::vector<Rank> RanksOfMyGroup(const job::Job& job, uint32_t group_size) {
  const auto host_of = job.host_of();
  std::vector<Rank> ranks;
  uint32_t index = 0;  // among the ranks of my host
  for (Rank rank = 0; rank < job.size(); ++rank) {
    if (host_of[rank] != host_of[job.rank()]) continue;
    if (index++ / group_size == MyGroup(job, group_size)) ranks.push_back(rank);
  }
  return ranks;
}

// What a full group takes.
uint64_t GroupBytes(const job::Job& job, uint32_t group_size) {
  return Layout(std::min(group_size, job.host_size())).total();
}

uint64_t AllGroupsBytes(const job::Job& job, uint32_t group_size) {
  const uint32_t groups = (job.host_size() - 1) / group_size + 1;
  return groups * GroupBytes(job, group_size);
}

}  // namespace

Rings::Rings(const job::Job& job, uint32_t group_size)
    : job_(job),
      ranks_(RanksOfMyGroup(job, group_size)),
      my_index_(job.host_rank() % group_size),
      layout_(static_cast<uint32_t>(ranks_.size())),
      begin_(MyGroup(job, group_size) * GroupBytes(job, group_size)),
      end_(AllGroupsBytes(job, group_size)) {}

absl::Status Rings::Start(HostLink& link) {
  AsymmetricFence::Register();
  const int fd = job_.host_memory_fd();
  const absl::Status allowed = job::CheckFileLimit(end_);
  if (!allowed.ok()) return allowed;
  // Every rank does the same, so it does not matter who comes first.
  if (ftruncate(fd, static_cast<off_t>(end_)) != 0) {
    return absl::ErrnoToStatus(errno, "sizing the shared memory of this host");
  }
  const std::string what =
      absl::StrCat("the message rings of ", ranks_.size(), " ranks");
  const absl::Status reserved =
      job::ReserveHostMemory(fd, begin_, layout_.total(), what);
  if (!reserved.ok()) return reserved;
  void* const got =
      mmap(nullptr, layout_.total(), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE, fd, static_cast<off_t>(begin_));
  if (got == MAP_FAILED) {
    return absl::ErrnoToStatus(errno, "mapping the shared memory of this host");
  }
  base_ = static_cast<unsigned char*>(got);
  job::GuardHostMemory(fd, base_, layout_.total(), what);
  link.Init(base_, layout_, my_index_, ranks_, job_.size());
  return absl::OkStatus();
}

}  // namespace gasnet::hostshm
