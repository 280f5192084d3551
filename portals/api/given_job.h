// The job that this process has been given, and the carrier of operations to
// ranks that share no memory with this process. A process without a job knows
// only its own host.
//
// The job is given once, before PtlInit (job/hand_over.h). A forked child has
// no job.
#ifndef PORTALS_API_GIVEN_JOB_H_
#define PORTALS_API_GIVEN_JOB_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "portals/api/carrier.h"

namespace gasnet::portals4 {

enum class Transport : uint8_t { kAuto, kMemory, kDatagram };

// Reads PORTALS4_TRANSPORT. Ends the process with a message if its value is
// unknown.
Transport TransportFromEnvironment();

struct GivenJob {
  uint32_t rank = 0;
  std::vector<uint32_t> host_of;  // indexed by rank
  uint64_t name = 0;              // the job's name, unique on this host
  Transport transport = Transport::kAuto;
  Carrier* carrier = nullptr;  // Null: no carrier is needed.

  uint32_t ranks() const { return static_cast<uint32_t>(host_of.size()); }
  uint32_t nid() const { return host_of[rank]; }
  uint32_t PidOn(uint32_t interface_number) const {
    return interface_number * ranks() + rank;
  }
  // Returns true if the carrier carries operations on the process `physical`.
  // In this case, stores the rank of the process in `to`.
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

// Returns the job, or null if this process has no job.
inline const GivenJob* GetJob() {
  return internal::given_job.load(std::memory_order_acquire);
}
void SetJob(const GivenJob* job);

// Returns the carrier, or null if no carrier is needed. Costs only two loads.
inline Carrier* GetCarrier() {
  const GivenJob* const job = GetJob();
  return job != nullptr ? job->carrier : nullptr;
}

// Polls for a waiting thread. Returns true if the poll may have brought the
// event for which the thread waits.
inline bool PollCarrier() {
  Carrier* const carrier = GetCarrier();
  return carrier != nullptr && carrier->Poll();
}

// Announces to the carrier that this thread goes to sleep.
inline void LeaveToCarrier() {
  if (Carrier* const carrier = GetCarrier()) carrier->LeaveToOthers();
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_GIVEN_JOB_H_
