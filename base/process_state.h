// State of a process that belongs to the client and that a library changes
// which we load and start: how signals are handled, and the processors that
// this thread may run on. At the end of its scope that is as at its beginning.
//
// No signal is handled by this thread meanwhile, since handlers of such a
// library may do what its other parts cannot bear while they start: one calls
// exit(), which waits for a lock that its caller holds. Signals that come wait
// for the end of the scope, and meet what was set before. Threads that the
// library makes inherit that they handle none.
#ifndef BASE_PROCESS_STATE_H_
#define BASE_PROCESS_STATE_H_

#include <sched.h>
#include <signal.h>

#include <array>

#include "base/signal_mask.h"

namespace gasnet {

class ProcessStateKept {
 public:
  ProcessStateKept();
  ~ProcessStateKept();
  ProcessStateKept(const ProcessStateKept&) = delete;
  ProcessStateKept& operator=(const ProcessStateKept&) = delete;

 private:
  const BlockAllSignals until_the_rest_is_as_before_;
  std::array<cpu_set_t, 8> cpus_;  // 8192 processors
  bool has_cpus_;
  std::array<struct sigaction, NSIG> actions_;
  std::array<bool, NSIG> has_action_;
};

}  // namespace gasnet

#endif  // BASE_PROCESS_STATE_H_
