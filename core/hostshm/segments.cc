#include "core/hostshm/segments.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "base/round_up.h"
#include "core/hostshm/address_range.h"
#include "core/hostshm/layout.h"
#include "core/reference_only.h"
#include "core/segment_limit.h"
#include "job/gather.h"
#include "job/memory/anonymous_file.h"
#include "job/memory/host_memory.h"
#include "job/memory/memory_shortage.h"
#include "job/shared_failure.h"

namespace gasnet::hostshm {
namespace {

#if defined(GASNET_SEGMENT_EVERYTHING)
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

// The alignment of segments: that of huge pages.
constexpr uint64_t kSegmentAlignment = 2 << 20;

struct SegmentWish {
  uint64_t size;
  uint64_t min_heap_offset;
};

void RequireSameHeapOffset(const std::vector<SegmentWish>& wishes) {
  for (size_t rank = 1; rank < wishes.size(); ++rank) {
    if (wishes[rank].min_heap_offset == wishes[0].min_heap_offset) continue;
    Fatal(
        "gasnet_attach: minheapoffset is %llu on rank 0 and %llu on rank "
        "%zu; it must be the same on all",
        static_cast<unsigned long long>(wishes[0].min_heap_offset),
        static_cast<unsigned long long>(wishes[rank].min_heap_offset), rank);
  }
}

absl::Status SystemError(const std::string& what) {
  return absl::ErrnoToStatus(errno, what);
}
absl::Status CannotMap(const std::string& what, size_t bytes) {
  return SystemError(absl::StrCat("mapping ", what, " of ", bytes, " bytes",
                                  std::string(DescribeMemory().text)));
}

class Attacher {
 public:
  Attacher(job::Job& job, const AttachRequest& request,
           const SegmentRules& rules, Segments& out)
      : job_(job), request_(request), rules_(rules), out_(out) {}

  absl::Status Run() {
    // Resizes the vectors in place, since other threads may have spans of them.
    out_.peers.resize(job_.size());
    out_.by_rank.resize(job_.size());
    out_.mappings.clear();
    wishes_ = job::Gather(
        job_, SegmentWish{request_.segment_size, request_.min_heap_offset});
    RequireSameHeapOffset(wishes_);
    for (uint32_t rank = 0; rank < job_.size(); ++rank) {
      out_.by_rank[rank] = {0, wishes_[rank].size};
    }
    offsets_ = SegmentOffsets(job_, out_.by_rank, rules_.first_offset);
    out_.end = offsets_.back();
    absl::Status status = ChooseAddress();
    if (status.ok()) status = MapMine();
    if (status.ok()) status = MapPeers();
    out_.by_rank[job_.rank()].base = mine_.base;
    return status;
  }

 private:
  absl::Status ChooseAddress() {
    size_t largest = 0;
    for (const SegmentWish& wish : wishes_)
      largest = std::max(largest, wish.size);
    if (!rules_.aligned || largest == 0) return absl::OkStatus();
    absl::StatusOr<AddressRange> range =
        ReserveEverywhere(job_, largest, request_.min_heap_offset);
    if (!range.ok()) return range.status();
    range_ = *std::move(range);
    return absl::OkStatus();
  }

  // All ranks set the same length, so the order of their calls does not matter.
  absl::Status MapMine() {
    const int fd = job_.host_memory_fd();
    const absl::Status allowed = job::CheckFileLimit(offsets_.back());
    if (!allowed.ok()) return allowed;
    if (ftruncate(fd, static_cast<off_t>(offsets_.back())) != 0) {
      return SystemError("enlarging the shared memory of this host");
    }
    if (request_.segment_size == 0) return absl::OkStatus();
    const absl::Status status = PlaceMine();
    if (!status.ok() || rules_.aligned ||
        !IsTooNearHeap(mine_.base, request_.min_heap_offset)) {
      return status;
    }
    out_.mappings.clear();
    absl::StatusOr<AddressRange> range =
        ReserveFarFromHeap(mine_.size, request_.min_heap_offset);
    if (!range.ok()) return range.status();
    range_ = *std::move(range);
    return PlaceMine();
  }

