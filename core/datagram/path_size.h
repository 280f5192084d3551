// The largest datagram that may be sent to a peer. Interfaces report only their
// own limit. On the way, a switch with a smaller MTU silently drops larger
// datagrams. So a channel begins with a size that every path carries, and tries
// larger sizes (RFC 8899), the largest first: now and then it pads a packet to
// the size. The peer reports in every packet the largest size that has arrived,
// and the channel then uses that size. A try fails if the peer acknowledges
// only the packet's repetition without padding. After kMaxTries failures, the
// next smaller size is tried.
//
// A late acknowledgement is no failure, because the peer may be computing. The
// padded packet is ahead of its repetition, so the peer receives it first.
//
// A path may stop carrying a size. If a packet larger than the sure size was
// transmitted kMaxWhole times and the peer has not acknowledged it, all sizes
// are proven again:
//
//     proving  ----> proven: the peer reports a size
//        ^              |
//        |              | Doubt
//        |              v
//        `------- doubting: every packet asks the peer to forget
//     the peer reports
//     that it has
//
// Packets that were made before the size shrank may be too large for the path.
// They are repeated in pieces (pieces.h), which every path carries. A wrong
// doubt is cheap: if the peer only computed, the doubt costs a round trip with
// small datagrams.
//
// A report counts only if its packet is newer than all earlier ones of the
// peer. So a report that was sent before a doubt does not end the doubt, and a
// packet that an attacker replays changes nothing. Used under the lock of the
// channels.
#ifndef CORE_DATAGRAM_PATH_SIZE_H_
#define CORE_DATAGRAM_PATH_SIZE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/packet.h"
#include "core/lane.h"

namespace gasnet::datagram {

// The sizes in ascending order. They are the same for all channels of all ranks
// of a job.
class PathSizes {
 public:
  // Every path carries the size `sure`. If `sure` is 0, or not less than
  // `most`, then every path carries `most`.
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
  // The size that fits into 1500 bytes with the headers of IPv6 and UDP.
  static constexpr size_t kEthernet = 1440;

  std::array<size_t, kPathSteps> sizes_{};
  unsigned count_ = 0;
};

class PathSize {
 public:
  explicit PathSize(const PathSizes& sizes) { Use(sizes, 0); }

  // Returns the current size limit of datagrams to the peer.
  size_t Bytes() const { return bytes_; }

  // Processes the flags of a packet of the peer that is newer than all earlier
  // ones.
  void OnFlags(const PathSizes& sizes, uint8_t flags) {
    if ((flags & (kStepMask | kForget)) != expected_) [[unlikely]]
      OnTold(sizes, flags);
  }
  // Records a datagram of the peer that had not arrived before.
  void OnDatagram(const PathSizes& sizes, size_t bytes) {
    if (bytes >= unheard_bytes_) [[unlikely]]
      Hear(sizes, bytes);
  }
  // Returns the flags about sizes that every packet to the peer has.
  uint8_t flags() const { return flags_; }

  // Returns the size to which a packet of `bytes` bytes is padded, or 0 if it
  // is not padded. The packet was never transmitted before. Only one packet at
  // a time is padded.
  size_t PadTo(const PathSizes& sizes, Lane lane, uint64_t sequence,
               size_t bytes) {
    return proves_ ? TryWith(sizes, lane, sequence, bytes) : 0;
  }

  // Processes acknowledgements of the peer. Returns true when the largest size
  // is given up. This happens once, and once more after each doubt.
  bool OnAcks(const PathSizes& sizes, const LaneAcks& acks) {
    return sequence_ != 0 && EndTry(sizes, acks);
  }

  // Records that packets larger than the least size seem to be lost.
  void Doubt(const PathSizes& sizes);

 private:
  // A value that no peer reports, so that every report is examined.
  static constexpr uint8_t kAnything = 0xff;

  bool IsDoubting() const { return (flags_ & kForget) != 0; }
  unsigned heard() const { return (flags_ & kStepMask) >> kStepShift; }
  // These functions are called rarely. The inlined functions above are called
  // for every packet.
  void Use(const PathSizes& sizes, unsigned step);
  void OnTold(const PathSizes& sizes, uint8_t flags);
  void Hear(const PathSizes& sizes, size_t bytes);
  size_t TryWith(const PathSizes& sizes, Lane lane, uint64_t sequence,
                 size_t bytes);
  bool EndTry(const PathSizes& sizes, const LaneAcks& acks);
  void Decide(const PathSizes& sizes);

  uint64_t sequence_ = 0;  // sequence number of the padded packet; 0: none
  uint32_t bytes_ = 0;
  uint32_t unheard_bytes_ = 0;  // size of the step after heard()
  Lane lane_ = Lane::kRequest;
  uint8_t proven_ = 0;    // the step in use
  uint8_t given_up_ = 0;  // steps given up, from the top
  uint8_t tries_ = 0;     // tries of the highest step that is not given up
  uint8_t flags_ = 0;     // the step heard from the peer, or kForget in doubt
  uint8_t expected_ = 0;  // flags of the peer that bring no news
  bool proves_ = false;   // a step remains to try
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PATH_SIZE_H_
