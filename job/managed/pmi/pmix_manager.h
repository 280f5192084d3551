// PMIx, through the library libpmix.so.2. The library is loaded only if a
// launcher offers PMIx (mpirun of Open MPI, prterun, srun --mpi=pmix). Jobs of
// other launchers run without the library. ConnectToPmix returns an error if
// GASNet was built without the library's header.
#ifndef JOB_MANAGED_PMI_PMIX_MANAGER_H_
#define JOB_MANAGED_PMI_PMIX_MANAGER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "job/managed/pmi/process_manager.h"

namespace gasnet::job {

// Returns true if this GASNet was built with PMIx.
bool IsBuiltWithPmix();

absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmix();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_PMI_PMIX_MANAGER_H_