  // Maps this rank's segment, in the reserved range or at an address that the
  // kernel chooses.
  absl::Status PlaceMine() {
    const uint32_t me = job_.rank();
    SharedMapping mapping(
        job_.host_memory_fd(), {offsets_[me], request_.segment_size},
        SharedMapping::Owner::kThisProcess, NameOf(me), range_.base());
    if (!mapping.valid()) {
      return CannotMap("this rank's segment", request_.segment_size);
    }
    mine_ = {reinterpret_cast<uintptr_t>(mapping.base()),
             request_.segment_size};
    out_.mappings.push_back(std::move(mapping));
    KeepBehindSegment();
    return absl::OkStatus();
  }

  static std::string NameOf(uint32_t rank) {
    return absl::StrCat("rank ", rank, "'s segment");
  }

  // Keeps only the segment: unmaps the rest of the reservation behind it. The
  // segment is mapped over the reservation's beginning.
  void KeepBehindSegment() {
    if (!range_.valid()) return;
    const size_t held = range_.bytes();
    range_.Release();
    if (held > mine_.size) {
      munmap(reinterpret_cast<void*>(mine_.base + mine_.size),
             held - mine_.size);
    }
  }

  // Returns the ranks of this host that map each other's segments, including
  // this one.
  std::vector<uint32_t> Neighbours() const {
    const auto host_of = job_.host_of();
    const uint32_t group = job_.host_rank() / rules_.supernode_size;
    std::vector<uint32_t> neighbours;
    uint32_t index = 0;  // index among the ranks of this host
    for (uint32_t rank = 0; rank < job_.size(); ++rank) {
      if (host_of[rank] != host_of[job_.rank()]) continue;
      if (index++ / rules_.supernode_size == group) neighbours.push_back(rank);
    }
    return neighbours;
  }

  // Maps the neighbours' segments. They are adjacent in the host's memory: one
  // mapping covers the segments in front of this rank's segment, another
  // mapping those behind it.
  absl::Status MapPeers() {
    const std::vector<uint32_t> all = Neighbours();
    const auto mine = std::find(all.begin(), all.end(), job_.rank());
    out_.peers[job_.rank()] = {0, wishes_[job_.rank()].size,
                               reinterpret_cast<unsigned char*>(mine_.base)};
    absl::Status status = MapInOne({all.begin(), mine});
    if (status.ok()) status = MapInOne({mine + 1, all.end()});
    return status;
  }

  // Maps the segments of these ranks in one mapping. ranks: consecutive ranks
  // of one host, ascending.
  absl::Status MapInOne(std::span<const uint32_t> ranks) {
    if (ranks.empty()) return absl::OkStatus();
    const int fd = job_.host_memory_fd();
    const uint64_t begin = offsets_[ranks.front()];
    const uint64_t end = offsets_[ranks.back()] + wishes_[ranks.back()].size;
    if (begin == end) return absl::OkStatus();
    SharedMapping mapping(fd, {begin, end - begin},
                          SharedMapping::Owner::kOther, /*what=*/"");
    if (!mapping.valid()) {
      return CannotMap(absl::StrCat("the segments of ranks ", ranks.front(),
                                    " to ", ranks.back()),
                       end - begin);
    }
    const bool may_run_short = job::FreeInFileSystem(fd).has_value();
    for (const uint32_t rank : ranks) {
      const size_t bytes = wishes_[rank].size;
      unsigned char* const at = mapping.base() + (offsets_[rank] - begin);
      out_.peers[rank] = {0, bytes, at};
      if (may_run_short) job::GuardHostMemory(fd, at, bytes, NameOf(rank));
    }
    out_.mappings.push_back(std::move(mapping));
    return absl::OkStatus();
  }

