#include "core/datagram/send_window.h"

#include <algorithm>

#include "base/clock.h"

namespace gasnet::datagram {

void SendWindow::Append(Packet* packet, bool open) {
  packet->sequence = next_sequence_++;
  packet->next = nullptr;
  (newest_ == nullptr ? oldest_ : newest_->next) = packet;
  newest_ = packet;
  if (unsent_ == nullptr) unsent_ = packet;
  ++unsent_count_;
  open_ = open ? packet : nullptr;
}

size_t SendWindow::Pick(const Limits& limits, std::span<Packet*> out) const {
  if (expiries_ > 1 && in_flight_ < 2 && in_flight_ + lost_ > 0) {
    return PickUnanswered(limits, out);
  }
  const unsigned most =
      std::max(std::min(limits.packets, congestion_.window()), 1u);
  size_t picked = 0;
  uint64_t bytes = bytes_in_flight_;
  const auto fits = [&](const Packet* packet) {
    return in_flight_ + picked < most && picked < out.size() &&
           (in_flight_ + picked == 0 || bytes + Cost(*packet) <= limits.bytes);
  };
  const auto take = [&](Packet* packet) {
    out[picked++] = packet;
    bytes += Cost(*packet);
  };
  unsigned lost = lost_;
  for (Packet* p = oldest_; lost > 0; p = p->next) {
    if (p->state != Packet::State::kLost) continue;
    if (!fits(p)) return picked;
    take(p);
    --lost;
  }
  for (Packet* p = unsent_; p != nullptr; p = p->next) {
    // The receiver's bitmap covers only this many packets after a missing one.
    if (p->sequence - oldest_->sequence >= limits.packets || !fits(p)) break;
    if (p == open_ && !limits.with_open) break;
    take(p);
  }
  return picked;
}

Packet* SendWindow::LeastSent(Packet* from, uint64_t bytes,
                              const Limits& limits) const {
  Packet* least = nullptr;
  for (Packet* p = from; p != nullptr; p = p->next) {
    if (p->sequence - oldest_->sequence >= limits.packets) break;
    if (p == open_ && !limits.with_open) break;
    const bool fits = bytes == 0 || bytes + Cost(*p) <= limits.bytes;
    if (fits && p->state != Packet::State::kInFlight &&
        (least == nullptr || p->transmissions < least->transmissions)) {
      least = p;
    }
    if (p == unsent_) break;
  }
  return least;
}

size_t SendWindow::PickUnanswered(const Limits& limits,
                                  std::span<Packet*> out) const {
  Packet* second = in_flight_ == 0
                       ? LeastSent(oldest_->next, Cost(*oldest_), limits)
                       : LeastSent(oldest_, bytes_in_flight_, limits);
  if (in_flight_ > 0) {
    out[0] = second;
    return second != nullptr ? 1 : 0;
  }
  // If the oldest packet and a second one may not be in flight together, the
  // packets take turns.
  out[0] = second != nullptr ? oldest_ : LeastSent(oldest_, 0, limits);
  if (second == nullptr || out.size() < 2) return 1;
  out[1] = second;
  return 2;
}

const Packet& SendWindow::FirstLost() const {
  const Packet* packet = oldest_;
  while (packet->state != Packet::State::kLost) packet = packet->next;
  return *packet;
}

bool SendWindow::IsFullWith(std::span<Packet* const> packets,
                            const Limits& limits) const {
  uint64_t bytes = bytes_in_flight_ + Cost(*packets.back());
  for (const Packet* const packet : packets) bytes += Cost(*packet);
  return bytes > limits.bytes ||
         in_flight_ + packets.size() >=
             std::min(limits.packets, congestion_.window());
}

void SendWindow::Sent(Packet* packet, int64_t now) {
  // A probe does not postpone the timeout.
  if (in_flight_ == 0 && probe_ == 0) timer_start_ = now;
  if (packet->state == Packet::State::kLost) {
    --lost_;
  } else {
    unsent_ = packet->next;
    --unsent_count_;
    if (packet == open_) open_ = nullptr;
  }
  packet->state = Packet::State::kInFlight;
  packet->order = ++order_;
  packet->sent_at = now;
  if (packet->transmissions < 0xffff) ++packet->transmissions;
  ++in_flight_;
  bytes_in_flight_ += Cost(*packet);
}

void SendWindow::Unlink(Packet* packet, Packet* before) {
  (before == nullptr ? oldest_ : before->next) = packet->next;
  if (newest_ == packet) newest_ = before;
  if (packet->state == Packet::State::kLost) {
    --lost_;
  } else {
    --in_flight_;
    bytes_in_flight_ -= Cost(*packet);
  }
}

SendWindow::Outcome SendWindow::OnAcks(const Acks& acks, int64_t now,
                                       unsigned depth, RoundTrip& round_trip,
                                       PacketPool& pool) {
  if (oldest_ == unsent_) return {};
  if (acks.cumulative < oldest_->sequence && acks.behind == 0) return {};
  // The window may grow only if it limits the lane now. If it does not, the
  // lane cannot show that the window is too small.
  const bool busy = IsBusy(std::min<uint64_t>(depth, congestion_.window()));
  Outcome outcome;
  Answer answer;
  bool was_lost = false;
  int64_t sent_at = -1;
  Packet* before = nullptr;
  for (Packet* p = oldest_; p != unsent_;) {
    Packet* const next = p->next;
    if (acks.Covers(p->sequence)) {
      was_lost |= p->state == Packet::State::kLost;
      if (probe_ != 0) Note(*p, now, round_trip, answer);
      if (p->transmissions == 1) sent_at = p->sent_at;
      if (p->transmissions == 1 || round_trip.IsPossible(now - p->sent_at)) {
        acked_order_ = std::max(acked_order_, p->order);
      }
      Unlink(p, before);
      pool.Release(p);
      ++outcome.acknowledged;
    } else {
      before = p;
    }
    p = next;
  }
  if (outcome.acknowledged == 0) return {};
  if (sent_at >= 0) round_trip.Sample(now - sent_at);
  timer_start_ = now;
  EndProbe(answer, busy);
  if (expiries_ > 0) {
    if (sent_at < 0) round_trip.NoteUnclear(expiries_);
    was_lost ? Revive() : congestion_.OnRecovered();
    expiries_ = 0;
  }
  congestion_.OnAcknowledged(outcome.acknowledged, busy, depth);
  outcome.lost = FindLost(now, round_trip);
  return outcome;
}

void SendWindow::Abandon(PacketPool& pool) {
  for (Packet* p = oldest_; p != nullptr;) {
    Packet* const next = p->next;
    pool.Release(p);
    p = next;
  }
  oldest_ = newest_ = unsent_ = open_ = nullptr;
  bytes_in_flight_ = 0;
  in_flight_ = lost_ = unsent_count_ = expiries_ = 0;
  probe_ = 0;
}

void SendWindow::Note(const Packet& packet, int64_t now,
                      const RoundTrip& round_trip, Answer& answer) const {
  answer.probe |=
      packet.order == probe_ && round_trip.IsPossible(now - packet.sent_at);
  answer.older |= packet.order < probe_ && packet.transmissions == 1;
}

// Ends the probe. If the peer was only slow, it also acknowledges packets sent
// before the probe. Otherwise the probe has repaired a loss, which reduces the
// window like any other loss. But a lane that does not use its window keeps it:
// the network would gain nothing.
void SendWindow::EndProbe(const Answer& answer, bool busy) {
  if (answer.probe && !answer.older && busy) {
    congestion_.OnLoss(probe_ - 1, order_);
  }
  probe_ = 0;
}

void SendWindow::Lose(Packet* packet) {
  packet->state = Packet::State::kLost;
  --in_flight_;
  ++lost_;
  bytes_in_flight_ -= Cost(*packet);
}

// Restores packets that counted as lost. Called if one of them has arrived
// after a timeout after all. The others may have arrived too, with their
// acknowledgement on the way. Packets that were really lost are found when
// later packets overtake them.
void SendWindow::Revive() {
  congestion_.OnSpuriousTimeout();
  for (Packet* p = oldest_; lost_ > 0; p = p->next) {
    if (p->state != Packet::State::kLost) continue;
    p->state = Packet::State::kInFlight;
    --lost_;
    ++in_flight_;
    bytes_in_flight_ += Cost(*p);
  }
}

unsigned SendWindow::FindLost(int64_t now, const RoundTrip& round_trip) {
  unsigned found = 0;
  for (Packet* p = oldest_; p != unsent_; p = p->next) {
    if (p->state != Packet::State::kInFlight || p->order >= acked_order_) {
      continue;
    }
    const bool overtaken = p->order + kReorderPackets <= acked_order_;
    if (!overtaken && now - p->sent_at < round_trip.ReorderTime()) continue;
    // The loss of a padded packet says nothing about congestion: it may have
    // been too large for the path.
    if (!p->padded) congestion_.OnLoss(p->order, order_);
    Lose(p);
    ++found;
  }
  return found;
}

bool SendWindow::Probe(int64_t now, const Timing& timing,
                       const RoundTrip& round_trip) {
  if (now < ProbeAt(timing, round_trip)) return false;
  Lose(oldest_);
  probe_ = order_ + 1;
  return true;
}

int64_t SendWindow::ProbeAt(const Timing& timing,
                            const RoundTrip& round_trip) const {
  if (probe_ != 0 || expiries_ > 0 || lost_ > 0) return kNever;
  const int64_t time = round_trip.ProbeTime(timing);
  return time == 0 ? kNever : timer_start_ + time;
}

SendWindow::Expiry SendWindow::OnTimer(int64_t now, const Timing& timing,
                                       const RoundTrip& round_trip) {
  if (in_flight_ == 0) return Expiry::kNone;
  if (IsOvertaken() && FindLost(now, round_trip) > 0) return Expiry::kReordered;
  if (now < timer_start_ + round_trip.Timeout(timing, expiries_)) {
    return Probe(now, timing, round_trip) ? Expiry::kAsk : Expiry::kNone;
  }
  const bool busy = IsBusy(congestion_.window());
  probe_ = 0;
  for (Packet* p = oldest_; p != unsent_; p = p->next) {
    if (p->state == Packet::State::kInFlight) Lose(p);
  }
  congestion_.OnTimeout(order_, busy);
  if (expiries_ < 0xffff) ++expiries_;
  return Expiry::kTimeout;
}

int64_t SendWindow::Deadline(const Timing& timing,
                             const RoundTrip& round_trip) const {
  if (in_flight_ == 0) return kNever;
  const int64_t next =
      std::min(timer_start_ + round_trip.Timeout(timing, expiries_),
               ProbeAt(timing, round_trip));
  if (!IsOvertaken()) return next;
  return std::min(next, oldest_->sent_at + round_trip.ReorderTime());
}

}  // namespace gasnet::datagram
