// Decides when the handler thread beside the client (handler_thread.h) serves,
// and when it naps and stays out of the way.
//
// While client threads serve the network, the thread naps, and wakes only by
// the clock. If it slept on the link instead, each message to the client would
// have to wake it, which costs the sender a system call. It also naps if
// wake-ups brought no messages. For example, a client that sends continuously
// wakes it only because there is room to send more.
//
//     serving --clients served, or it was woken in vain--> napping
//     napping --clients did not serve during the nap--> serving
//
// Each nap is twice as long as the one before, while there is a reason to nap.
// So a message that comes just after the client has stopped serving waits for
// less time than the client had served. Naps are short again in two cases: the
// thread has handled messages that no client thread would have handled, or it
// has slept undisturbed for as long as a nap.
#ifndef CORE_RUNTIME_HANDLER_PACE_H_
#define CORE_RUNTIME_HANDLER_PACE_H_

#include <algorithm>
#include <cstdint>

#include "core/runtime/tuning.h"

namespace gasnet {

class HandlerPace {
 public:
  // The events of one round: a nap, or a poll of the link followed by a sleep.
  struct Round {
    bool clients_served = false;  // some other thread has served the network
    bool woken = false;           // another thread or rank ended the sleep
    unsigned handled = 0;         // messages that this thread handled
    int64_t slept = 0;            // nanoseconds slept on the link
  };

  // Returns the nanoseconds for which the thread naps after this round, or 0 if
  // the thread is to serve.
  int64_t Next(const Round& round) {
    const bool in_vain = round.woken && round.handled == 0;
    const bool needed = round.handled > 0 && !round.clients_served;
    if (needed || round.slept >= nap_) nap_ = 0;
    if (!round.clients_served && !in_vain) return 0;
    nap_ = std::clamp(2 * nap_, kMinHandlerNap, kMaxHandlerNap);
    return nap_;
  }

 private:
  int64_t nap_ = 0;  // nanoseconds of the last nap; 0: naps start short again
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_HANDLER_PACE_H_
