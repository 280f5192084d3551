// A host program hands Portals the job to which the program belongs: its rank,
// the host of each rank, and the socket by which the ranks send each other
// datagrams.
//
// The host program hands the job over once, before PtlInit. It may do so again
// after TakeBack. From then on, in this process, the physical identifier of
// rank R on interface 0 (PTL_IFACE_DEFAULT) is
//
//     nid = host_of[R], pid = R,
//
// and on interface I it has pid = I * ranks + R. PtlNIInit gives that pid to a
// caller that asks for PTL_PID_ANY; a call with any other pid returns
// PTL_PID_IN_USE. So ranks can compute all identifiers, and can call PtlSetMap
// at once.
//
// PORTALS4_TRANSPORT chooses the transport. It must be the same on all ranks:
//
//   auto      shared memory to ranks of this host, datagrams to others
//   datagram  datagrams to all ranks except this one
//   memory    no datagrams; ranks of other hosts are PTL_NI_UNDELIVERABLE
//
// If a program hands no job over, its only peers are the processes of its host.
#ifndef PORTALS_JOB_HAND_OVER_H_
#define PORTALS_JOB_HAND_OVER_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/datagram/job_socket.h"
#include "job/job.h"

namespace gasnet::portals4 {

// A job, from the view of one of its ranks.
struct PortalsMembership {
  uint32_t rank = 0;
  std::vector<uint32_t> host_of;  // indexed by rank, from 0
  // Must be valid if this rank sends datagrams.
  datagram::JobSocket socket;
  // Returns true if a rank no longer receives anything. Any thread may call it.
  // Set it if the job learns when its processes end; the job then needs no
  // silence limit. Empty: the job does not learn this.
  std::function<bool(uint32_t rank)> has_left = {};
};

// Returns true if ranks on the hosts `host_of` send each other datagrams.
// `host_of` is indexed by rank.
bool NeedsSocket(std::span<const uint32_t> host_of);

void HandOver(PortalsMembership membership);

// Takes back the job, if one was handed over. Call it only after PtlFini, while
// no thread is in Portals.
void TakeBack();

// Hands a GASNet job over. Collective. A failure on one rank makes the call
// fail on all ranks, and has been reported when it returns
// (job/shared_failure.h). Opens a socket if this rank sends datagrams to other
// ranks.
absl::Status HandOver(job::Job& job);

// Returns true if all datagrams that this process has sent have arrived. May
// return false while another thread works on the transport. May be called at
// any time, also in signal handlers. The transport's thread works on, so the
// result is true eventually.
bool HasArrived();

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_HAND_OVER_H_
