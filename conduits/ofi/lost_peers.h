// Peers that the provider says it cannot reach any more.
//
// It does not say why. Most often the peer's process has ended, and job control
// knows: it ends the job and tells the reason, or has told that the rank has
// left, to which nothing need arrive. So such a failure is no reason of its own
// until job control has had time to tell. Under the lock of the network.
#ifndef CONDUITS_OFI_LOST_PEERS_H_
#define CONDUITS_OFI_LOST_PEERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/rank.h"

namespace gasnet::ofi {

class LostPeers {
 public:
  // Where nobody says who has sent what failed to be received.
  static constexpr Rank kSomebody = ~Rank{0};

  // Whether this error of libfabric's may be the end of a peer's process.
  static bool Explains(int error);

  // what: has failed and why, for the message that ends the job. Nothing where
  // the peer is known to be lost.
  void Note(Rank peer, std::string what, int64_t now);

  bool IsEmpty() const { return lost_.empty(); }

  // Forgets those that have left; ends the job where one was lost long ago and
  // nobody has told why.
  template <class HasLeft>
  void Look(HasLeft has_left, int64_t now) {
    std::erase_if(lost_, [&](const Lost& each) { return has_left(each.peer); });
    for (const Lost& each : lost_) {
      if (now - each.since >= kPatience) End(each);
    }
  }

 private:
  // Longer than job control takes to tell, on a busy machine too.
  static constexpr int64_t kPatience = 5'000'000'000;  // ns

  struct Lost {
    Rank peer;
    std::string what;
    int64_t since;
  };
  [[noreturn]] static void End(const Lost& lost);

  std::vector<Lost> lost_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LOST_PEERS_H_
