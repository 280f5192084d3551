// How large a datagram to a peer may be. Interfaces say what they take, not
// what lies between them: a switch with a smaller MTU drops what is larger and
// tells nobody. So a channel begins with a size that passes everywhere, and
// tries larger ones (RFC 8899): now and then a packet is padded to such a size.
// The peer says in every packet which size of ours has arrived; that one is
// used from then on. When the peer has acknowledged so many padded packets,
// sent again without the padding, and none with it, the next smaller size is
// tried.
//
// A peer that computes proves nothing either way: it acknowledges late, and the
// padded packet first.
//
// A size that passed may cease to. When a packet of more than the sure size was
// transmitted kMostWhole times and nothing acknowledges it, all is proven
// again:
//
//   proving  ----> proven: the peer reports a size
//      ^              |
//      |              | Doubt
//      |              v
//      `------- doubting: every packet asks the peer to forget
//   the peer tells
//   that it has
//
// A packet that is larger than the size of the moment goes in pieces
// (pieces.h), which pass everywhere: packets that were cut before, and that are
// sent again. A doubt is cheap, so it need not be right: of a peer that only
// computed it costs a round trip with small datagrams.
//
// The peer's packets count only when they are newer than all before, so that
// what was reported before a doubt does not end it, and what a stranger sends
// again changes nothing. Under the lock of the channels.
#ifndef CORE_DATAGRAM_PATH_SIZE_H_
#define CORE_DATAGRAM_PATH_SIZE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/packet.h"
#include "core/lane.h"

namespace gasnet::datagram {

// The sizes, ascending; the same for all channels of all ranks of a job.
class PathSizes {
 public:
  // sure: passes everywhere; 0, or not less than `most`: `most` does.
  PathSizes(size_t sure, size_t most) {
    if (sure > 0 && sure < most) {
      sizes_[count_++] = sure;
      if (kEthernet > sure && kEthernet < most) sizes_[count_++] = kEthernet;
    }
    sizes_[count_++] = most;
  }

  size_t operator[](unsigned step) const { return sizes_[step]; }
  unsigned top() const { return count_ - 1; }
  size_t least() const { return sizes_[0]; }
  size_t most() const { return sizes_[top()]; }

 private:
  // The size that fits into 1500 bytes behind the headers of IPv6 and UDP.
  static constexpr size_t kEthernet = 1440;

  std::array<size_t, kPathSteps> sizes_{};
  unsigned count_ = 0;
};

class PathSize {
 public:
  explicit PathSize(const PathSizes& sizes) { Use(sizes, 0); }

  // Bytes that a datagram to the peer may have.
  size_t Bytes() const { return bytes_; }

  // A packet of the peer, newer than all before, has these flags.
  void OnFlags(const PathSizes& sizes, uint8_t flags) {
    if ((flags & (kStepMask | kForget)) != expected_) [[unlikely]]
      OnTold(sizes, flags);
  }
  // A datagram of the peer has arrived that had not before.
  void OnDatagram(const PathSizes& sizes, size_t bytes) {
    if (bytes >= unheard_bytes_) [[unlikely]]
      Hear(sizes, bytes);
  }
  // The bits about sizes in every packet to the peer.
  uint8_t flags() const { return flags_; }

  // The size that a packet of so many bytes, which was never transmitted, is to
  // be padded to; 0: none. One packet at a time is.
  size_t PadTo(const PathSizes& sizes, Lane lane, uint64_t sequence,
               size_t bytes) {
    return proves_ ? TryWith(sizes, lane, sequence, bytes) : 0;
  }

  // True once, and once more after a doubt: the largest size is given up.
  bool OnAcks(const PathSizes& sizes, const LaneAcks& acks) {
    return sequence_ != 0 && EndTry(sizes, acks);
  }

  // Packets larger than the least size seem to pass no more.
  void Doubt(const PathSizes& sizes);

 private:
  // Nothing that a peer reports: all of it is looked at.
  static constexpr uint8_t kAnything = 0xff;

  bool IsDoubting() const { return (flags_ & kForget) != 0; }
  unsigned heard() const { return (flags_ & kStepMask) >> kStepShift; }
  // Seldom; what is above is in the way of every packet.
  void Use(const PathSizes& sizes, unsigned step);
  void OnTold(const PathSizes& sizes, uint8_t flags);
  void Hear(const PathSizes& sizes, size_t bytes);
  size_t TryWith(const PathSizes& sizes, Lane lane, uint64_t sequence,
                 size_t bytes);
  bool EndTry(const PathSizes& sizes, const LaneAcks& acks);
  void Decide(const PathSizes& sizes);

  uint64_t sequence_ = 0;  // of the packet that is padded; 0: none
  uint32_t bytes_ = 0;
  uint32_t unheard_bytes_ = 0;  // of the step above what was heard
  Lane lane_ = Lane::kRequest;
  uint8_t proven_ = 0;    // step that is used
  uint8_t given_up_ = 0;  // steps from the top
  uint8_t tries_ = 0;     // of the step below them
  uint8_t flags_ = 0;     // the step that was heard; kForget: doubting
  uint8_t expected_ = 0;  // of the peer's flags, as long as nothing is new
  bool proves_ = false;   // there is a step to try
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PATH_SIZE_H_
