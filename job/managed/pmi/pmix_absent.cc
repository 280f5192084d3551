// Replaces pmix_manager.cc in a build without PMIx's header.
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "job/managed/pmi/pmix_manager.h"

namespace gasnet::job {

bool IsBuiltWithPmix() { return false; }

absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmix() {
  return absl::UnimplementedError(
      "the launcher offers PMIx, which this GASNet was built without; build it "
      "where pkg-config knows pmix (Debian: libpmix-dev), or use gasnetrun, "
      "'srun --mpi=pmi2', or GASNET_SPAWN_CONTROL=none for a job of one");
}

}  // namespace gasnet::job
