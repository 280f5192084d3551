// State of a process that the constructors of a loaded library may change, and
// must not: the processors that this thread may run on, and how signals are
// handled. Kept by one object, put back by Restore.
#ifndef CONDUITS_OFI_PROCESS_STATE_H_
#define CONDUITS_OFI_PROCESS_STATE_H_

#include <sched.h>
#include <signal.h>

#include <array>

namespace gasnet::ofi {

class ProcessState {
 public:
  ProcessState();
  void Restore() const;

 private:
  std::array<cpu_set_t, 8> cpus_;  // 8192 processors
  bool has_cpus_;
  std::array<struct sigaction, NSIG> actions_;
  std::array<bool, NSIG> has_action_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PROCESS_STATE_H_
