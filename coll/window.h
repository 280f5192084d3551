// The window of a team. It tells for which operations this node may send
// messages to each peer.
//
// A node's base is the number of its oldest unfinished operation. Its peers may
// send messages for the kWindow numbers that begin with the base. The node
// keeps early messages: those for operations that it has not entered yet. The
// number of peers and the size of the window limit the number of early
// messages. The oldest operation of any node can get every message that it
// waits for, because its number is in every node's window.
//
// Every message carries its sender's base. Two message types serve only the
// window:
//
//   kBase     carries the base. Sent unasked if a peer has heard nothing for
//             half a window, and as the answer to kAskBase
//   kAskBase  sent by a peer that may not send yet. Answered when the peer may
//             send
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
  // Returns true if a peer may send this node messages for operation `number`.
  bool Admits(uint32_t number) const { return number - base_ < kWindow; }

  // Returns true if this node may send messages for operation `number` to the
  // peer, according to the last base that this node has heard from the peer.
  bool MaySend(Rank to, uint32_t number) const {
    return number - peers_[to].base < kWindow;
  }
  // Returns true if this node may send the peer an inquiry about operation
  // `number`. The operation may already be over on the peer.
  bool MayInquire(Rank to, uint32_t number) const {
    return static_cast<int32_t>(number - peers_[to].base) <
           static_cast<int32_t>(kWindow);
  }
  bool HasAsked(Rank to) const { return peers_[to].asked; }
  // Records that this node wants the peer's base. Returns true if this node
  // should send kAskBase now, or false if the answer to an earlier kAskBase is
  // still due.
  bool Ask(Rank to) {
    if (peers_[to].asked) return false;
    return peers_[to].asked = true;
  }

  // Records the low half of the peer's base. Every message of the peer carries
  // this half. The low half is ambiguous if the two nodes have exchanged no
  // message for 2^15 operations or more. kBase carries the whole base.
  void Heard(Rank from, uint16_t low) {
    Peer& peer = peers_[from];
    const auto ahead =
        static_cast<int16_t>(low - static_cast<uint16_t>(peer.base));
    if (ahead > 0) peer.base += static_cast<uint32_t>(ahead);
  }
  // Records the peer's whole base, as received in a kBase message.
  void Answered(Rank from, uint32_t base) {
    Peer& peer = peers_[from];
    peer.asked = false;
    if (static_cast<int32_t>(base - peer.base) > 0) peer.base = base;
  }
  // Returns true if this node should send the peer its base unasked.
  bool IsOwed(Rank to) const { return base_ - peers_[to].sent >= kWindow / 2; }
  void Sent(Rank to) { peers_[to].sent = base_; }

  // Records that a peer asks for this node's base, because the window does not
  // admit the peer's messages for operation `number` yet.
  void Wants(Rank from, uint32_t number) {
    if (!peers_[from].wants) ++wanting_;
    peers_[from].wants = true;
    peers_[from].wanted = number;
  }
  // Calls f for each peer that has asked (Wants) and whose operation is
  // admitted now. Forgets that the peer has asked.
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
    uint32_t base = 0;  // the peer's base, as last heard
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
