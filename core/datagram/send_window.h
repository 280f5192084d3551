// The sending side of one lane to one peer. It has the lane's packets in order
// of sequence number: first the oldest unacknowledged packet, last the newest
// packet that waits to be sent. It decides which packets may be transmitted now
// and which are lost.
//
//     unsent -> in flight -> acknowledged (back in the pool)
//                   |  ^
//                 lost |
//
// The last packet may be open: messages are added to it. Packets belong to the
// window from Append() until they are acknowledged. Used under the lock of the
// channels.
#ifndef CORE_DATAGRAM_SEND_WINDOW_H_
#define CORE_DATAGRAM_SEND_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/datagram/channel_options.h"
#include "core/datagram/congestion.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/round_trip.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

class SendWindow {
 public:
  // Adds a packet and numbers it. The packet becomes the open packet if `open`
  // is true. If not, there is no open packet any more.
  void Append(Packet* packet, bool open);
  Packet* open() const { return open_; }

  // Limits that do not depend on the state of the network.
  struct Limits {
    // maximum in flight, and maximum distance from the oldest
    unsigned packets;
    uint64_t bytes;  // maximum in flight; one packet always fits
    bool with_open;  // the open packet may be sent too
  };
  // Picks the packets that may be transmitted now, lost ones first. Returns
  // their number.
  size_t Pick(const Limits& limits, std::span<Packet*> out) const;
  // Returns true if one more packet like the last of `packets` would exceed the
  // limits once all of `packets` are in flight.
  bool IsFullWith(std::span<Packet* const> packets, const Limits& limits) const;
  // Records that a picked packet was handed to the port. Called for the picked
  // packets in order.
  void Sent(Packet* packet, int64_t now);

  struct Outcome {
    unsigned acknowledged = 0;
    unsigned lost = 0;
  };
  // Processes an acknowledgement. Acknowledged packets return to the pool.
  Outcome OnAcks(const Acks& acks, int64_t now, unsigned depth,
                 RoundTrip& round_trip, PacketPool& pool);

  // Returns all packets to the pool, because the peer has gone.
  void Abandon(PacketPool& pool);

  enum class Expiry : uint8_t { kNone, kReordered, kAsk, kTimeout };
  // Declares packets lost that were not acknowledged in time. Returns kAsk if
  // only the oldest packet counts as lost. That packet is repeated as a probe.
  // The answer may tell which of the packets after it were lost.
  Expiry OnTimer(int64_t now, const Timing& timing,
                 const RoundTrip& round_trip);
  // Returns the time at which OnTimer() next has work to do.
  int64_t Deadline(const Timing& timing, const RoundTrip& round_trip) const;

  unsigned in_flight() const { return in_flight_; }
  unsigned lost() const { return lost_; }
  unsigned unsent() const { return unsent_count_; }
  // Returns the oldest lost packet. Requires that a packet is lost.
  const Packet& FirstLost() const;
  bool Empty() const { return oldest_ == nullptr; }
  // Returns the number of timeouts since the last acknowledgement.
  unsigned expiries() const { return expiries_; }
  // Returns true if a closed packet waits to be sent.
  bool HasClosed() const {
    return unsent_count_ > (open_ != nullptr ? 1u : 0u);
  }
  // Returns true if no packet waits to be sent, and few bytes are in flight.
  bool CanAcksWait() const {
    return unsent_count_ == 0 && bytes_in_flight_ <= kSmallFlight;
  }
  const Congestion& congestion() const { return congestion_; }

 private:
  // Returns the bytes that a packet takes in the receiver's socket buffer.
  static uint64_t Cost(const Packet& packet) {
    return packet.size() + kKernelBytes;
  }

  // Picks packets after several timeouts in a row: the oldest packet, and the
  // later packet that was sent the fewest times. The second packet is picked at
  // once, or by a later call when the oldest is in flight. While this rank's
  // client computes, it reads no answers. Without the second packet, the peer
  // would wait all that time for packets that were lost with the oldest one.
  size_t PickUnanswered(const Limits& limits, std::span<Packet*> out) const;
  // Returns the packet that was sent the fewest times, of those from `from` on
  // that may be in flight together with `bytes` bytes. Returns null if there is
  // none.
  Packet* LeastSent(Packet* from, uint64_t bytes, const Limits& limits) const;
  unsigned FindLost(int64_t now, const RoundTrip& round_trip);
  // Flags for the kinds of transmissions that an acknowledgement covers.
  struct Answer {
    bool probe = false;  // the probe, if enough time has passed for its answer
    bool older = false;  // a packet that was sent only once, before the probe
  };
  void Note(const Packet& packet, int64_t now, const RoundTrip& round_trip,
            Answer& answer) const;
  void EndProbe(const Answer& answer, bool busy);
  bool Probe(int64_t now, const Timing& timing, const RoundTrip& round_trip);
  int64_t ProbeAt(const Timing& timing, const RoundTrip& round_trip) const;
  void Lose(Packet* packet);
  void Revive();
  void Unlink(Packet* packet, Packet* before);
  bool IsOvertaken() const {
    return oldest_ != nullptr && oldest_->state == Packet::State::kInFlight &&
           oldest_->order < acked_order_;
  }
  // Returns true if the window limits the sender now.
  bool IsBusy(uint64_t most) const {
    return in_flight_ * 2 >= most || unsent_count_ > 0;
  }

  Packet* oldest_ = nullptr;
  Packet* newest_ = nullptr;
  Packet* unsent_ = nullptr;  // first packet never transmitted
  Packet* open_ = nullptr;
  uint64_t next_sequence_ = 1;
  uint64_t order_ = 0;        // number of transmissions so far
  uint64_t acked_order_ = 0;  // number of the latest transmission that arrived
  // The transmission number of the probe, or 0 if there was none since
  // timer_start_.
  uint64_t probe_ = 0;
  uint64_t bytes_in_flight_ = 0;
  int64_t timer_start_ = 0;
  uint16_t in_flight_ = 0;
  uint16_t lost_ = 0;
  uint16_t expiries_ = 0;
  uint16_t unsent_count_ = 0;
  Congestion congestion_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SEND_WINDOW_H_
