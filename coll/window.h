// The window of a team: for each other node, the operations for which this node
// may send it messages.
//
// A node's base is the number of its oldest unfinished operation. Its peers may
// send messages for the kWindow numbers that begin with the base. Messages for
// operations that the node has not entered yet are kept (early messages). The
// numbers of peers and of the window bound them. The oldest operation of any
// node can get every message that it waits for, since its number is in every
// node's window.
//
// Every message carries its sender's base. Two messages are only about bases:
//
//   kBase     sent unasked if a peer has heard nothing for half a window
//   kAskBase  sent by a peer that may not send yet; answered when it may
//
// Numbers wrap around. Used by the driving thread only.
#ifndef COLL_WINDOW_H_
#define COLL_WINDOW_H_

#include <cstdint>
#include <vector>

#include "coll/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

class Window {
 public:
  // Makes a window of a team. `first` is the number of the first operation.
  explicit Window(Rank nodes, uint32_t first = 1)
      : base_(first), peers_(nodes, Peer{.base = first, .sent = first}) {}

  uint32_t base() const { return base_; }
  void SetBase(uint32_t base) { base_ = base; }
  // Returns true if a peer may send messages of that number.
  bool Admits(uint32_t number) const { return number - base_ < kWindow; }

  // Returns true if this node may send that number, as far as it knows the
  // peer's base.
  bool MaySend(Rank to, uint32_t number) const {
    return number - peers_[to].base < kWindow;
  }
  // Returns true if the peer may be sent an inquiry about that number. The
  // operation may already be over there.
  bool MayInquire(Rank to, uint32_t number) const {
    return static_cast<int32_t>(number - peers_[to].base) <
           static_cast<int32_t>(kWindow);
  }
  bool HasAsked(Rank to) const { return peers_[to].asked; }
  // Notes that this node asks for the base. Returns true if it should ask now,
  // or false if an answer is still due.
  bool Ask(Rank to) {
    if (peers_[to].asked) return false;
    return peers_[to].asked = true;
  }

  // Notes the low half of a base, from a message of that node. If the pair has
  // been silent for 2^15 operations or more, the low half is ambiguous; kBase
  // carries the whole base.
  void Heard(Rank from, uint16_t low) {
    Peer& peer = peers_[from];
    const auto ahead =
        static_cast<int16_t>(low - static_cast<uint16_t>(peer.base));
    if (ahead > 0) peer.base += static_cast<uint32_t>(ahead);
  }
  // Notes the whole base, from a kBase of that node.
  void Answered(Rank from, uint32_t base) {
    Peer& peer = peers_[from];
    peer.asked = false;
    if (static_cast<int32_t>(base - peer.base) > 0) peer.base = base;
  }
  // Returns true if the base should be sent to that node unasked.
  bool IsOwed(Rank to) const { return base_ - peers_[to].sent >= kWindow / 2; }
  void Sent(Rank to) { peers_[to].sent = base_; }

  // Notes a peer that asks for a number that is not admitted yet.
  void Wants(Rank from, uint32_t number) {
    if (!peers_[from].wants) ++wanting_;
    peers_[from].wants = true;
    peers_[from].wanted = number;
  }
  // Calls f for each such peer whose number is admitted by now.
  template <class F>
  void ForAdmitted(F f) {
    if (wanting_ == 0) return;
    for (Rank rank = 0; rank < peers_.size(); ++rank) {
      Peer& peer = peers_[rank];
      const auto ahead = static_cast<int32_t>(peer.wanted - base_);
      if (!peer.wants || ahead >= static_cast<int32_t>(kWindow)) continue;
      peer.wants = false;
      --wanting_;
      f(rank);
    }
  }

 private:
  struct Peer {
    uint32_t base = 0;  // the peer's base, as far as known
    uint32_t sent = 0;  // this node's base, when it was last sent to the peer
    uint32_t wanted = 0;
    bool asked = false;
    bool wants = false;
  };

  uint32_t base_;
  uint32_t wanting_ = 0;
  std::vector<Peer> peers_;
};

}  // namespace gasnet::coll

#endif  // COLL_WINDOW_H_
