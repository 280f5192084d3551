// Blocks signals on this thread for a scope.
#ifndef BASE_SIGNAL_MASK_H_
#define BASE_SIGNAL_MASK_H_

#include <signal.h>

namespace gasnet {

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

}  // namespace gasnet

#endif  // BASE_SIGNAL_MASK_H_
