// Drives the channels of a rank, independent of packet contents. It receives
// and acknowledges packets, sends as much as the windows permit, and repeats
// lost packets. Before the process ends, it waits until everything sent has
// arrived. The layer above decides what packets contain. That layer also
// decides if it has room for a packet that has arrived.
//
// The lock of the channels protects everything. The layer above holds this
// lock. A function may be called without the lock only if its comment says so.
// Datagrams are sent and received only within calls of this class.
// NextDeadline() says when a call is needed although nothing has arrived.
//
// A packet leaves at once if little is in flight to its peer. Otherwise
// contents gather in the lane's open packet. That packet leaves when one of
// these happens, at the latest after Timing::hold:
//
// - it is full
// - acknowledgements arrive
// - two polls follow each other without a send (the caller waits)
//
// A poll consists of Receive, of Accept and Taken for each datagram, of Release
// for the batch, and of EndPoll.
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
  // Creates a driver. Port and options outlive it. least() returns the minimum
  // number of buffers that the layer above needs, for datagrams of given sizes.
  ChannelDriver(Port& port, const ChannelOptions& options, const Seal& seal,
                PacketPool::Counts (*least)(const PathSizes& sizes));

  const PathSizes& sizes() const { return sizes_; }
  PacketPool& pool() { return pool_; }
  ChannelTable& channels() { return channels_; }
  const ChannelTable& channels() const { return channels_; }
  PacketReceiver& packets() { return packets_; }
  // Returns the statistics. Their counts may be read without the lock.
  DatagramStatistics& statistics() { return statistics_; }
  const DatagramStatistics& statistics() const { return statistics_; }
  // Returns the time at which the clock was last read.
  int64_t now() const { return transmitter_.now(); }

  // Transmits the lane's packets now, or lets them wait. Before this, the
  // caller puts contents into packets of the pool and appends them to the
  // lane's window.
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
  // Between BeginGathering() and EndGathering(), contents of reply lanes gather
  // in open packets. Any thread may call both, without the lock.
  void BeginGathering() { gathering_.fetch_add(1, std::memory_order_relaxed); }
  void EndGathering() { gathering_.fetch_sub(1, std::memory_order_relaxed); }
  // Returns true if there may be open packets. Needs no lock.
  bool MayHold() const { return held_.load(std::memory_order_relaxed); }

  // Returns the datagrams that have arrived, or null if there are none. Pass
  // `again` if the caller has just polled, found nothing, and been idle since.
  // The clock is then read less often.
  Batch* Receive(bool again);
  // Replaces Receive() in a poll of a port that is known to have nothing.
  void SkipReceive() {
    Settle();
    found_nothing_ = true;
  }
  void Release(Batch* batch) { port_.Release(batch); }
  // Accept() processes a datagram of the batch. If the ReceivedDatagram that it
  // returns has a packet, the layer above registers the packet, or refuses it
  // for lack of room. Then the caller calls Taken() in either case. `alone`
  // says that the batch has no other datagram, and that Receive() precedes the
  // next Accept().
  ReceivedDatagram Accept(MutableBytes datagram) {
    return packets_.Accept(datagram, transmitter_.now());
  }
  void Taken(const ReceivedDatagram& arrival, bool alone);
  void EndPoll(bool again) {
    // Flushes first, since the flushed packets carry acknowledgements.
    if (MayHold() && sends_since_poll_ == 0) Flush();
    acknowledger_.EndPoll(found_nothing_);
    sends_since_poll_ = 0;
    polled_again_ = again;
  }

  // Sends overdue acknowledgements and repeats lost packets. Called after
  // polls. Uses the last poll's time if it is recent.
  void ServeTimers();
  // Like ServeTimers(), but also sends everything that a poll would send. Used
  // by a thread that does not poll.
  void Maintain();
  // Returns the time, by the port's clock, at which ServeTimers() or Maintain()
  // next has work although nothing arrives. The time may be earlier than
  // necessary. Needs no lock.
  int64_t NextDeadline() const { return deadline_.time(); }

  // Takes a step towards the end of the process: sends waiting packets,
  // acknowledges arriving ones, and delivers nothing more. Returns true once
  // everything sent has arrived, except packets to peers that have left.
  // Allocates nothing, and returns soon even if much arrives.
  bool DrainStep();

  // Returns the number of polls that received something. The number wraps.
  // Needs no lock.
  uint32_t receipts() const {
    return receipts_.load(std::memory_order_relaxed);
  }
  // Returns true if everything sent or received is acknowledged.
  bool Quiet() const {
    return pool_.used() == 0 && late_.channel == nullptr &&
           !channels_.OwesAny();
  }

 private:
  // Returns true if the lane's open packet leaves at once.
  bool IsEager(const SendWindow& window, Lane lane) const {
    const bool gathers =
        lane == Lane::kReply && gathering_.load(std::memory_order_relaxed) > 0;
    // Deferred acknowledgements (late_) cover at least one packet that still
    // counts as in flight. So one packet more may be in flight.
    const unsigned most =
        late_.channel == nullptr ? kPromptPackets : kPromptPackets + 1;
    return window.in_flight() < most && !gathers;
  }
  void Pump(Channel& channel);
  void Flush();

  // Processes the acknowledgements that were deferred to this poll.
  void Settle() {
    if (late_.channel != nullptr) {
      TakeAcks(*std::exchange(late_.channel, nullptr), late_.acks,
               late_.arrived);
    }
  }
  void TakeAcks(Channel& channel, const LaneAcks& acks, int64_t arrived);
  [[gnu::cold, gnu::noinline]] void NoteNarrow(const Channel& channel);

  // Returns the cached time, for a poll that closely follows another poll.
  // Reads the clock only once in kLooksPerReading calls.
  int64_t TimeInWait() {
    if (++unread_ < kLooksPerReading) return transmitter_.now();
    return ReadClock();
  }
  int64_t ReadClock() {
    unread_ = 0;
    return transmitter_.ReadClock();
  }
  // Runs the timers. `looked` says that a poll has just found the port empty.
  // Then no answer of a peer waits in the port.
  void LookAfterTimers(int64_t now, bool looked);

  Port& port_;
  const ChannelOptions& options_;
  const Seal seal_;
  const PathSizes sizes_;
  DatagramStatistics statistics_;
  PacketPool pool_;
  ChannelTable channels_;
  Deadline deadline_;
  PacketReceiver packets_;
  Transmitter transmitter_;
  Acknowledger acknowledger_;
  RetransmissionTimer timer_;
  // Acknowledgements that came in a lone packet, if nothing waits for them. The
  // next poll processes them, so that the reply to the packet leaves first.
  struct {
    Channel* channel = nullptr;  // null if nothing is deferred
    LaneAcks acks;
    int64_t arrived = 0;
  } late_;
  unsigned sends_since_poll_ = 0;
  unsigned overdue_ = 0;        // polls that delayed the timers
  unsigned unread_ = 0;         // polls since the clock was read
  bool found_nothing_ = false;  // the last poll found nothing
  bool polled_again_ = false;   // the last poll closely followed another
  bool told_narrow_ = false;
  // Written under the lock. Accesses are relaxed, since the counter guards no
  // other data.
  std::atomic<uint32_t> receipts_{0};
  std::atomic<bool> held_{false};       // there may be open packets
  std::atomic<unsigned> gathering_{0};  // threads whose replies gather
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_DRIVER_H_
