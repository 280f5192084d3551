// The options of an endpoint: those of its channels, and those of the messages
// in the layer above them.
#ifndef CORE_DATAGRAM_OPTIONS_H_
#define CORE_DATAGRAM_OPTIONS_H_

#include <cstddef>

#include "core/am/tuning.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

struct DatagramOptions : ChannelOptions {
  // Memory for requests that arrive while only replies may be served.
  size_t kept_bytes = kKeptBytes;
  // The size of the memory for messages that are being assembled, for each
  // lane. The size is raised if two of the largest messages need more.
  size_t assembly_bytes = am::kAssemblyBytes;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_OPTIONS_H_
