// The options of an endpoint: of its channels, and of the messages above.
#ifndef CORE_DATAGRAM_OPTIONS_H_
#define CORE_DATAGRAM_OPTIONS_H_

#include <cstddef>

#include "core/datagram/channel_options.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

struct Options : ChannelOptions {
  // Requests that arrived while only replies may be served.
  size_t kept_bytes = kKeptBytes;
  // Messages that are being put together, for each lane. Raised to two of the
  // largest.
  size_t assembly_bytes = kAssemblyBytes;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_OPTIONS_H_
