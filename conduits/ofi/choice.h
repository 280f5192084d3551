// Chooses the libfabric provider and its device for a job.
//
// The user can name a provider. If none is named, the conduit uses the first
// provider of kPreferred that is available. Among several devices of the
// provider, the conduit takes the first of these that exists:
//
//   - the device that the user names
//   - the device with this host's address (IP)
//   - a device near to the rank's processors. Ranks of a host that are near to
//     the same devices take these devices in turn
//
// All ranks must use the same provider, or the job does not start (start.cc).
#ifndef CONDUITS_OFI_CHOICE_H_
#define CONDUITS_OFI_CHOICE_H_

#include <rdma/fabric.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/library.h"
#include "conduits/ofi/place.h"
#include "conduits/ofi/settings.h"
#include "core/ip/address.h"

namespace gasnet::ofi {

struct FreeInfo {
  void (*free)(fi_info*);
  void operator()(fi_info* info) const { free(info); }
};
using Info = std::unique_ptr<fi_info, FreeInfo>;

// Returns true if `wish` names the provider. Case does not matter. A name also
// matches providers with a layer on top, as in libfabric: "tcp" names "tcp" and
// "tcp;ofi_rxm".
bool Names(std::string_view wish, std::string_view provider);

// The effect of FI_PROVIDER on a provider. "verbs,tcp" names two providers and
// leaves all others out. "^verbs,tcp" leaves two providers out and names none.
enum class Admission : uint8_t { kNamed, kLeftOut, kOpen };
Admission AdmissionOf(std::string_view list, std::string_view provider);

// Returns the provider's position in kPreferred; a smaller one is better.
// Returns kNotPreferred if the provider is not in the list. The conduit uses
// such a provider only if the user names it.
inline constexpr unsigned kNotPreferred = ~0U;
unsigned PreferenceOf(std::string_view provider);

// Returns false for a provider that sends over the host's IP, like udp.
bool IsNetworkOfItsOwn(std::string_view provider);

// The location of this rank: the address of its host, and its position relative
// to devices.
struct Locality {
  ip::Address address;  // of this host, in the job's networks
  CpuPlacement place;
};

// Asks the library for devices and chooses one. Returns a list with only the
// chosen device.
absl::StatusOr<Info> Choose(const FabricLibrary& library,
                            const OfiSettings& settings,
                            const Locality& locality);

// Returns the reason for the choice of `chosen`, as text for users.
std::string ReasonFor(const fi_info& chosen, const OfiSettings& settings,
                      const Locality& locality);

// A device of a provider, and the reason why the device is used or not.
struct Verdict {
  std::string provider;
  std::string device;
  std::string says;
};

// Returns verdicts on all devices, in the order in which the library offers
// them.
std::vector<Verdict> Survey(const FabricLibrary& library,
                            const OfiSettings& settings,
                            const Locality& locality);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_CHOICE_H_
