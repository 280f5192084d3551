// The choice of the library's provider, and of its device, that carries a job.
//
// Without a wish it is the first that there is of kPreferred; providers that
// are not in it are not taken unless they are named. Of several devices that
// the provider offers it is the one that is named; else the one of this host's
// address (IP); else one that is near to the rank's processors, in turn for the
// ranks of a host that are near to the same ones.
// All ranks take the same provider, or the job does not start (start.cc).
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

// Whether `wish` names the provider, in any case as for libfabric: "tcp" means
// "tcp" and "tcp;ofi_rxm".
bool Names(std::string_view wish, std::string_view provider);

// The meaning of FI_PROVIDER for a provider: "verbs,tcp" names two and leaves
// all others out; "^verbs,tcp" leaves two out, and names none.
enum class Admission : uint8_t { kNamed, kLeftOut, kOpen };
Admission AdmissionOf(std::string_view list, std::string_view provider);

// A smaller number is better; kNotPreferred: only where it is named.
inline constexpr unsigned kNotPreferred = ~0U;
unsigned PreferenceOf(std::string_view provider);

// Returns false for a provider that goes by the host's IP, as udp does.
bool IsNetworkOfItsOwn(std::string_view provider);

// Where this rank looks at devices from.
struct Seat {
  ip::Address address;  // by which this host reaches those of the job
  Place place;
};

// Asks the library, and answers one entry alone.
absl::StatusOr<Info> Choose(const Library& library, const Settings& settings,
                            const Seat& seat);

// Why it is that one which Choose has answered, for people.
std::string ReasonFor(const fi_info& chosen, const Settings& settings,
                      const Seat& seat);

// A device of a provider, and why it is taken or not.
struct Verdict {
  std::string provider;
  std::string device;
  std::string says;
};

// On all that the library has, in its order.
std::vector<Verdict> Survey(const Library& library, const Settings& settings,
                            const Seat& seat);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_CHOICE_H_
