// The conduit for hosts that libfabric reaches, by whatever network they have.
//
// It is core/hostshm among the ranks of a host (of a supernode, where
// GASNET_SUPERNODE_MAXSIZE divides the host) and libfabric among all others,
// composed by core/network: messages as frames under credit, puts and gets by
// remote memory access. DESIGN.md says how.
#ifndef CONDUITS_OFI_OFI_CONDUIT_H_
#define CONDUITS_OFI_OFI_CONDUIT_H_

#include <string_view>

#include "absl/status/status.h"
#include "conduits/ofi/network.h"
#include "core/network/conduit_over.h"

namespace gasnet::ofi {

class OfiConduit : public network::ConduitOver<Network> {
 public:
  static constexpr std::string_view kName = "OFI";

  static absl::Status Start(int* argc, char*** argv, std::string_view config);
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_OFI_CONDUIT_H_
