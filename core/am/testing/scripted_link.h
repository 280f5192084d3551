// A fake link that the test controls.
#ifndef CORE_AM_TESTING_SCRIPTED_LINK_H_
#define CORE_AM_TESTING_SCRIPTED_LINK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/am/link.h"
#include "gtest/gtest.h"

namespace gasnet::am {

// A link that records all calls: s for Send, P for a poll of all lanes, R for a
// poll of replies, A for Arm, Z for Sleep, D for Disarm, W for WakeOwn.
class ScriptedLink {
 public:
  Post Send(Rank peer, Lane lane, const Message&) {
    calls += 's';
    last_peer = peer;
    last_lane = lane;
    if (busy_sends == 0) return Post::kDone;
    --busy_sends;
    return Post::kRetry;
  }
  unsigned Poll(Lanes lanes, Dispatcher&) {
    calls += lanes == Lanes::kAll ? 'P' : 'R';
    return on_poll ? on_poll() : 0;
  }
  size_t MaxMedium() const { return 512; }
  size_t MaxLong(Lane lane) const { return lane == Lane::kReply ? 1 : 2; }
  uint32_t Arm() {
    calls += 'A';
    return ++epoch;
  }
  bool Sleep(uint32_t armed_epoch, int64_t nanos) {
    calls += 'Z';
    EXPECT_EQ(armed_epoch, epoch);
    longest = nanos;
    if (on_sleep) on_sleep();
    return stays_armed;
  }
  void Disarm() { calls += 'D'; }
  void WakeOwn() { calls += 'W'; }

  std::string calls;
  unsigned busy_sends = 0;
  int64_t longest = 0;       // limit of the last sleep
  bool stays_armed = false;  // the result of Sleep
  std::function<unsigned()> on_poll;
  std::function<void()> on_sleep;
  Rank last_peer = 0;
  Lane last_lane = Lane::kRequest;
  uint32_t epoch = 0;
};
static_assert(Link<ScriptedLink>);

}  // namespace gasnet::am

#endif  // CORE_AM_TESTING_SCRIPTED_LINK_H_
