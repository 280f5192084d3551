// Sends and receives active messages of ranks on other hosts. Delivery is
// reliable, authenticated, exactly once, and in any order, over a port that
// guarantees nothing. docs/design/datagram.md has the protocol.
//
// Any number of threads may call it at once, in every threading mode: one lock
// protects all state. Handlers run without the lock, and may send replies and
// poll for replies. Datagrams are sent and received only within calls of this
// class. NextDeadline() says when a call is needed although nothing has
// arrived. The driver of the channels (channel_driver.h) does everything that
// does not concern messages. It also decides when an open packet leaves. In
// addition, open packets leave after handlers that sent replies.
#ifndef CORE_DATAGRAM_ENDPOINT_H_
#define CORE_DATAGRAM_ENDPOINT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "base/cache_line.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/owed_replies.h"
#include "core/am/records.h"
#include "core/am/tuning.h"
#include "core/am/unattended.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/message_size.h"
#include "core/datagram/options.h"
#include "core/datagram/parked_packets.h"
#include "core/datagram/port.h"
#include "core/datagram/receiver.h"
#include "core/datagram/seal.h"
#include "core/datagram/sender.h"
#include "core/datagram/statistics.h"
#include "core/datagram/tuning.h"
#include "core/segment.h"
#include "core/thread/real_lock.h"

namespace gasnet::datagram {

class DatagramEndpoint final : private am::ReplySender {
 public:
  using Options = datagram::DatagramOptions;

  // Creates an endpoint. The port must outlive it.
  DatagramEndpoint(Port& port, const Options& options, const Seal& seal);
  ~DatagramEndpoint();
  DatagramEndpoint(const DatagramEndpoint&) = delete;
  DatagramEndpoint& operator=(const DatagramEndpoint&) = delete;

  // Sets the segment of one of this rank's endpoints. Longs write to it.
  void SetSegment(EndpointIndex endpoint, Segment mine);

  // Sends a message to another rank.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);

  // Returns false if no message to the peer finds room now.
  bool MayHaveRoom(Rank peer, am::Lane lane) const;

  // Receives datagrams, runs handlers, and sends urgent acknowledgements.
  // Returns the number of messages handled. Pass `again` if the caller has just
  // polled, found nothing, and been idle since. The clock is then read less
  // often.
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                bool again = false);

  // Polls for threads that seem not to poll. Does nothing if another thread
  // holds the lock. If `receives` is true, also receives datagrams and serves
  // the timers. Otherwise the caller has seen that nothing has arrived.
  unsigned PollForOthers(am::Lanes lanes, am::Dispatcher& dispatcher,
                         bool receives);

  // Serves this rank while its client computes. Called by a thread that is not
  // the client's. Receives datagrams, runs unattended handlers
  // (core/am/unattended.h) and sends their replies. Parks all other messages
  // for the next Poll(). Does nothing if another thread holds the lock (kBusy).
  // If it has received anything (kReceived), a thread of the client may wait
  // for that.
  enum class Attendance : uint8_t { kBusy, kNothing, kReceived };
  Attendance Attend(am::Dispatcher& dispatcher);
  // Returns false if Attend() would receive nothing: too much is parked for the
  // client, or Drain() has been called.
  bool MayAttend() const {
    return !parked_.IsFullForClient() && drain_steps() == 0;
  }
  // Returns the number of polls by threads of the client. It wraps.
  uint32_t polls() const { return polls_.load(std::memory_order_relaxed); }
  // Returns true if messages wait here for a poll. No descriptor tells of them.
  // If a thread that serves the port rings the client's threads afterwards, a
  // thread that then awakes sees them. Needs no lock.
  bool HoldsMessages() const { return holds_messages_.load(); }
  // Returns true if the service of a client that computes owes replies, or has
  // requests that it could not answer. No descriptor tells when there is room.
  bool OwesReplies() const { return owes_replies_.load(); }
  // A peer that sends nothing while packets to it time out.
  struct Silence {
    Rank peer = 0;
    int64_t since = 0;  // the time of the first timeout, by the port's clock
    unsigned in_flight = 0;  // packets that the peer has not acknowledged
  };
  // Returns the silent peer with the earliest timeout, or nothing if there is
  // no silent peer.
  std::optional<Silence> LongestSilence();
  // Returns true if anything has ever arrived from the peer.
  bool HasHeard(Rank peer) const;

  // Sends overdue acknowledgements and repeats lost packets. Called after
  // polls. Uses the last poll's time if it is recent.
  void ServeTimers();

  // Like ServeTimers(), but also sends everything that a poll would send. Used
  // by a thread that does not poll. Both functions do nothing while another
  // thread holds the lock. The deadline then does not change, so that the
  // caller calls again.
  void Maintain();

