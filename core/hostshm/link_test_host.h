// The ranks of one host in a test, as objects of one process, with segments in
// ordinary memory.
#ifndef CORE_HOSTSHM_LINK_TEST_HOST_H_
#define CORE_HOSTSHM_LINK_TEST_HOST_H_

#include <sys/mman.h>

#include <deque>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

#include "base/asymmetric_fence.h"
#include "core/am/engine.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"
#include "core/segment.h"

namespace gasnet::hostshm {

class TestHost : public RailSource {
 public:
  static constexpr size_t kSegmentBytes = 1 << 20;

  // mapped: true if ranks write Longs directly to each other's segments.
  explicit TestHost(uint32_t ranks, bool mapped = true) : layout_(ranks) {
    AsymmetricFence::Register();
    base_ = Map(layout_.total());
    memory_ = Map(ranks * kSegmentBytes);
    std::vector<Rank> job_ranks(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
      job_ranks[rank] = rank;
      const uintptr_t at = reinterpret_cast<uintptr_t>(SegmentOf(rank));
      peers_.push_back(
          {at, mapped ? kSegmentBytes : 0, mapped ? SegmentOf(rank) : nullptr});
      segments_.push_back({at, kSegmentBytes});
    }
    for (Rank rank = 0; rank < ranks; ++rank) {
      links_.emplace_back();
      links_[rank].Init(base_, layout_, rank, job_ranks, ranks);
      links_[rank].SetSegments(peers_, segments_, !mapped);
      engines_.emplace_back(links_[rank], progress_);
    }
  }
  ~TestHost() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    munmap(base_, layout_.total());
    munmap(memory_, layout_.ranks() * kSegmentBytes);
    for (const auto& [rail, base] : rails_) munmap(base, layout_.total());
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;

  // Lets the threads of all ranks have rails.
  void AllowRails(unsigned most) {
    for (HostLink& link : links_) {
      link.AllowPeersRails(*this);
      link.rails().Allow(most);
    }
  }
  absl::StatusOr<unsigned char*> RailMemory(unsigned rail) override {
    const absl::MutexLock lock(&mutex_);
    unsigned char*& base = rails_[rail];
    if (base == nullptr) base = Map(layout_.total());
    return base;
  }

  unsigned char* base() const { return base_; }
  const Layout& layout() const { return layout_; }
  HostLink& link(Rank rank) { return links_[rank]; }
  am::Engine<HostLink>& engine(Rank rank) { return engines_[rank]; }
  unsigned char* SegmentOf(Rank rank) const {
    return memory_ + rank * kSegmentBytes;
  }

 private:
  static unsigned char* Map(size_t bytes) {
    return static_cast<unsigned char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }

  const Layout layout_;
  unsigned char* base_;
  unsigned char* memory_;
  std::vector<MappedSegment> peers_;
  std::vector<Segment> segments_;
  absl::Mutex mutex_;
  std::map<unsigned, unsigned char*> rails_ ABSL_GUARDED_BY(mutex_);
  std::deque<HostLink> links_;
  am::Progress progress_;
  std::deque<am::Engine<HostLink>> engines_;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_LINK_TEST_HOST_H_
