// Uses the environment to detect the launcher that has started this process.
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "base/own_env.h"
#include "job/managed/pmi/pmi2_manager.h"
#include "job/managed/pmi/pmix_manager.h"
#include "job/managed/pmi/process_manager.h"

namespace gasnet::job {
namespace {

constexpr char kVariable[] = "GASNET_SPAWN_CONTROL";

bool IsSet(const char* name) { return OwnEnv(name) != nullptr; }

bool HasPmix() { return IsSet("PMIX_NAMESPACE") && IsSet("PMIX_RANK"); }
bool HasPmi2() {
  return IsSet("PMI_FD") && IsSet("PMI_RANK") && IsSet("PMI_SIZE");
}

// Returns true for a task of srun. Returns false for processes that sbatch and
// salloc start, because these do not have SLURM_STEP_NUM_TASKS.
bool IsOneOfSeveralSlurmTasks() {
  const char* const tasks = OwnEnv("SLURM_STEP_NUM_TASKS");
  const std::optional<int64_t> number =
      tasks == nullptr ? std::nullopt : ParseInt(tasks);
  return IsSet("SLURM_PROCID") && number.value_or(1) > 1;
}

absl::StatusOr<PmiKind> Automatic() {
  if (HasPmix()) return PmiKind::kPmix;
  if (HasPmi2()) return PmiKind::kPmi2;
  if (!IsOneOfSeveralSlurmTasks()) return PmiKind::kNone;
  return absl::FailedPreconditionError(absl::StrCat(
      "this is task ", OwnEnv("SLURM_PROCID"), " of ",
      OwnEnv("SLURM_STEP_NUM_TASKS"),
      " of a Slurm step without PMI, so it cannot find the others; start it "
      "with 'srun --mpi=pmi2' or 'srun --mpi=pmix' (or set SLURM_MPI_TYPE), or "
      "set ",
      kVariable, "=none for as many jobs of one node"));
}

}  // namespace

absl::StatusOr<PmiKind> DetectPmi() {
  const char* const set = OwnEnv(kVariable);
  const std::string choice = set == nullptr ? "" : set;
  const auto is = [&](const char* name) {
    return absl::EqualsIgnoreCase(choice, name);
  };
  if (choice.empty() || is("auto")) return Automatic();
  if (is("none")) return PmiKind::kNone;
  const bool any = is("pmi");
  if (!any && !is("pmix") && !is("pmi2")) {
    return absl::InvalidArgumentError(
        absl::StrCat(kVariable, " is '", choice,
                     "'; accepted: auto, pmix, pmi2, pmi (either), none"));
  }
  if ((any || is("pmix")) && HasPmix()) return PmiKind::kPmix;
  if ((any || is("pmi2")) && HasPmi2()) return PmiKind::kPmi2;
  return absl::FailedPreconditionError(absl::StrCat(
      kVariable, " is '", choice,
      "', but no launcher offers that to this process (PMIX_NAMESPACE and "
      "PMIX_RANK, or PMI_FD, PMI_RANK and PMI_SIZE are not set)"));
}

absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToProcessManager() {
  const auto kind = DetectPmi();
  if (!kind.ok()) return kind.status();
  absl::StatusOr<std::unique_ptr<ProcessManager>> manager = nullptr;
  if (*kind == PmiKind::kPmix) manager = ConnectToPmix();
  if (*kind == PmiKind::kPmi2) manager = ConnectToPmi2();
  if (!manager.ok() || *manager == nullptr || (*manager)->size() > 1) {
    return manager;
  }
  // The launcher has started one process. The job has only this process, or the
  // GASNET_PSHM_NODES ranks that the process forks.
  const absl::Status finished = (*manager)->Finish();
  if (!finished.ok()) return finished;
  return nullptr;
}

}  // namespace gasnet::job
