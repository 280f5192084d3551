// Operations between processes that share no memory: over the reliable,
// authenticated channel of core/datagram, one socket a process.
//
// Work is done in polls: by whichever thread of the program waits for
// something, and by a thread of our own that sleeps on the socket. That one
// steps aside while anybody else polls: then it only looks, ten times a
// millisecond at most, whether they still do (aside.h). So operations on a
// process that computes are done at the cost of a wake-up, and one that waits
// polls undisturbed. A program that goes to sleep in a wait ends the thread's
// nap. Meanwhile the thread looks on for a moment after each packet that came,
// in its place.
//
// One lock protects all that is below (outbox.h, initiator.h, target.h, the
// driver of the channels). Under it locks of tables are taken, never the other
// way round; what a poll has made due is run when it is free again. Pause keeps
// the thread out as well, in what it runs then.
//
// Receipts of quiet operations (record.h) ride in packets that leave anyway.
// Those that have waited for long leave by themselves, in a poll; and all that
// wait, when the thread goes to sleep, since nobody polls then, or when the
// process has come to its end.
//
// A rank that does not answer for a time is lost, for good: what is under way
// is UNDELIVERABLE, and so is all that is begun later. While something is
// expected of a rank to which nothing is in flight, it is asked now and then.
// A rank that takes nothing in any more, as the job says, is lost half a second
// after its last word, if something times out on its way to it: until then it
// may wait for answers itself.
//
// Destroyed when nothing begins, polls or waits any more. It ends the thread.
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
    int64_t silence_limit = 0;  // ns after which a rank is lost
    // Whether a rank takes nothing in any more; empty: of none that is known.
    std::function<bool(Rank rank)> has_left;
    datagram::Faults faults;
  };

  DatagramTransport(datagram::JobSocket socket, const Options& options);
  DatagramTransport(const DatagramTransport&) = delete;
  DatagramTransport& operator=(const DatagramTransport&) = delete;
  ~DatagramTransport() override;

  // Starts the thread.
  absl::Status Start();

  // Carrier. The lock is held from Pause to Resume.
  void Begin(Rank rank, uint64_t physical, Peer& owner, const Request& request,
             const Operation& operation, bool waits) override;
  bool Poll() override;
  void LeaveToOthers() override;
  void Drain() override;
  void Pause() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Forget() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Resume() override ABSL_NO_THREAD_SAFETY_ANALYSIS;

  // See job/hand_over.h.
  bool HasArrived();

  // Reading takes no lock.
  const datagram::Statistics& statistics() const {
    return driver_.statistics();
  }
  // How often the thread looked on in place of a program that sleeps. Reading
  // takes no lock.
  uint64_t looks_on() const { return looks_on_; }

 private:
  datagram::ChannelOptions ChannelOptionsOf(const datagram::JobSocket& socket,
                                            const Options& options);

  void Receive() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Take(datagram::MutableBytes datagram, bool alone)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MayTakeRequests(const datagram::Arrival& arrival)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MayTakeAnswers(const datagram::Arrival& arrival)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  template <class Record, class Use>
  void TakeRecords(const datagram::Arrival& arrival, Use use)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void BuryLost() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void AskSilent(int64_t now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool IsDone();
  bool HasNothingToSend() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  // transport_thread.cc
  static void* Run(void* self);
  // When something is to be done although nothing arrives.
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
  // In front of it; null: Options::faults has none.
  const std::unique_ptr<datagram::Port> faulty_;
  std::vector<uint8_t> lost_ ABSL_GUARDED_BY(lock_);  // by rank
  std::vector<Rank> dying_ ABSL_GUARDED_BY(lock_);  // lost, and not buried yet
  const datagram::ChannelOptions channel_options_;
  datagram::ChannelDriver driver_;
  Outbox out_;
  Initiator initiator_ ABSL_GUARDED_BY(lock_);
  Target target_ ABSL_GUARDED_BY(lock_);
  int64_t asked_at_ ABSL_GUARDED_BY(lock_) = 0;

  absl::Mutex running_;               // held by the thread while it works
  std::atomic<uint32_t> pausing_{0};  // threads that want it
  std::atomic<uint32_t> polls_{0};    // by others
  std::atomic<clockid_t> poller_{0};  // of the one that polled last; 0: none
  // Something is expected of others.
  std::atomic<bool> expects_{false};
  UniqueFd bell_;  // an eventfd
  pthread_t thread_{};
  bool has_started_ = false;
  std::atomic<bool> ends_{false};
  std::atomic<bool> awake_{true};
  std::atomic<bool> naps_{false};
  Aside aside_;  // the thread's
  datagram::Counter looks_on_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_TRANSPORT_H_
