#include "core/network/readable.h"

#include <poll.h>

#include <algorithm>
#include <array>

#include "base/cancellation.h"
#include "base/clock.h"

namespace gasnet::network {

void AwaitReadable(std::span<const int> descriptors, int other, int64_t nanos) {
  std::array<pollfd, kMaxDescriptors + 1> watched;
  watched[0] = {other, POLLIN, 0};
  nfds_t count = 1;
  for (const int descriptor :
       descriptors.first(std::min(descriptors.size(), kMaxDescriptors))) {
    watched[count++] = {descriptor, POLLIN, 0};
  }
  const timespec time = ToTimespec(nanos);
  const NoCancellation asleep;
  ppoll(watched.data(), count, nanos == kNever ? nullptr : &time, nullptr);
}

}  // namespace gasnet::network
