// PMIx, through the library libpmix.so.2. It is loaded when a launcher offers
// PMIx (mpirun of Open MPI, prterun, srun --mpi=pmix), so programs that are
// started otherwise do not need it. If its header was missing when GASNet was
// built, ConnectToPmix says so.
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
