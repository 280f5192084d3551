// Peers that a network reports as unreachable.
//
// The network does not say why a peer is unreachable. Usually the peer's
// process has ended, and job control knows more. Job control may then end the
// job and report the reason. Or it reports that the peer has left, and no
// message need arrive there. So an unreachable peer ends the job only after job
// control has had time to report. Used by one thread at a time.
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
  // Stands for a peer that is unknown.
  static constexpr Rank kSomebody = ~Rank{0};

  // Records a failure. what: the failed operation and the reason, for the
  // message that ends the job. Has no effect if the peer is already recorded.
  void Note(Rank peer, std::string what, int64_t now);

  bool IsEmpty() const { return lost_.empty(); }

  // Forgets peers that have left. Ends the job if a peer was lost long ago and
  // job control has reported no reason.
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
