#include "conduits/portals/bounce.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace gasnet::portals_conduit {

absl::Status Bounce::Start(ConduitInterface& interface) {
  const size_t all = pool_.size() * bytes_;
  const absl::Status mapped = memory_.Map(all);
  if (!mapped.ok()) return mapped;
  if (interface.Bind(memory_.base(), all, window_) != BindResult::kYes) {
    return absl::UnavailableError(absl::StrCat(
        "Portals 4 cannot bind a descriptor over ", all,
        " bytes of bounce buffers; GASNET_PORTAL_SB_CHUNKS=N makes "
        "fewer of them"));
  }
  return absl::OkStatus();
}

}  // namespace gasnet::portals_conduit