  size_t MaxMedium() const { return am::kMaxMedium; }
  size_t MaxLong() const { return max_long_; }
  // Returns the current size limit of a datagram to the peer.
  size_t DatagramTo(Rank peer) const;
  // Returns the largest payload of a Medium that is sent to the peer without
  // fragments, for any number of arguments.
  size_t WholeMedium(Rank peer) const {
    return datagram::WholeMedium(DatagramTo(peer));
  }

  // Returns the time, by the port's clock, at which ServeTimers() or Maintain()
  // next has work although nothing arrives. The time may be earlier than
  // necessary.
  int64_t NextDeadline() const { return driver_.NextDeadline(); }

  // Returns the number of polls that received something. The number wraps.
  uint32_t receipts() const { return driver_.receipts(); }

  // Takes a step towards the end of the process: sends waiting packets,
  // acknowledges arriving ones, and runs no more handlers. Returns true once
  // everything sent has arrived, except packets to peers that have left
  // (ChannelOptions::has_left). Never waits for the lock and allocates nothing,
  // since a signal handler may have interrupted any code. Returns soon even if
  // much arrives. After the first call only DrainStep() may be called.
  bool DrainStep();
  // Calls DrainStep() and wait() in turn until everything has arrived or the
  // port's clock reaches `deadline`. Returns true if everything has arrived.
  bool Drain(int64_t deadline, absl::FunctionRef<void()> wait);
  // Returns the number of calls of DrainStep() that acquired the lock. The
  // number wraps.
  uint32_t drain_steps() const {
    return drain_steps_.load(std::memory_order_relaxed);
  }

  // Returns true if everything sent or received is acknowledged, and no message
  // waits for a poll.
  bool Quiet() const;

  // Returns the statistics. Takes no lock, so any thread may call it at any
  // time, even in a signal handler.
  DatagramStatistics statistics() const;
  // Returns the number of peers that this rank ever communicated with.
  size_t channels() const;

 private:
  using Deliveries = std::vector<Delivery>;

  [[noreturn, gnu::cold]] void RefuseTooLong(Rank peer,
                                             const am::Message& message) const;

  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher, bool again,
                bool receives) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  unsigned Take(std::span<const MutableBytes> datagrams, am::Lanes lanes,
                am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  Delivery Register(MutableBytes datagram, am::Lanes lanes,
                    am::Dispatcher& dispatcher, bool alone)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Runs the handlers of the deliveries. Releases the lock while they run.
  unsigned RunAll(std::span<const Delivery> deliveries,
                  am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Run(const Delivery& delivery, am::Dispatcher& dispatcher);
  unsigned ServeKept(am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  // attendance.cc has the following functions.
  using Service = am::Unattended::Service;
  using Queue = ParkedPackets::Queue;
  void TakeRequests(std::span<const MutableBytes> datagrams,
                    am::Dispatcher& dispatcher, Deliveries& requests)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void AttendTo(const Delivery& request, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  Service AttendTo(am::Assembly& request, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // The offsets of records that were not served.
  struct Left {
    std::vector<size_t> for_client;
    std::vector<size_t> unanswered;
  };
  Left ServeRecords(Rank source, MutableBytes packet,
                    std::span<const size_t> records, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void AnswerAgain(am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Sends what OwesReplies() tells of, as far as there is room.
  void AnswerOwed(am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    SendOwed();
    AnswerAgain(dispatcher);
  }
  void NoteServed(size_t messages) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void NoteHeld() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Park(Queue queue, Rank source, MutableBytes packet,
            std::vector<size_t> records) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void SendGathered(Rank source) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Handles the messages that Attend() has left.
  unsigned ServeParked(am::Lanes lanes, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  unsigned ServeParked(Queue queue, am::Lanes lanes, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  unsigned RunParked(const ParkedPacket& parked, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MayReply(Rank dest) override;
  am::Post SendReply(Rank dest, const am::Message& message) override;
  void SendOwed() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  mutable thread::RealLock lock_;
  Port& port_;
  const Options options_;
  // used under the lock, unless a function's comment says otherwise
  ChannelDriver driver_;
  const size_t max_long_;
  DatagramSender sender_ ABSL_GUARDED_BY(lock_);
  DatagramReceiver receiver_ ABSL_GUARDED_BY(lock_);
  ParkedPackets parked_;
  am::OwedReplies owed_ ABSL_GUARDED_BY(lock_);
  // The memory of finished polls, for the next polls to reuse.
  std::vector<Deliveries> idle_deliveries_ ABSL_GUARDED_BY(lock_);
  // Accesses are relaxed, since the counters guard no other data.
  std::atomic<uint32_t> drain_steps_{0};
  std::atomic<uint32_t> polls_{0};
  // Written under the lock, and rarely. Other threads read it in each poll.
  alignas(kCacheLine) std::atomic<bool> holds_messages_{false};
  std::atomic<bool> owes_replies_{false};
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_H_
