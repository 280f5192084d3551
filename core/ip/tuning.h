// Constants that tune sockets, the progress thread, and the choice of a
// network.
#ifndef CORE_IP_TUNING_H_
#define CORE_IP_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ip {

// The interval at which the progress thread looks while there is a deadline. It
// is long compared with the work of a process that polls, and short compared
// with a delay that a user notices (bench network, idle).
inline constexpr int64_t kNap = 1'000'000;  // ns
// The sleep of an attending progress thread if no descriptor can wake it. Short
// compared with a round trip to a sleeping process. Reasoned, not measured.
inline constexpr int64_t kBriefNap = 50'000;  // ns
// The size of a socket's buffers: enough for the datagrams that arrive while a
// process computes for a while. Linux grants at most net.core.rmem_max, and
// counts more than the payload. Reasoned, not measured.
inline constexpr int kSocketBuffer = 8 << 20;  // bytes

// The maximum number of hosts that a message about networks lists. The message
// only counts further hosts: more lines would not help. Reasoned, not measured.
inline constexpr size_t kHostsListed = 8;

}  // namespace gasnet::ip

#endif  // CORE_IP_TUNING_H_
