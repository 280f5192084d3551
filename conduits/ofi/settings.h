// The settings of the ofi conduit, from the environment.
#ifndef CONDUITS_OFI_SETTINGS_H_
#define CONDUITS_OFI_SETTINGS_H_

#include <cstdint>
#include <string>

#include "conduits/ofi/node_list.h"
#include "conduits/ofi/place.h"
#include "core/ip/address_choice.h"

namespace gasnet::ofi {

// The registration modes to request. kBasic lets tests cover FI_MR_BASIC.
enum class Registration : uint8_t { kAny, kBasic };

// The criterion that tells that a put is complete at its target (paths.h). kOwn
// selects the best criterion that the provider supports.
enum class RemoteCompletion : uint8_t { kOwn, kDelivery, kTransmit, kRead };

// How an idle rank learns of arrivals.
//
// - kDescriptor: it sleeps until the queue's file descriptor is readable, if
//   the provider has a descriptor.
// - kNaps: it looks now and then. So a software provider need not signal.
enum class WaitStrategy : uint8_t { kDescriptor, kNaps };

// The user's choices for providers that support several methods.
struct Wishes {
  // GASNET_OFI_REMOTE_COMPLETION
  RemoteCompletion remote_completion = RemoteCompletion::kOwn;
  WaitStrategy waiting = WaitStrategy::kDescriptor;  // GASNET_OFI_WAIT
};

struct OfiSettings {
  std::string library;   // GASNET_OFI_LIBRARY
  std::string provider;  // GASNET_OFI_PROVIDER: a name; "": any provider
  // FI_PROVIDER, if GASNET_OFI_PROVIDER is not set; "": all providers
  std::string admitted;
  std::string device;  // name of a domain; "": any device
  bool list_devices;   // GASNET_OFI_LIST_DEVICES
  NodeList listers;    // GASNET_OFI_LIST_DEVICES_NODES
  ip::AddressWishes addresses;
  Registration registration;  // GASNET_OFI_TEST_MR
  Wishes wishes;
  bool progress;  // GASNET_OFI_PROGRESS
};

// Returns the settings of a rank at `place`. The device comes from
// GASNET_OFI_DEVICE, or from GASNET_OFI_DEVICE_n, where n is the number of the
// rank's socket, memory node or process (GASNET_OFI_DEVICE_TYPE). Ends the job
// with a message if a variable has an invalid value.
OfiSettings SettingsFromEnvironment(const CpuPlacement& place);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SETTINGS_H_
