// The conduit for jobs on one host: everything goes through shared memory.
//
// It is core/hostshm and nothing else. Messages travel in rings, segments are
// mapped, the barrier is one of loads and stores. The extended API sees mapped
// memory and never sends a message for it; only what is not mapped (another
// supernode, or everything under GASNET_SEGMENT_EVERYTHING) goes through the
// reference implementation over active messages.
//
// GASNET_REFERENCE=1 hides the mapped memory and the barrier, so that the whole
// reference implementation runs; networks stand on it.
#ifndef CONDUITS_SMP_SMP_CONDUIT_H_
#define CONDUITS_SMP_SMP_CONDUIT_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "core/am/engine.h"
#include "core/conduit.h"
#include "core/hostshm/barrier.h"
#include "core/hostshm/host_link.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::smp {

class SmpConduit {
 public:
  static constexpr std::string_view kName = "SMP";

  static absl::Status Start(int* argc, char*** argv, std::string_view config);
  static uintptr_t MaxLocalSegment();
  static absl::Status Attach(const AttachRequest& request);

  static job::Job& job();
  static am::Engine<hostshm::HostLink>& engine() { return *engine_; }
  static std::span<const MappedSegment> peers();
  static std::span<const Segment> segments();
  static uint32_t SupernodeSize();

  // The native barrier (extended/barriers.h); GASNET_BARRIER calls it SHM.
  class Barrier : public hostshm::Barrier {
   public:
    static constexpr const char* kName = "SHM";
    using hostshm::Barrier::Barrier;
  };
  static Barrier* barrier() { return barrier_; }

 private:
  // The part of the state made by Start that the message path needs.
  static inline am::Engine<hostshm::HostLink>* engine_ = nullptr;
  static inline Barrier* barrier_ = nullptr;
};

}  // namespace gasnet::smp

#endif  // CONDUITS_SMP_SMP_CONDUIT_H_
