// One lane to one peer, sending: its packets in the order of their sequence
// numbers, from the oldest that is not acknowledged to the newest that waits to
// be sent; which may be transmitted now, which are lost.
//
//   unsent -> in flight -> acknowledged (back in the pool)
//                 |  ^
//               lost |
//
// At the end there may be an open packet, to which messages are added. Packets
// belong to the window from Append until they are acknowledged. Under the lock
// of the channels.
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
  // Adds a packet, and numbers it. It becomes the open one, or none is open.
  void Append(Packet* packet, bool open);
  Packet* open() const { return open_; }

  // Bounds that do not depend on the network.
  struct Limits {
    unsigned packets;  // in flight, and how far ahead of the oldest
    uint64_t bytes;    // in flight; one packet always may
    bool with_open;    // whether the open packet may be sent too
  };
  // The packets that may be transmitted now, lost ones first; how many.
  size_t Pick(const Limits& limits, std::span<Packet*> out) const;
  // Whether one more like the last of these would have to wait behind them.
  bool IsFullWith(std::span<Packet* const> packets, const Limits& limits) const;
  // A picked packet was handed to the port; picked packets in order.
  void Sent(Packet* packet, int64_t now);

  struct Outcome {
    unsigned acknowledged = 0;
    unsigned lost = 0;
  };
  // Takes an acknowledgement in; what it covers goes back to the pool.
  Outcome OnAcks(const Acks& acks, int64_t now, unsigned depth,
                 RoundTrip& round_trip, PacketPool& pool);

  // The peer is gone: everything goes back to the pool.
  void Abandon(PacketPool& pool);

  enum class Expiry : uint8_t { kNone, kReordered, kAsk, kTimeout };
  // Declares lost what has waited too long. kAsk: only the oldest, so that it
  // is sent again and asks; what is behind it may be found by the answer.
  Expiry OnTimer(int64_t now, const Timing& timing,
                 const RoundTrip& round_trip);
  // When OnTimer has something to do.
  int64_t Deadline(const Timing& timing, const RoundTrip& round_trip) const;

  unsigned in_flight() const { return in_flight_; }
  unsigned lost() const { return lost_; }
  unsigned unsent() const { return unsent_count_; }
  // The oldest of the lost, where there are some.
  const Packet& FirstLost() const;
  bool Empty() const { return oldest_ == nullptr; }
  // Expired timers since the last acknowledgement.
  unsigned expiries() const { return expiries_; }
  // Whether a complete packet waits.
  bool HasClosed() const {
    return unsent_count_ > (open_ != nullptr ? 1u : 0u);
  }
  // Nothing is to be sent, and what is in flight is small.
  bool CanAcksWait() const {
    return unsent_count_ == 0 && bytes_in_flight_ <= kSmallFlight;
  }
  const Congestion& congestion() const { return congestion_; }

 private:
  // The share of a packet in the receiver's socket buffer.
  static uint64_t Cost(const Packet& packet) {
    return packet.size() + kKernelBytes;
  }

  // After time-outs in a row: the oldest, and behind it the one that was sent
  // the fewest times, at once or when the oldest is under way. The answers may
  // have come and lie unread, since this rank's client computes; then the
  // oldest alone would be sent for ever, and its peer wait for what was lost
  // with it.
  size_t PickUnanswered(const Limits& limits, std::span<Packet*> out) const;
  // From that one on, of those that may be in flight beside so many bytes.
  // Null: none.
  Packet* LeastSent(Packet* from, uint64_t bytes, const Limits& limits) const;
  unsigned FindLost(int64_t now, const RoundTrip& round_trip);
  // The result of an acknowledgement, besides the probe.
  struct Answer {
    bool probe = false;  // the probe itself, late enough to be its answer
    bool older = false;  // something sent once, before the probe
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
  // Whether so much is to be sent that the window is what holds it up.
  bool IsBusy(uint64_t most) const {
    return in_flight_ * 2 >= most || unsent_count_ > 0;
  }

  Packet* oldest_ = nullptr;
  Packet* newest_ = nullptr;
  Packet* unsent_ = nullptr;  // the first that was never transmitted
  Packet* open_ = nullptr;
  uint64_t next_sequence_ = 1;
  uint64_t order_ = 0;        // transmissions so far
  uint64_t acked_order_ = 0;  // the latest known to have arrived
  uint64_t probe_ =
      0;  // the transmission that asks; 0: none since timer_start_
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
