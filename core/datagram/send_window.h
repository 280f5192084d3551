// The sending side of one lane to one peer: its packets in order of sequence
// number, from the oldest unacknowledged one to the newest that waits to be
// sent. It decides which may be transmitted now and which are lost.
//
//     unsent -> in flight -> acknowledged (back in the pool)
//                   |  ^
//                 lost |
//
// The last packet may be open: messages are added to it. Packets belong to the
// window from Append until they are acknowledged. Used under the lock of the
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
  // Adds a packet and numbers it. open: it becomes the open packet; otherwise
  // there is none.
  void Append(Packet* packet, bool open);
  Packet* open() const { return open_; }

  // Bounds that do not depend on the network.
  struct Limits {
    unsigned packets;  // in flight, and beyond the oldest
    uint64_t bytes;    // in flight; one packet is always allowed
    bool with_open;    // the open packet may be sent too
  };
  // Picks the packets that may be transmitted now, lost ones first. Returns how
  // many.
  size_t Pick(const Limits& limits, std::span<Packet*> out) const;
  // Returns true if another packet like the last of these would exceed the
  // limits behind them.
  bool IsFullWith(std::span<Packet* const> packets, const Limits& limits) const;
  // Notes that a picked packet was handed to the port. Called for picked
  // packets in order.
  void Sent(Packet* packet, int64_t now);

  struct Outcome {
    unsigned acknowledged = 0;
    unsigned lost = 0;
  };
  // Processes an acknowledgement. Packets that it covers return to the pool.
  Outcome OnAcks(const Acks& acks, int64_t now, unsigned depth,
                 RoundTrip& round_trip, PacketPool& pool);

  // Returns all packets to the pool, since the peer is gone.
  void Abandon(PacketPool& pool);

  enum class Expiry : uint8_t { kNone, kReordered, kAsk, kTimeout };
  // Declares packets lost that have waited too long. With kAsk that is only the
  // oldest, which is repeated as a probe; the answer may tell about the packets
  // behind it.
  Expiry OnTimer(int64_t now, const Timing& timing,
                 const RoundTrip& round_trip);
  // Returns when OnTimer has work to do.
  int64_t Deadline(const Timing& timing, const RoundTrip& round_trip) const;

  unsigned in_flight() const { return in_flight_; }
  unsigned lost() const { return lost_; }
  unsigned unsent() const { return unsent_count_; }
  // Returns the oldest lost packet. Requires that there is one.
  const Packet& FirstLost() const;
  bool Empty() const { return oldest_ == nullptr; }
  // Returns the number of expired timers since the last acknowledgement.
  unsigned expiries() const { return expiries_; }
  // Returns true if a complete packet waits to be sent.
  bool HasClosed() const {
    return unsent_count_ > (open_ != nullptr ? 1u : 0u);
  }
  // Returns true if nothing is to be sent, and few bytes are in flight.
  bool CanAcksWait() const {
    return unsent_count_ == 0 && bytes_in_flight_ <= kSmallFlight;
  }
  const Congestion& congestion() const { return congestion_; }

 private:
  // Returns the bytes that a packet takes in the receiver's socket buffer.
  static uint64_t Cost(const Packet& packet) {
    return packet.size() + kKernelBytes;
  }

  // Picks packets after consecutive time-outs: the oldest and, at once or when
  // the oldest is in flight, the packet behind it that was sent the fewest
  // times. The answers may have arrived unread, since this rank's client
  // computes. If only the oldest were repeated, its peer would wait for packets
  // that were lost with it.
  size_t PickUnanswered(const Limits& limits, std::span<Packet*> out) const;
  // Returns the packet from `from` on that was sent the fewest times and may be
  // in flight beside `bytes` bytes. Returns null if there is none.
  Packet* LeastSent(Packet* from, uint64_t bytes, const Limits& limits) const;
  unsigned FindLost(int64_t now, const RoundTrip& round_trip);
  // The kinds of transmission that an acknowledgement covers.
  struct Answer {
    bool probe = false;  // the probe itself, late enough to be its answer
    bool older = false;  // a packet sent once, before the probe
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
  // Returns true if the window limits the sender.
  bool IsBusy(uint64_t most) const {
    return in_flight_ * 2 >= most || unsent_count_ > 0;
  }

  Packet* oldest_ = nullptr;
  Packet* newest_ = nullptr;
  Packet* unsent_ = nullptr;  // the first that was never transmitted
  Packet* open_ = nullptr;
  uint64_t next_sequence_ = 1;
  uint64_t order_ = 0;        // transmissions so far
  uint64_t acked_order_ = 0;  // of the latest known to have arrived
  // The probe's transmission number; 0 if there was none since timer_start_.
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
