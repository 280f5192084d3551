// Calls of GASNet are no cancellation points (pthread_cancel): a thread that
// ended inside a call would leave locks held and messages half sent. Blocking
// system calls of the C library are cancellation points. The message path
// therefore makes system calls through syscall(2), which is not a cancellation
// point. Other code, and libraries that make blocking calls, run within the
// scope of a NoCancellation. It costs some 20 ns. If a client's thread asks for
// asynchronous cancellation, the client is responsible for the consequences.
#ifndef BASE_CANCELLATION_H_
#define BASE_CANCELLATION_H_

#include <pthread.h>

namespace gasnet {

// Forbids cancellation of this thread. Returns the state to restore.
inline int ForbidCancellation() {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before;
}

// Restores the state that ForbidCancellation returned. Not a cancellation
// point.
inline void RestoreCancellation(int before) {
  pthread_setcancelstate(before, nullptr);
}

// Forbids cancellation for a scope. Async-signal-safe.
class NoCancellation {
 public:
  NoCancellation() : before_(ForbidCancellation()) {}
  ~NoCancellation() { RestoreCancellation(before_); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;

 private:
  const int before_;
};

}  // namespace gasnet

#endif  // BASE_CANCELLATION_H_
