// Operations between processes that share no memory. They travel over the
// reliable, authenticated channel of core/datagram, with one socket per
// process.
//
// Two kinds of threads do the work, in polls: waiting threads of the program,
// and the transport's own thread, which sleeps on the socket. While any other
// thread polls, the transport's thread only checks, at most ten times a
// millisecond, that other threads still poll (aside.h). So an operation on a
// process that computes costs one wake-up, and a waiting thread polls
// undisturbed. When the program goes to sleep in a wait, it wakes the
// transport's thread. While the program sleeps, this thread polls on for a
// moment after each packet.
//
// One lock protects all lower parts (outbox.h, initiator.h, target.h, the
// driver of the channels). Locks of tables are taken under it, never the other
// way round. If a poll makes operations due, they run after the poll has
// released this lock. Pause also waits while the transport's thread runs such
// operations.
//
// Receipts of quiet operations (record.h) travel in packets that leave anyway.
// A poll sends receipts that have waited for long in packets of their own. All
// receipts leave when the process ends. They also leave when the transport's
// thread goes to sleep, because then no thread polls.
//
// A rank that does not answer for a time is lost for good. Its operations under
// way end with PTL_NI_UNDELIVERABLE, and so do all later operations on it.
// While this process expects something of a rank to which nothing is in flight,
// it sends the rank a question now and then. The job may report that a rank no
// longer receives messages. If a packet to such a rank then times out, the rank
// is lost half a second after its last message. It is not lost earlier, because
// it may itself wait for answers.
//
// Destroy the transport when no thread begins operations, polls or waits any
// more. The destructor ends the transport's thread.
#ifndef PORTALS_DATAGRAM_TRANSPORT_H_
#define PORTALS_DATAGRAM_TRANSPORT_H_

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/faults.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/port.h"
#include "core/datagram/socket_port.h"
#include "core/datagram/statistics.h"
#include "core/rank.h"
#include "portals/api/carrier.h"
#include "portals/api/initiate.h"
#include "portals/datagram/aside.h"
#include "portals/datagram/initiator.h"
#include "portals/datagram/outbox.h"
#include "portals/datagram/target.h"

namespace gasnet::portals4 {

class DatagramTransport final : public Carrier {
 public:
  struct Options {
    Rank me = 0;
    uint32_t nid = 0;
    int64_t silence_limit = 0;  // The silence in ns after which a rank is lost.
    // Returns true if a rank no longer receives messages. Empty: the program
    // cannot tell.
    std::function<bool(Rank rank)> has_left;
    datagram::Faults faults;
  };

  DatagramTransport(datagram::JobSocket socket, const Options& options);
  DatagramTransport(const DatagramTransport&) = delete;
  DatagramTransport& operator=(const DatagramTransport&) = delete;
  ~DatagramTransport() override;

  // Starts the transport's thread.
  absl::Status Start();

  // Implement Carrier. Pause takes the lock, and Resume releases it.
  void Begin(Rank rank, uint64_t physical, PeerInterface& owner,
             const InitiatorRequest& request, const PortalsOperation& operation,
             bool waits) override;
  bool Poll() override;
  void LeaveToOthers() override;
  void Drain() override;
  void Pause() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Forget() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Resume() override ABSL_NO_THREAD_SAFETY_ANALYSIS;

  // Returns true if all datagrams that this process has sent have arrived. See
  // HasArrived in job/hand_over.h.
  bool HasArrived();

  // Returns counters without taking the lock.
  const datagram::DatagramStatistics& statistics() const {
    return driver_.statistics();
  }
  // Returns the number of times that the transport's thread polled on in place
  // of a sleeping program. Takes no lock.
  uint64_t looks_on() const { return looks_on_; }

 private:
  datagram::ChannelOptions ChannelOptionsOf(const datagram::JobSocket& socket,
                                            const Options& options);

  void Receive() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Take(datagram::MutableBytes datagram, bool alone)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MayTakeRequests(const datagram::ReceivedDatagram& arrival)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MayTakeAnswers(const datagram::ReceivedDatagram& arrival)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  template <class Record, class Use>
  void TakeRecords(const datagram::ReceivedDatagram& arrival, Use use)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void BuryLost() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void AskSilent(int64_t now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool IsDone();
  bool HasNothingToSend() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  // Runs the transport's thread (transport_thread.cc).
  static void* Run(void* self);
  // Returns the time of the next work if nothing arrives before.
  int64_t NextDeadline() const {
    return std::min(driver_.NextDeadline(), out_.receipts_due());
  }
  void SleepUntilNeeded();
  void StepAside(uint32_t& seen);
  void Nap(int64_t nanos, uint32_t seen);
  bool IsLeftAlone(uint32_t seen);
  int64_t PollerRan() const;
  void RingBell();
  bool StandsIn(int64_t last, uint32_t seen);
  void Wake();

  const int64_t ask_interval_;
  const std::function<bool(Rank rank)> has_left_;
  absl::Mutex lock_;
  datagram::SocketPort port_;
  // A port that injects faults and then uses port_. Null if Options::faults is
  // empty.
  const std::unique_ptr<datagram::Port> faulty_;
  // Indexed by rank. lost_ is not 0 if the rank is lost. left_at_ is the time
  // at which the rank was first known to have left, or 0.
  std::vector<uint8_t> lost_ ABSL_GUARDED_BY(lock_);
  std::vector<int64_t> left_at_ ABSL_GUARDED_BY(lock_);
  std::vector<Rank> dying_ ABSL_GUARDED_BY(lock_);  // Lost and not cleaned up.
  const datagram::ChannelOptions channel_options_;
  datagram::ChannelDriver driver_;
  Outbox out_;
  Initiator initiator_ ABSL_GUARDED_BY(lock_);
  DatagramTarget target_ ABSL_GUARDED_BY(lock_);
  int64_t asked_at_ ABSL_GUARDED_BY(lock_) = 0;

  absl::Mutex running_;               // held by the thread while it works
  std::atomic<uint32_t> pausing_{0};  // threads that want `running_`
  std::atomic<uint32_t> polls_{0};    // polls by other threads
  std::atomic<clockid_t> poller_{0};  // CPU clock of the last poller. 0: none.
  // True if this process expects something of other ranks.
  std::atomic<bool> expects_{false};
  UniqueFd bell_;  // an eventfd
  pthread_t thread_{};
  bool has_started_ = false;
  std::atomic<bool> ends_{false};
  std::atomic<bool> awake_{true};
  std::atomic<bool> naps_{false};
  Aside aside_;  // Used only by the transport's thread.
  datagram::Counter looks_on_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_TRANSPORT_H_
