// Computes the lengths of the naps of the transport's thread. In a nap the
// thread leaves polling to other threads. This class reads no clock. The caller
// reports its observations in each nap.
//
// A thread that polls and does little else needs no help from the transport's
// thread. Short naps would take the processor away from it. So naps grow while
// other threads only poll. They end when those threads compute.
//
// A thread may have no processor at all during a nap. It polls on when it gets
// one again. On a host with more ranks than processors, threads are in this
// state most of the time. If the transport's thread polled then, two threads of
// a rank would share one socket, and take several times as long as one. But a
// thread without a processor may also sleep in a call of its own, so it counts
// as polling for a limited time only.
#ifndef PORTALS_DATAGRAM_ASIDE_H_
#define PORTALS_DATAGRAM_ASIDE_H_

#include <cstdint>

namespace gasnet::portals4 {

class Aside {
 public:
  // The caller's observations in a nap.
  struct Seen {
    uint32_t polls = 0;  // The number of polls by other threads.
    int64_t ran = 0;     // The last poller's processor time in ns.
  };

  // Returns the length in ns of the first nap. Call this when other threads
  // have polled.
  int64_t Begin();
  // Returns the length in ns of the next nap, or 0 if other threads have
  // stopped polling.
  int64_t Next(const Seen& seen);

 private:
  int64_t nap_ = 0;
  int64_t dense_ = 0;   // Time (ns) in which other threads only polled.
  int64_t absent_ = 0;  // Time (ns) in which no other thread polled or ran.
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_ASIDE_H_
