// State of a process that the constructors of a loaded library may change, and
// providers when they are opened, and must not: the processors that this thread
// may run on, and how signals are handled. At its end it is as at its
// beginning.
#ifndef CONDUITS_OFI_PROCESS_STATE_H_
#define CONDUITS_OFI_PROCESS_STATE_H_

#include <sched.h>
#include <signal.h>

#include <array>

namespace gasnet::ofi {

class ProcessStateKept {
 public:
  ProcessStateKept();
  ~ProcessStateKept();
  ProcessStateKept(const ProcessStateKept&) = delete;
  ProcessStateKept& operator=(const ProcessStateKept&) = delete;

 private:
  std::array<cpu_set_t, 8> cpus_;  // 8192 processors
  bool has_cpus_;
  std::array<struct sigaction, NSIG> actions_;
  std::array<bool, NSIG> has_action_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PROCESS_STATE_H_
