// How long the transport's thread leaves the polls to others, nap by nap. It
// reads no clock: what happened in a nap is told.
//
// A thread that polls and does little else needs no help, and naps that are
// short take its processor away from it. So naps grow while others do nothing
// but poll. They end when those compute. A thread that had no processor at all
// polls on when it has it again: on a host with more ranks than processors each
// is in that state most of the time, and two threads of a rank that work in
// turns on one socket take several times as long as one. As it may also sleep
// in a call of its own, that is believed for a while only.
#ifndef PORTALS_DATAGRAM_ASIDE_H_
#define PORTALS_DATAGRAM_ASIDE_H_

#include <cstdint>

namespace gasnet::portals4 {

class Aside {
 public:
  // In a nap.
  struct Seen {
    uint32_t polls = 0;  // by others
    int64_t ran = 0;  // ns for which the one that polled last had a processor
  };

  // The first nap, when others have polled. Nanoseconds.
  int64_t Begin();
  // The next one; 0: nobody polls any more.
  int64_t Next(const Seen& seen);

 private:
  int64_t nap_ = 0;
  int64_t dense_ = 0;   // for so long others have done nothing but poll
  int64_t absent_ = 0;  // for so long nobody has polled or run
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_ASIDE_H_
