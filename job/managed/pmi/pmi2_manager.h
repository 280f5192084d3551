// The PMI2 protocol on the socket PMI_FD. The launcher leaves this socket open
// in this process. No library is needed. srun --mpi=pmi2 of Slurm and mpiexec
// of MPICH offer PMI2.
#ifndef JOB_MANAGED_PMI_PMI2_MANAGER_H_
#define JOB_MANAGED_PMI_PMI2_MANAGER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "job/managed/pmi/process_manager.h"

namespace gasnet::job {

// Connects by PMI_FD, PMI_RANK, PMI_SIZE and PMI_JOBID. If PMI_SIZE is 1,
// returns null and does not use the socket. In that case the socket may belong
// to a shell that the launcher started, and the shell may have used it already.
absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmi2();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_PMI_PMI2_MANAGER_H_
