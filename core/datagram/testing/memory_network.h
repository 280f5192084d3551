// A network in memory and in virtual time, for tests. Datagrams take time,
// share the bandwidth of their sender, and suffer faults from a seeded random
// schedule. A datagram that finds its receiver's buffer full is lost. Time
// passes only when the test advances it. Any number of threads may use it.
#ifndef CORE_DATAGRAM_TESTING_MEMORY_NETWORK_H_
#define CORE_DATAGRAM_TESTING_MEMORY_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "core/datagram/port.h"
#include "core/rank.h"

namespace gasnet::datagram::testing {

// The probability of each fault, for each datagram.
struct Faults {
  double lose = 0;
  double repeat = 0;
  double reorder = 0;  // the datagram arrives up to max_delay later
  double truncate = 0;
  double corrupt = 0;  // one bit is changed
  double refuse = 0;   // the port takes no more in this call
};

struct NetworkOptions {
  uint32_t ranks = 2;
  uint64_t seed = 1;
  Faults faults = {};
  size_t max_datagram = 1472;
  size_t path_bytes = 0;        // longer datagrams vanish; 0: no limit
  int64_t latency = 10'000;     // ns
  int64_t max_delay = 200'000;  // ns
  double bytes_per_ns = 1;
  // If this is not 0, all datagrams also pass one link of this bandwidth. The
  // link drops datagrams that find more than link_queue bytes in its queue.
  // When the queue is nearly full, it drops a few at random, so that no sender
  // stays in step with the queue.
  double link_bytes_per_ns = 0;
  size_t link_queue = size_t{128} << 10;
  size_t receive_buffer = size_t{4} << 20;  // bytes for each rank
};

class MemoryNetwork {
 public:
  using Datagram = std::vector<std::byte>;

  explicit MemoryNetwork(const NetworkOptions& options);

  const NetworkOptions& options() const { return options_; }
  void SetFaults(const Faults& faults);
  // Makes datagrams longer than `bytes` vanish if they are sent at `since` or
  // later. 0 means no limit.
  void SetPathBytes(size_t bytes, int64_t since = 0);

  int64_t Now() const;
  // Returns the time at which the next datagram arrives, or the maximum value
  // if none is in flight.
  int64_t NextArrival() const;
  void AdvanceTo(int64_t time);

  size_t Send(Rank from, Rank to, std::span<const Outgoing> datagrams);
  // Returns at most `most` datagrams that have arrived at the rank.
  std::deque<Datagram> Receive(Rank rank, size_t most);
  // Puts a datagram into a rank's buffer as if a peer had sent it.
  void Inject(Rank to, Datagram datagram);

  // Sets a function that is called with every datagram sent, before any fault.
  void Tap(std::function<void(Rank from, Rank to, ConstBytes)> tap);
  // Returns the number of calls of Send() that accepted a datagram. datagrams()
  // returns the number of accepted datagrams.
  uint64_t sends() const;
  uint64_t datagrams() const;
  // Returns the number of datagrams with which Send() was called, accepted or
  // not. overflows() returns the number of datagrams that overflowed a
  // receiver's buffer.
  uint64_t offered() const;
  uint64_t overflows() const;
  // Returns the number of faults of all kinds.
  uint64_t faults() const;

 private:
  struct Host {
    std::deque<Datagram> buffer;
    size_t bytes = 0;
    int64_t idle_at = 0;  // time at which the sender's line is idle
  };
  struct Flight {
    Rank to;
    Datagram datagram;
  };

  bool Chance(double probability);
  void Launch(Rank from, Rank to, ConstBytes datagram);
  // Returns the time at which a datagram that reaches the link at `time` has
  // passed it, or kNoArrival if the link drops it.
  int64_t PassLink(int64_t time, size_t bytes);
  void Store(Rank to, Datagram datagram);

  const NetworkOptions options_;
  mutable absl::Mutex mutex_;  // guards the fields below
  Faults faults_;
  size_t path_bytes_;
  int64_t path_since_ = 0;
  std::mt19937_64 random_;
  int64_t now_ = 1'000'000;
  std::vector<Host> hosts_;
  std::multimap<int64_t, Flight> flying_;  // by time of arrival
  std::function<void(Rank, Rank, ConstBytes)> tap_;
  int64_t link_idle_at_ = 0;
  uint64_t sends_ = 0;
  uint64_t datagrams_ = 0;
  uint64_t offered_ = 0;
  uint64_t overflows_ = 0;
  uint64_t faults_happened_ = 0;
};

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_MEMORY_NETWORK_H_
