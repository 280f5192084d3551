// For a build without PMIx's header.
#include "job/managed/pmi/pmix_manager.h"

namespace gasnet::job {

bool IsBuiltWithPmix() { return false; }

StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmix() {
  return UnimplementedError(
      "the launcher offers PMIx, which this GASNet was built without; build it "
      "where pkg-config knows pmix (Debian: libpmix-dev), or use gasnetrun, "
      "'srun --mpi=pmi2', or GASNET_SPAWN_CONTROL=none for a job of one");
}

}  // namespace gasnet::job
