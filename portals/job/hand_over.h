// How a host program gives Portals the job that it belongs to: who the ranks
// are, which host each is on, and how they reach each other by datagrams.
//
// Before PtlInit, once, or again after it was taken back. From then on, in this
// process, the physical identifier of rank R on interface 0 (PTL_IFACE_DEFAULT)
// is
//   nid = host_of[R], pid = R,
// and of interface I it is pid = I * ranks + R. PtlNIInit gives that pid to who
// asks for PTL_PID_ANY; any other is PTL_PID_IN_USE. So nobody need tell
// anybody identifiers: PtlSetMap may be called with them at once.
//
// Operations on ranks of this host go through shared memory, on others as
// datagrams. PORTALS4_TRANSPORT, which must be the same on all ranks, is `auto`
// for that; `datagram` sends datagrams to all ranks but this one; `memory`
// sends none, and ranks of other hosts are PTL_NI_UNDELIVERABLE.
//
// A program that hands nothing over is alone with the processes of its host.
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

// A job as one of its ranks sees it.
struct Membership {
  uint32_t rank = 0;
  std::vector<uint32_t> host_of;  // by rank, from 0
  // Of ranks that send datagrams; else without a socket.
  datagram::JobSocket socket;
  // Whether a rank takes nothing in any more; any thread. Of a job that is told
  // of the ends of its processes, which need no limit of silence then. Empty:
  // of no rank that is known.
  std::function<bool(uint32_t rank)> has_left = {};
};

// Returns true if ranks on these hosts, by rank, send each other datagrams.
bool NeedsSocket(std::span<const uint32_t> host_of);

void HandOver(Membership membership);

// Takes back what was handed over, if anything was: after PtlFini, and no
// thread is in Portals.
void TakeBack();

// The same for a GASNet job. Collective; fails on all ranks when it fails on
// one, which has been told then (job/shared_failure.h). Opens a socket where
// there is somebody to send datagrams to.
absl::Status HandOver(job::Job& job);

// Whether all that this process has sent as datagrams has arrived. May be false
// while another thread works on that. Any time, signal handlers included; the
// thread of Portals sees to it that it becomes true.
bool HasArrived();

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_HAND_OVER_H_
