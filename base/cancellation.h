// Calls of GASNet are no cancellation points (pthread_cancel): a thread that
// ended in one would leave locks held and messages half sent. System calls of
// the C library that may block are such points. On the path of messages they
// are made by syscall(2), which is none. Elsewhere, and around libraries that
// make them, they are made within a NoCancellation, which takes some 20 ns. A
// thread that has asked for asynchronous cancellation is its client's
// responsibility.
#ifndef BASE_CANCELLATION_H_
#define BASE_CANCELLATION_H_

#include <pthread.h>

namespace gasnet {

// Forbids cancellation of this thread from here on. Returns the state to
// restore.
inline int ForbidCancellation() {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before;
}

// Restores the state that ForbidCancellation returned. No cancellation point
// itself.
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
