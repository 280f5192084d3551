// The job that this process has been given, if any, and what carries operations
// to ranks that it shares no memory with (datagram/). Without a job all there
// is is this host, and one load says so.
//
// Given once, before PtlInit (job/hand_over.h); a forked child has none. Carry
// and its kin may be called by any thread.
#ifndef PORTALS_API_CARRIER_H_
#define PORTALS_API_CARRIER_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "portals/api/initiate.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

enum class Transport : uint8_t { kAuto, kMemory, kDatagram };

// PORTALS4_TRANSPORT; ends the process with a message where it is none.
Transport TransportFromEnvironment();

struct Carrier {
  uint32_t rank = 0;
  std::vector<uint32_t> host_of;  // by rank
  uint64_t name = 0;              // of the job, among those on this host
  Transport transport = Transport::kAuto;

  // The functions of a carrier of operations; all null where there is none.
  //
  // Begins one on a rank; its end is reported as Initiate reports it. `waits`:
  // the caller may be kept until there is room.
  void (*begin)(uint32_t rank, uint64_t physical, Peer& owner,
                const Request& request, const Operation& operation,
                bool waits) = nullptr;
  // Takes in what has arrived.
  void (*poll)() = nullptr;
  // A thread that has polled sleeps in a wait from now on: somebody else is to
  // take in what arrives, at once.
  void (*sleeps)() = nullptr;
  // Returns when all that this process has sent has arrived, or the time for
  // that is over.
  void (*drain)() = nullptr;
  // Interfaces may be about to go: between pause and resume nothing is carried,
  // and forget, in between, is the end of what is under way.
  void (*pause)() = nullptr;
  void (*forget)() = nullptr;
  void (*resume)() = nullptr;

  uint32_t ranks() const { return static_cast<uint32_t>(host_of.size()); }
  uint32_t nid() const { return host_of[rank]; }
  uint32_t PidOn(uint32_t interface_number) const {
    return interface_number * ranks() + rank;
  }
  // Whether operations on a process are carried, and to which rank.
  bool Carries(uint64_t physical, uint32_t& to) const {
    if (begin == nullptr) return false;
    to = static_cast<uint32_t>(physical >> 32) % ranks();
    if (to == rank || host_of[to] != static_cast<uint32_t>(physical)) {
      return false;
    }
    return transport == Transport::kDatagram || host_of[to] != nid();
  }
};

namespace internal {
extern std::atomic<const Carrier*> carrier;
}  // namespace internal

// Null: no job.
inline const Carrier* GetCarrier() {
  return internal::carrier.load(std::memory_order_acquire);
}
void SetCarrier(const Carrier* carrier);

// Whether any operation is carried, and whether there is anything to poll:
// loads alone.
inline bool CarriesAny() {
  const Carrier* const carrier = GetCarrier();
  return carrier != nullptr && carrier->begin != nullptr;
}
inline bool HasPoll() {
  const Carrier* const carrier = GetCarrier();
  return carrier != nullptr && carrier->poll != nullptr;
}

// For whoever waits for something. Whether there is anything that may have
// brought it.
inline bool PollCarrier() {
  if (!HasPoll()) [[likely]]
    return false;
  GetCarrier()->poll();
  return true;
}

// For whoever sleeps.
inline void LeaveToCarrier() {
  const Carrier* const carrier = GetCarrier();
  if (carrier != nullptr && carrier->sleeps != nullptr) carrier->sleeps();
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_CARRIER_H_
