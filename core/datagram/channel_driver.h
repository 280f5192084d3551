// The driver keeps the channels of a rank going, whatever their packets
// contain: it takes in packets that arrive, acknowledges them, sends as much as
// windows permit, repeats lost packets, and sees the process off. The layer
// above decides what is in packets and when it has room for one.
//
// All under one lock, that of the channels, which the layer above has. Only
// what says so may be called without. Nothing is sent or received but in these
// calls; NextDeadline says when one is needed although nothing has arrived.
//
// A packet to a peer to which little is in flight leaves at once. When more is,
// contents gather in the lane's open packet. It leaves when it is full; when
// acknowledgements come; when two polls follow each other without a send (the
// caller waits); and at the latest after Timing::hold.
//
// A poll is: Receive, for each datagram Accept and Taken, Release of the batch,
// EndPoll.
#ifndef CORE_DATAGRAM_CHANNEL_DRIVER_H_
#define CORE_DATAGRAM_CHANNEL_DRIVER_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/datagram/acknowledger.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/deadline.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/packet_receiver.h"
#include "core/datagram/path_size.h"
#include "core/datagram/port.h"
#include "core/datagram/retransmission_timer.h"
#include "core/datagram/seal.h"
#include "core/datagram/statistics.h"
#include "core/datagram/transmitter.h"
#include "core/datagram/tuning.h"
#include "core/lane.h"

namespace gasnet::datagram {

class ChannelDriver {
 public:
  // Port and options outlive it. `least`: buffers that the layer above needs at
  // least, with datagrams of those sizes.
  ChannelDriver(Port& port, const ChannelOptions& options, const Seal& seal,
                PacketPool::Counts (*least)(const PathSizes& sizes));

  const PathSizes& sizes() const { return sizes_; }
  PacketPool& pool() { return pool_; }
  ChannelTable& channels() { return channels_; }
  const ChannelTable& channels() const { return channels_; }
  PacketReceiver& packets() { return packets_; }
  // Reading takes no lock.
  Statistics& statistics() { return statistics_; }
  const Statistics& statistics() const { return statistics_; }
  // The clock as it was last read.
  int64_t now() const { return transmitter_.now(); }

  // Sending: contents are put into packets of the pool, which are appended to
  // the lane's window. Dispatch, afterwards, transmits now or lets them wait.
  void Dispatch(Channel& channel, Lane lane) {
    SendWindow& window = channel.lane(lane).send;
    ++sends_since_poll_;
    channels_.Activate(channel);
    const bool eager = IsEager(window, lane);
    if (eager || window.HasClosed()) Transmit(channel, lane, eager);
    if (window.open() == nullptr) return;
    held_.store(true, std::memory_order_relaxed);
    deadline_.NeedBy(transmitter_.now() + options_.timing.hold);
  }
  void Transmit(Channel& channel, Lane lane, bool with_open) {
    transmitter_.Transmit(channel, lane, with_open);
  }
  // While there are such, what is put into the lanes of replies gathers. Any
  // thread, without the lock.
  void BeginGathering() { gathering_.fetch_add(1, std::memory_order_relaxed); }
  void EndGathering() { gathering_.fetch_sub(1, std::memory_order_relaxed); }
  // Whether there may be open packets. Without the lock.
  bool MayHold() const { return held_.load(std::memory_order_relaxed); }

  // The datagrams that have arrived, or null. again: the caller polled a moment
  // ago, found nothing, and has done nothing since; then the time need not be
  // looked at so often.
  Batch* Receive(bool again);
  void Release(Batch* batch) { port_.Release(batch); }
  // A datagram of the batch. Where there is a packet the layer above registers
  // it, or has no room; then Taken. alone: no other came with it, and Receive
  // is called before the next one.
  Arrival Accept(MutableBytes datagram) {
    return packets_.Accept(datagram, transmitter_.now());
  }
  void Taken(const Arrival& arrival, bool alone);
  void EndPoll(bool again) {
    // A flush takes acknowledgements along.
    if (MayHold() && sends_since_poll_ == 0) Flush();
    acknowledger_.EndPoll(found_nothing_);
    sends_since_poll_ = 0;
    polled_again_ = again;
  }

  // After polls: acknowledges what has waited long enough, sends again what was
  // lost. Where the last poll has just looked at the clock that time counts.
  void ServeTimers();
  // The same, and all that a poll sends, for a thread that does not poll.
  void Maintain();
  // When either has something to do although nothing arrives, by the port's
  // clock. May be earlier than necessary. Without the lock.
  int64_t NextDeadline() const { return deadline_.time(); }

  // A step towards the end of the process: sends what waits, acknowledges what
  // arrives and hands on nothing more. True once all that was sent has arrived,
  // but for what was to peers that have left. Allocates nothing, and returns
  // soon, however much arrives.
  bool DrainStep();

  // Counts the polls that received something; wraps. Without the lock.
  uint32_t receipts() const {
    return receipts_.load(std::memory_order_relaxed);
  }
  // All that was sent is acknowledged, and all that arrived too.
  bool Quiet() const {
    return pool_.used() == 0 && late_.channel == nullptr &&
           !channels_.OwesAny();
  }

 private:
  // Whether the lane's open packet leaves at once.
  bool IsEager(const SendWindow& window, Lane lane) const {
    const bool gathers =
        lane == Lane::kReply && gathering_.load(std::memory_order_relaxed) > 0;
    // Late acknowledgements are of a packet at least.
    const unsigned most =
        late_.channel == nullptr ? kPromptPackets : kPromptPackets + 1;
    return window.in_flight() < most && !gathers;
  }
  void Pump(Channel& channel);
  void Flush();

  // Takes in the acknowledgements that were put off.
  void Settle() {
    if (late_.channel != nullptr) {
      TakeAcks(*std::exchange(late_.channel, nullptr), late_.acks,
               late_.arrived);
    }
  }
  void TakeAcks(Channel& channel, const LaneAcks& acks, int64_t arrived);
  [[gnu::cold, gnu::noinline]] void NoteNarrow(const Channel& channel);

  // The time after a poll that follows another one closely: of its last look.
  int64_t TimeInWait() {
    if (++unread_ < kLooksPerReading) return transmitter_.now();
    return ReadClock();
  }
  int64_t ReadClock() {
    unread_ = 0;
    return transmitter_.ReadClock();
  }
  // `looked`: the port has just been found empty, so nobody has answered.
  void LookAfterTimers(int64_t now, bool looked);

  Port& port_;
  const ChannelOptions& options_;
  const Seal seal_;
  const PathSizes sizes_;
  Statistics statistics_;
  PacketPool pool_;
  ChannelTable channels_;
  Deadline deadline_;
  PacketReceiver packets_;
  Transmitter transmitter_;
  Acknowledger acknowledger_;
  RetransmissionTimer timer_;
  // Acknowledgements on which nothing waits, of a packet that came alone: they
  // are taken in by the next poll, when what answers it has left.
  struct {
    Channel* channel = nullptr;  // null: none
    LaneAcks acks;
    int64_t arrived = 0;
  } late_;
  unsigned sends_since_poll_ = 0;
  unsigned overdue_ = 0;        // polls that put the timers off
  unsigned unread_ = 0;         // polls since the clock was read in one
  bool found_nothing_ = false;  // the last poll
  bool polled_again_ = false;   // the last poll followed one at once
  bool told_narrow_ = false;
  // Written under the lock; relaxed, since nothing else is read by it.
  std::atomic<uint32_t> receipts_{0};
  std::atomic<bool> held_{false};       // there may be open packets
  std::atomic<unsigned> gathering_{0};  // threads that run many handlers
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_DRIVER_H_
