// The job that this process has been given, if any, and what carries operations
// to ranks that it shares no memory with. Without a job all there is is this
// host, and one load says so.
//
// Given once, before PtlInit (job/hand_over.h); a forked child has none.
#ifndef PORTALS_API_GIVEN_JOB_H_
#define PORTALS_API_GIVEN_JOB_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "portals/api/carrier.h"

namespace gasnet::portals4 {

enum class Transport : uint8_t { kAuto, kMemory, kDatagram };

// PORTALS4_TRANSPORT; ends the process with a message where it is none.
Transport TransportFromEnvironment();

struct GivenJob {
  uint32_t rank = 0;
  std::vector<uint32_t> host_of;  // by rank
  uint64_t name = 0;              // of the job, among those on this host
  Transport transport = Transport::kAuto;
  Carrier* carrier = nullptr;  // null: none is needed

  uint32_t ranks() const { return static_cast<uint32_t>(host_of.size()); }
  uint32_t nid() const { return host_of[rank]; }
  uint32_t PidOn(uint32_t interface_number) const {
    return interface_number * ranks() + rank;
  }
  // Returns true if operations on a process are carried, and to which rank.
  bool Carries(uint64_t physical, uint32_t& to) const {
    if (carrier == nullptr) return false;
    to = static_cast<uint32_t>(physical >> 32) % ranks();
    if (to == rank || host_of[to] != static_cast<uint32_t>(physical)) {
      return false;
    }
    return transport == Transport::kDatagram || host_of[to] != nid();
  }
};

namespace internal {
extern std::atomic<const GivenJob*> given_job;
}  // namespace internal

// Null: none.
inline const GivenJob* GetJob() {
  return internal::given_job.load(std::memory_order_acquire);
}
void SetJob(const GivenJob* job);

// Null: nothing is carried. Loads alone.
inline Carrier* GetCarrier() {
  const GivenJob* const job = GetJob();
  return job != nullptr ? job->carrier : nullptr;
}

// For whoever waits for something. Returns true if anything may have brought
// it.
inline bool PollCarrier() {
  Carrier* const carrier = GetCarrier();
  return carrier != nullptr && carrier->Poll();
}

// For whoever sleeps.
inline void LeaveToCarrier() {
  if (Carrier* const carrier = GetCarrier()) carrier->LeaveToOthers();
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_GIVEN_JOB_H_
