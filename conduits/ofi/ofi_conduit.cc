#include "conduits/ofi/ofi_conduit.h"

#include "core/conduit.h"

namespace gasnet::ofi {

absl::Status OfiConduit::Start(int* argc, char*** argv,
                               std::string_view config) {
  return StartOver(argc, argv, config, &Network::Open);
}

static_assert(Conduit<OfiConduit> && ConduitHasSupernodes<OfiConduit> &&
              ConduitActsBeforeExit<OfiConduit> && ConduitHasRma<OfiConduit>);

}  // namespace gasnet::ofi
