// The events of a simulated job, ordered by virtual time.
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_EVENTS_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_EVENTS_H_

#include <cstdint>
#include <queue>
#include <vector>

#include "conduits/portals/credits/credits.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

struct Event {
  enum Kind : uint8_t {
    kRequest,    // a request of `peer` arrives at `at`
    kReplies,    // the handler at `at` replies to `peer`
    kHandled,    // the handler at `at` ends
    kReply,      // a reply arrives
    kRevoke,     // a request for credits arrives
    kReturn,     // returned credits arrive
    kListens,    // `at` serves again
    kNextRound,  // a client at `at` begins a round
  };

  uint64_t time = 0;
  uint64_t number = 0;  // creation number; orders events of equal times
  Kind kind = kRequest;
  uint8_t request = 0;  // credit byte of the request
  uint8_t reply = 0;
  uint16_t client = 0;
  Rank at = 0;
  Rank peer = 0;
  uint32_t buffer = 0;
  CreditAnswer answer = {};
};

class Events {
 public:
  uint64_t now() const { return now_; }
  bool IsEmpty() const { return queue_.empty(); }

  void In(uint64_t delay, Event event) {
    event.time = now_ + delay;
    event.number = ++made_;
    queue_.push(event);
  }
  Event Next() {
    const Event event = queue_.top();
    queue_.pop();
    now_ = event.time;
    return event;
  }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::priority_queue<Event, std::vector<Event>, Later> queue_;
  uint64_t now_ = 0;
  uint64_t made_ = 0;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_EVENTS_H_
