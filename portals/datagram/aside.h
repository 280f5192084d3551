// The times for which the transport's thread leaves the polls to other threads,
// nap by nap. This class reads no clock: the caller reports what happened in a
// nap.
//
// A thread that polls and does little else needs no help, and short naps take
// its processor away from it. So naps grow while other threads do nothing but
// poll, and end when those compute. A thread that had no processor at all polls
// on when it gets one again. On a host with more ranks than processors each
// thread is in that state most of the time, and two threads of a rank that take
// turns on one socket take several times as long as one. Such a thread may also
// sleep in a call of its own, so it counts as polling for a limited time only.
#ifndef PORTALS_DATAGRAM_ASIDE_H_
#define PORTALS_DATAGRAM_ASIDE_H_

#include <cstdint>

namespace gasnet::portals4 {

class Aside {
 public:
  // The caller's observations in a nap.
  struct Seen {
    uint32_t polls = 0;  // by other threads
    int64_t ran = 0;     // ns that the last poller had a processor
  };

  // Returns the length of the first nap, after other threads have polled.
  // Nanoseconds.
  int64_t Begin();
  // Returns the length of the next nap, or 0 if nobody polls any more.
  int64_t Next(const Seen& seen);

 private:
  int64_t nap_ = 0;
  int64_t dense_ = 0;   // ns for which others have done nothing but poll
  int64_t absent_ = 0;  // ns for which nobody has polled or run
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_ASIDE_H_
