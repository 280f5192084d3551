#include "core/network/readable.h"

#include <poll.h>

#include <array>

#include "base/cancellation.h"
#include "base/clock.h"

namespace gasnet::network {

void AwaitReadable(int first, int second, int64_t nanos) {
  std::array<pollfd, 2> watched = {{{first, POLLIN, 0}, {second, POLLIN, 0}}};
  const timespec time = ToTimespec(nanos);
  const NoCancellation asleep;
  ppoll(watched.data(), watched.size(), nanos == kNever ? nullptr : &time,
        nullptr);
}

}  // namespace gasnet::network
