#include "base/process_state.h"

namespace gasnet {

ProcessStateKept::ProcessStateKept()
    : has_cpus_(sched_getaffinity(0, sizeof cpus_, cpus_.data()) == 0) {
  for (int signal = 1; signal < NSIG; ++signal) {
    has_action_[signal] = sigaction(signal, nullptr, &actions_[signal]) == 0;
  }
}

ProcessStateKept::~ProcessStateKept() {
  if (has_cpus_) sched_setaffinity(0, sizeof cpus_, cpus_.data());
  for (int signal = 1; signal < NSIG; ++signal) {
    if (has_action_[signal]) sigaction(signal, &actions_[signal], nullptr);
  }
}

}  // namespace gasnet
