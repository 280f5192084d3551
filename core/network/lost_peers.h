// Peers that a network says it cannot reach any more.
//
// It does not say why. Most often the peer's process has ended, and job control
// knows: it ends the job and reports the reason, or has reported that the rank
// has left, to which nothing need arrive. So such a failure is no reason of its
// own until job control has had time to report it. One thread at a time.
#ifndef CORE_NETWORK_LOST_PEERS_H_
#define CORE_NETWORK_LOST_PEERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/network/tuning.h"
#include "core/rank.h"

namespace gasnet::network {

class LostPeers {
 public:
  // Where nobody says to whom it was that failed.
  static constexpr Rank kSomebody = ~Rank{0};

  // what: has failed and why, for the message that ends the job. Nothing where
  // the peer is known to be lost.
  void Note(Rank peer, std::string what, int64_t now);

  bool IsEmpty() const { return lost_.empty(); }

  // Forgets those that have left; ends the job where one was lost long ago and
  // nobody has reported why.
  template <class HasLeft>
  void Look(HasLeft has_left, int64_t now) {
    std::erase_if(lost_, [&](const Lost& each) { return has_left(each.peer); });
    for (const Lost& each : lost_) {
      if (now - each.since >= kPatience) End(each);
    }
  }

 private:
  struct Lost {
    Rank peer;
    std::string what;
    int64_t since;
  };
  [[noreturn]] static void End(const Lost& lost);

  std::vector<Lost> lost_;
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LOST_PEERS_H_
