// Constants that tune sockets, the progress thread, and the choice of a
// network.
#ifndef CORE_IP_TUNING_H_
#define CORE_IP_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ip {

// The progress thread naps for so long between two looks while a client thread
// polls. Long beside the time that a polling process needs, short beside what a
// user notices (bench network, idle).
inline constexpr int64_t kNap = 1'000'000;  // ns
// A socket should hold as much as arrives for a process that computes for a
// while. Linux gives as much as net.core.rmem_max admits and counts more than
// the payload. Reasoned, not measured.
inline constexpr int kSocketBuffer = 8 << 20;  // bytes

// Hosts that a message about their networks lists; all others it counts: more
// lines help nobody. Reasoned, not measured.
inline constexpr size_t kHostsListed = 8;

}  // namespace gasnet::ip

#endif  // CORE_IP_TUNING_H_
