// A foreign launcher that offers PMI2 or PMIx to the processes it starts (srun
// of Slurm, mpirun of Open MPI, prterun, mpiexec of MPICH). This interface has
// only the parts that a job needs: this process's rank, the size of the job,
// and one value that rank 0 sends to the other ranks.
//
//   connected   ConnectToProcessManager has returned the object
//   finished    after Finish; only the accessors may be called
//
// Used by one thread. An implementation may run threads of its own until
// Finish. Values from a launcher are checked. These are errors:
// - a size beyond the limit of a job
// - a rank beyond the size
// - a value with an invalid length or form
#ifndef JOB_MANAGED_PMI_PROCESS_MANAGER_H_
#define JOB_MANAGED_PMI_PROCESS_MANAGER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace gasnet::job {

class ProcessManager {
 public:
  // The limit of PMI2 for the length of a value. In the PMI2 protocol ';' and
  // '=' are special, so values consist of letters, digits and `.:,/-`.
  static constexpr size_t kMaxValueBytes = 1023;

  virtual ~ProcessManager() = default;

  uint32_t rank() const { return rank_; }
  uint32_t size() const { return size_; }
  // Returns true if the launcher says that all processes of the job are on this
  // host.
  bool is_on_one_host() const { return is_on_one_host_; }

  // Returns rank 0's `mine` on every rank; `mine` of other ranks is ignored.
  // Collective. Called once.
  absl::StatusOr<std::string> Broadcast(std::string_view mine);

  // Ends the use of the launcher. The launcher still supervises this process.
  virtual absl::Status Finish() = 0;

  // Asks the launcher to end all processes of the job, because this process
  // cannot go on.
  virtual void Abort(int code, const std::string& why) = 0;

 protected:
  // Sets rank and size to the launcher's numbers. Returns an error if the
  // numbers are invalid.
  absl::Status SetPlace(int64_t rank, int64_t size);
  void SetOnOneHost(bool on_one_host) { is_on_one_host_ = on_one_host; }

 private:
  virtual absl::Status Put(const std::string& key,
                           const std::string& value) = 0;
  // Returns when all ranks have called Fence. After that, Get finds the values
  // that the ranks have put.
  virtual absl::Status Fence() = 0;
  // Returns the value that rank 0 has put.
  virtual absl::StatusOr<std::string> Get(const std::string& key) = 0;

  uint32_t rank_ = 0;
  uint32_t size_ = 1;
  bool is_on_one_host_ = false;
};

// The kinds of launcher that the environment can offer. GASNET_SPAWN_CONTROL
// selects one:
//
//   - auto: PMIx if present, else PMI2 if present; the default
//   - pmix, pmi2: this kind, which must be present
//   - pmi: either kind; one of them must be present
//   - none: no foreign launcher
enum class PmiKind { kNone, kPmix, kPmi2 };

// Returns the selected kind. Returns InvalidArgument if the value of
// GASNET_SPAWN_CONTROL is invalid. Returns FailedPrecondition if the selected
// kind is absent. Also returns FailedPrecondition if this process is one of
// several tasks of a Slurm step that offers neither kind.
absl::StatusOr<PmiKind> DetectPmi();

// Connects to the selected launcher. Returns null if there is no launcher, or
// if the launcher has started only this process.
absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToProcessManager();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_PMI_PROCESS_MANAGER_H_
