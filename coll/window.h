// The window of a team says for each other node of which operations this node
// may send it messages.
//
// A node has a base: the number of its oldest operation that is not finished
// there. Its peers may send messages of the kWindow numbers from there on;
// those of operations that it is not in yet are kept (early messages), so that
// they are bounded by peers and window. The oldest operation of any node can
// have every message that it waits for: its number is in everybody's window.
//
//   every message carries its sender's base
//   kBase     sent unasked, where a peer has heard nothing for half a window
//   kAskBase  asked by a peer that may not send; answered when it may
//
// Numbers wrap. By who drives the node alone.
#ifndef COLL_WINDOW_H_
#define COLL_WINDOW_H_

#include <cstdint>
#include <vector>

#include "coll/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

class Window {
 public:
  explicit Window(Rank nodes) : peers_(nodes) {}

  uint32_t base() const { return base_; }
  void SetBase(uint32_t base) { base_ = base; }
  // Whether a message of that number may have come.
  bool Admits(uint32_t number) const { return number - base_ < kWindow; }

  // As far as its base is known.
  bool MaySend(Rank to, uint32_t number) const {
    return number - peers_[to].base < kWindow;
  }
  // Whether it may be told of that number, which may be over there.
  bool MayInquire(Rank to, uint32_t number) const {
    return static_cast<int32_t>(number - peers_[to].base) <
           static_cast<int32_t>(kWindow);
  }
  bool HasAsked(Rank to) const { return peers_[to].asked; }
  // Whether to ask now: not while an answer is due.
  bool Ask(Rank to) {
    if (peers_[to].asked) return false;
    return peers_[to].asked = true;
  }

  // Of a message from there; low: its base. Where the pair has been silent for
  // 2^15 operations and more that says too little, and kBase says all.
  void Heard(Rank from, uint16_t low) {
    Peer& peer = peers_[from];
    const auto ahead =
        static_cast<int16_t>(low - static_cast<uint16_t>(peer.base));
    if (ahead > 0) peer.base += static_cast<uint32_t>(ahead);
  }
  // Of a kBase from there.
  void Answered(Rank from, uint32_t base) {
    Peer& peer = peers_[from];
    peer.asked = false;
    if (static_cast<int32_t>(base - peer.base) > 0) peer.base = base;
  }
  // Whether to send it the base unasked.
  bool IsOwed(Rank to) const { return base_ - peers_[to].sent >= kWindow / 2; }
  void Sent(Rank to) { peers_[to].sent = base_; }

  // Notes a peer that asks for a number that is not admitted yet.
  void Wants(Rank from, uint32_t number) {
    if (!peers_[from].wants) ++wanting_;
    peers_[from].wants = true;
    peers_[from].wanted = number;
  }
  // Calls f for each whose number is admitted now, or was.
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
    uint32_t base = 1;  // as far as known
    uint32_t sent = 1;  // ours, when it was last sent
    uint32_t wanted = 0;
    bool asked = false;
    bool wants = false;
  };

  uint32_t base_ = 1;
  uint32_t wanting_ = 0;
  std::vector<Peer> peers_;
};

}  // namespace gasnet::coll

#endif  // COLL_WINDOW_H_
