// Blocks signals on this thread for a scope.
#ifndef JOB_SIGNAL_MASK_H_
#define JOB_SIGNAL_MASK_H_

#include <signal.h>

namespace gasnet::job {

class BlockAllSignals {
 public:
  BlockAllSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockAllSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockAllSignals(const BlockAllSignals&) = delete;
  BlockAllSignals& operator=(const BlockAllSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace gasnet::job

#endif  // JOB_SIGNAL_MASK_H_
