// Active messages to ranks on other hosts: reliable, authenticated, exactly
// once, in any order, over a port that promises nothing.
// docs/design/datagram.md has the protocol.
//
// Any number of threads may call it at once, in every threading mode: all state
// is under one lock. Handlers run without it, and may send replies and poll for
// replies. Nothing is sent or received but in these calls; NextDeadline says
// when one is needed although nothing has arrived. The driver of the channels
// does everything that is not of messages (channel_driver.h). It also says when
// an open packet leaves; here that is after the handlers that replied have run,
// too.
#ifndef CORE_DATAGRAM_ENDPOINT_H_
#define CORE_DATAGRAM_ENDPOINT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/message_size.h"
#include "core/datagram/options.h"
#include "core/datagram/port.h"
#include "core/datagram/receiver.h"
#include "core/datagram/seal.h"
#include "core/datagram/sender.h"
#include "core/datagram/statistics.h"
#include "core/datagram/tuning.h"
#include "core/segment.h"
#include "core/thread/lock.h"

namespace gasnet::datagram {

class Endpoint {
 public:
  using Options = datagram::Options;

  // The port outlives the endpoint.
  Endpoint(Port& port, const Options& options, const Seal& seal);

  // Where Longs to that endpoint of this rank may go.
  void SetSegment(EndpointIndex endpoint, Segment mine);

  // To another rank.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);

  // Receives, runs handlers, acknowledges what asks for it at once. How many
  // messages were handled.
  // again: the caller polled a moment ago, found nothing, and has done nothing
  // since; then the time need not be looked at so often.
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                bool again = false);

  // After polls: acknowledges what has waited long enough, sends again what was
  // lost. Where the last poll has just looked at the clock that time counts.
  void ServeTimers();

  // The same, and all that a poll sends, for a thread that does not poll. Both
  // do nothing while another thread is inside: the deadline stays, and the
  // caller comes again.
  void Maintain();

  size_t MaxMedium() const { return kMaxMedium; }
  size_t MaxLong() const { return max_long_; }
  // Bytes that datagrams to the peer may have at the moment.
  size_t DatagramTo(Rank peer) const;
  // The payload of a Medium that is no fragments, whatever its arguments.
  size_t WholeMedium(Rank peer) const {
    return datagram::WholeMedium(DatagramTo(peer));
  }

  // When ServeTimers or Maintain has something to do although nothing arrives,
  // by the port's clock. May be earlier than necessary.
  int64_t NextDeadline() const { return driver_.NextDeadline(); }

  // Counts the polls that received something; wraps.
  uint32_t receipts() const { return driver_.receipts(); }

  // A step towards the end of the process: sends what waits, acknowledges what
  // arrives and runs no more handlers. True once all that was sent has arrived,
  // but for what was to peers that have left (ChannelOptions::has_left).
  // Never waits for the lock and allocates nothing: a signal handler may have
  // interrupted anything. However much arrives, it returns soon.
  // Only DrainStep may be called afterwards.
  bool DrainStep();
  // Steps until all has arrived or the port's clock says `deadline`, with
  // wait() between them. Whether all has arrived.
  bool Drain(int64_t deadline, absl::FunctionRef<void()> wait);
  // Counts the steps that got the lock; wraps.
  uint32_t drain_steps() const {
    return drain_steps_.load(std::memory_order_relaxed);
  }

  // All that was sent is acknowledged, all that arrived too, and no message
  // waits for a poll.
  bool Quiet() const;

  // Any thread, any time, signal handlers included: takes no lock.
  Statistics statistics() const;
  // Peers that were ever spoken to.
  size_t channels() const;

 private:
  using Deliveries = std::vector<Delivery>;

  [[noreturn, gnu::cold]] void RefuseTooLong(Rank peer,
                                             const am::Message& message) const;

  unsigned Take(std::span<const MutableBytes> datagrams, am::Lanes lanes,
                am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  Delivery Register(MutableBytes datagram, am::Lanes lanes,
                    am::Dispatcher& dispatcher, bool alone)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Leaves the lock for the handlers, and returns with it.
  unsigned RunAll(std::span<const Delivery> deliveries,
                  am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Run(const Delivery& delivery, am::Dispatcher& dispatcher);
  unsigned ServeKept(am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  mutable thread::Lock lock_;
  Port& port_;
  const Options options_;
  ChannelDriver driver_;  // with the lock, but for what says otherwise
  const size_t max_long_;
  Sender sender_ ABSL_GUARDED_BY(lock_);
  Receiver receiver_ ABSL_GUARDED_BY(lock_);
  // Of polls that are over; memory for the next ones.
  std::vector<Deliveries> idle_deliveries_ ABSL_GUARDED_BY(lock_);
  // Relaxed, since nothing else is read by it.
  std::atomic<uint32_t> drain_steps_{0};
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_H_
