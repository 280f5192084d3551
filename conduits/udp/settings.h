// The settings of this conduit, from the environment.
#ifndef CONDUITS_UDP_SETTINGS_H_
#define CONDUITS_UDP_SETTINGS_H_

#include <cstdint>

#include "core/datagram/faults.h"
#include "core/ip/address_choice.h"

namespace gasnet::udp {

struct UdpSettings {
  ip::AddressWishes addresses;
  uint32_t depth;           // GASNET_NETWORKDEPTH: packets in flight to a peer
  int64_t initial_timeout;  // ns until a packet is first sent again
  // ns without an answer after which the job ends; 0: never
  int64_t silence_limit;
  int64_t backoff;          // factor of the timeout for each retransmission
  bool encrypt;             // GASNET_UDP_ENCRYPT
  bool offload;             // GASNET_UDP_OFFLOAD
  bool statistics;          // GASNET_UDP_STATISTICS
  bool progress;            // GASNET_UDP_PROGRESS
  unsigned rails;           // GASNET_UDP_RAILS; 0: by the processors
  datagram::Faults faults;  // GASNET_UDP_FAULTS
};

// Reads the settings. Ends the job with a message if a variable has an invalid
// value.
UdpSettings SettingsFromEnvironment();

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_SETTINGS_H_