  job::Job& job_;
  const AttachRequest& request_;
  const SegmentRules& rules_;
  Segments& out_;
  std::vector<SegmentWish> wishes_;
  std::vector<uint64_t> offsets_;
  AddressRange range_;
  Segment mine_;
};

void RequireSameBarrier(uint32_t me, std::span<const SharedPart> parts) {
  for (uint32_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].barrier == parts[me].barrier) continue;
    Fatal(
        "rank %u uses a different barrier than rank %u; GASNET_BARRIER must be "
        "the same on all ranks",
        rank, me);
  }
}

void AttachWholeAddressSpaces(const job::Job& job, Segments& out) {
  out.by_rank.assign(job.size(), Segment{0, UINTPTR_MAX});
  out.peers.assign(job.size(), MappedSegment{});
  out.peers[job.rank()].size = UINTPTR_MAX;
}

}  // namespace

std::vector<uint64_t> SegmentOffsets(const job::Job& job,
                                     std::span<const Segment> by_rank,
                                     uint64_t first) {
  std::vector<uint64_t> offsets(job.size() + 1);
  uint64_t next = RoundUp(first, kSegmentAlignment);
  for (uint32_t rank = 0; rank < job.size(); ++rank) {
    offsets[rank] = next;
    if (job.host_of()[rank] != job.host_of()[job.rank()]) continue;
    next += RoundUp(by_rank[rank].size, kSegmentAlignment);
  }
  offsets[job.size()] = next;
  return offsets;
}

absl::Status MapSegments(job::Job& job, const AttachRequest& request,
                         const SegmentRules& rules, Segments& out) {
  absl::Status status = absl::OkStatus();
  if (kEverything) {
    AttachWholeAddressSpaces(job, out);
    out.end = RoundUp(rules.first_offset, kSegmentAlignment);
  } else {
    status = Attacher(job, request, rules, out).Run();
  }
  if (IsReferenceOnly()) out.peers.assign(job.size(), MappedSegment{});
  return status;
}

SharedPart PartOf(const job::Job& job, const AttachRequest& request,
                  const absl::Status& mine, const Segments& segments) {
  return {.ok = mine.ok(),
          .base = segments.by_rank[job.rank()].base,
          .barrier = request.barrier};
}

absl::Status TakeParts(job::Job& job, const AttachRequest& request,
                       const absl::Status& mine,
                       std::span<const SharedPart> parts, Segments& out) {
  for (uint32_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].ok == 0) {
      return job::ReportFirst(job, request.call, rank, mine,
                              "could not make its segment");
    }
    out.by_rank[rank].base = parts[rank].base;
    if (out.peers[rank].size > 0) out.peers[rank].base = parts[rank].base;
  }
  RequireSameBarrier(job.rank(), parts);
  return absl::OkStatus();
}

uintptr_t LargestSegment(const job::Job& job, uint64_t ring_bytes) {
  if (kEverything) return UINTPTR_MAX;
  const int fd = job.host_memory_fd();
  const uint64_t free_bytes = job::AvailableHostMemory(fd);
  // If the host is too small for its rings when all are full, half of its
  // memory goes to segments. In a file system with a size limit, the rings
  // already have their memory, so nothing is deducted for them.
  const bool has_rings = job::FreeInFileSystem(fd).has_value();
  const uint64_t rings = has_rings ? 0 : std::min(ring_bytes, free_bytes / 2);
  return SegmentLimitFromEnvironment().PerRank(free_bytes - rings,
                                               job.host_size(), kPage);
}

uint32_t SupernodeLimit(const job::Job& job) {
  const int64_t limit = EnvInt("GASNET_SUPERNODE_MAXSIZE", 0, 0, UINT32_MAX);
  return limit == 0 ? job.size() : static_cast<uint32_t>(limit);
}

uint32_t MappedTogether(uint32_t supernode_size) {
  return kEverything || IsReferenceOnly() ? 1 : supernode_size;
}

}  // namespace gasnet::hostshm
