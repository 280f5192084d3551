// The choice of the provider of libfabric, and of its device, for a job.
//
// If no provider is named, it is the first available one of kPreferred; other
// providers are used only if they are named. If the provider offers several
// devices, the device is the first of these that exists:
//
//   - the one that is named
//   - the one with this host's address (IP)
//   - one that is near to the rank's processors; ranks of a host that are near
//     to the same devices take them in turn
//
// All ranks use the same provider, or the job does not start (start.cc).
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

// Returns true if `wish` names the provider, in upper or lower case as in
// libfabric: "tcp" names "tcp" and "tcp;ofi_rxm".
bool Names(std::string_view wish, std::string_view provider);

// The meaning of FI_PROVIDER for a provider: "verbs,tcp" names two and leaves
// all others out; "^verbs,tcp" leaves two out, and names none.
enum class Admission : uint8_t { kNamed, kLeftOut, kOpen };
Admission AdmissionOf(std::string_view list, std::string_view provider);

// Returns the position of the provider among the preferred ones; smaller is
// better. kNotPreferred: used only if named.
inline constexpr unsigned kNotPreferred = ~0U;
unsigned PreferenceOf(std::string_view provider);

// Returns false for a provider that uses the host's IP, as udp does.
bool IsNetworkOfItsOwn(std::string_view provider);

// The position of this rank relative to devices.
struct Locality {
  ip::Address address;  // of this host, in the job's networks
  Place place;
};

// Queries the library, and returns a single entry: the chosen device.
absl::StatusOr<Info> Choose(const Library& library, const Settings& settings,
                            const Locality& locality);

// Returns the reason for that choice, as text for users.
std::string ReasonFor(const fi_info& chosen, const Settings& settings,
                      const Locality& locality);

// A device of a provider, and the reason why it is used or not.
struct Verdict {
  std::string provider;
  std::string device;
  std::string says;
};

// Returns verdicts on all devices of the library, in its order.
std::vector<Verdict> Survey(const Library& library, const Settings& settings,
                            const Locality& locality);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_CHOICE_H_
