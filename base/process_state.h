// A scope in which GASNet loads and starts a library that changes process state
// of the client: signal actions, and the CPUs that this thread may run on. The
// constructor saves this state and the destructor restores it.
//
// This thread handles no signals within the scope. A signal handler that the
// library installs may break the start of the library. An example is a handler
// that calls exit(), which waits for a lock that the interrupted code holds.
// Signals that arrive are delivered after the scope, to the client's actions.
// Threads that the library makes inherit the blocked mask.
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
