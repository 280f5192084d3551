#include "conduits/udp/udp_conduit.h"

#include "conduits/udp/spawn_function.h"
#include "core/conduit.h"

namespace gasnet::udp {

absl::Status UdpConduit::Start(int* argc, char*** argv,
                               std::string_view config) {
  if (const absl::Status obeyed = ObeySpawnFunction(argc, argv); !obeyed.ok()) {
    return obeyed;
  }
  return StartOver(argc, argv, config, &Network::Open);
}

static_assert(Conduit<UdpConduit> && ConduitHasSupernodes<UdpConduit> &&
              ConduitActsBeforeExit<UdpConduit>);

}  // namespace gasnet::udp
