// The interface of a network that carries messages to other hosts. A conduit
// implements the interface. link.h combines a network and the ranks of this
// host into an am::Link.
//
// Each message, transfer or poll of a network costs one virtual call. Constants
// are read once.
//
// Under GASNET_PAR any number of client threads may call a network at once;
// otherwise one thread at a time.
#ifndef CORE_NETWORK_NETWORK_H_
#define CORE_NETWORK_NETWORK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/observe/status_board.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "core/split_barrier.h"

namespace gasnet::network {

// The optional abilities of a network. Read once, after its start.
struct Capabilities {
  // True if Longs from the peers may have no address (am/link.h).
  bool lands = false;
  // True if some messages take several calls of Send (am/link.h).
  bool sends_in_steps = false;
  // True if the network waits by itself (Await) and has no descriptor to sleep
  // on.
  bool awaits = false;
  // True if the network has work that the clock starts (ServeTimers).
  bool has_timers = false;
};

// The data that a rank sends to all others about its segment, in the network's
// own format. An example is the key of registered memory.
class Exposed {
 public:
  Exposed() = default;

  template <class T>
  static Exposed Of(const T& word) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMax);
    Exposed exposed;
    std::memcpy(exposed.bytes_.data(), &word, sizeof(T));
    return exposed;
  }
  template <class T>
  T As() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMax);
    T word;
    std::memcpy(&word, bytes_.data(), sizeof(T));
    return word;
  }

 private:
  static constexpr size_t kMax = 32;
  std::array<std::byte, kMax> bytes_{};
};

// The result of a poll.
struct Polled {
  unsigned handled = 0;  // number of messages
  // True if something was received, even if it only makes room to send: another
  // thread may wait for that room.
  bool took_in = false;
};

class Network {
 public:
  // Releases all resources. Called when no rank sends any more.
  virtual ~Network() = default;

  // Starts the network. May fail on one rank alone; the caller then notifies
  // the other ranks.
  virtual absl::Status Start() = 0;
  virtual Capabilities capabilities() const = 0;

  // Sends like am::Link, to ranks that share no memory with this one. The
  // message names the endpoints of the sender and the target.
  virtual am::Post Send(Rank peer, am::Lane lane,
                        const am::Message& message) = 0;

  // Returns false if a message to the peer with nbytes of payload would find no
  // room now. Returns true if it would find room, or if the answer is unknown.
  virtual bool MayHaveRoom(Rank /*peer*/, am::Lane /*lane*/,
                           size_t /*nbytes*/) {
    return true;
  }

  // Polls like am::Link. Messages for endpoints other than the dispatcher's go
  // to the dispatchers of those endpoints (Dispatcher::Route). again: true if
  // the caller is waiting, has polled a moment ago, found nothing, and done
  // nothing since.
  virtual Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                      bool again) = 0;

  // MaxMedium() and MaxLong() return the largest payloads in bytes, and may be
  // called once the network has started. MaxLong() may grow at Attach.
  virtual size_t MaxMedium() const = 0;
  virtual size_t MaxLong() const = 0;
  // Returns the largest Medium that travels to the peer in one piece. The peer
  // assembles larger ones from pieces (am/link.h). May change at any time.
  virtual size_t WholeMedium(Rank /*peer*/) const { return SIZE_MAX; }

  // Does work that is due by the clock. Called as a progress function
  // (am/progress.h).
  virtual void ServeTimers() {}
  // Returns the time of the next work on the monotonic clock, or kNever. The
  // time may be too early.
  virtual int64_t NextDeadline() const { return kNever; }

  // Returns descriptors, at most kMaxDescriptors, of which one is readable when
  // a poll would find something. The result never changes. Without a
  // descriptor, sleepers look when NextDeadline() comes. If it returns kNever,
  // they look now and then.
  virtual std::span<const int> fds() const { return {}; }
  // Await and Ring are for a network that waits itself (Capabilities). Await
  // returns when a poll would find something, after `nanos` nanoseconds, after
  // a Ring since its last call, or spuriously. One thread awaits at a time; any
  // thread rings.
  virtual void Await(int64_t /*nanos*/) {}
  virtual void Ring() {}

  // Permits a network to serve unattended requests (core/am/unattended.h) on a
  // thread of its own from here on. The segment of endpoint 0 does not change
  // meanwhile. `dispatcher` is that of endpoint 0. The network calls ring(link)
  // after it has received anything that it leaves to the client's threads,
  // since they may sleep. A null `ring` ends the service, and waits for a
  // request that is being served.
  virtual void ServeUnattended(am::Dispatcher& /*dispatcher*/,
                               void (* /*ring*/)(void* link), void* /*link*/) {}
  // Tells that a thread of the client begins or ends to sleep on fds(). Called
  // by one thread at a time.
  virtual void SetWatched(bool /*watched*/) {}

  // Returns the largest segment in bytes that the network can expose.
  virtual uintptr_t MaxSegment() const { return UINTPTR_MAX; }
  // Exposes the segment of one of this rank's endpoints to the network. Longs
  // to the endpoint go to this segment. Once another rank has the result, it
  // can reach the segment. May fail on one rank alone; the caller then notifies
  // the other ranks. Called first for index 0. If another rank fails to create
  // an endpoint, this is called again with an empty segment, and later with
  // another segment.
  virtual absl::StatusOr<Exposed> Expose(EndpointIndex endpoint,
                                         const Segment& segment) = 0;
  // Provides the segments of the ranks' endpoints of index 0, and the results
  // of each rank's Expose, each by rank. Called before this rank polls or
  // sends. The segments must outlive the network's use.
  virtual void Attach(std::span<const Segment> /*segments*/,
                      std::span<const Exposed> /*exposed*/) {}

  // Returns the network's native puts and gets, to segments of endpoints of
  // index 0. Valid from Attach on. Returns null if it has no native transfers.
  virtual rma::Rma* rma() { return nullptr; }
  // Returns the network's native barrier. Valid from Start on. Returns null, on
  // all ranks alike, if it has none in this job.
  virtual SplitBarrier* barrier() { return nullptr; }

  // Returns the longest wait of an operation for a peer or a resource, if it
  // has lasted for a second. Called by a polling thread, at the request of the
  // launcher.
  virtual observe::NetworkWait LongestWait() { return {}; }

  // Ensures, before the process ends, that sent messages arrive. Takes a
  // fraction of a second at most, unless `patient` is true: then this process
  // ends alone and the job continues. In that case there is no time limit,
  // since a message to a rank that computes may be lost, and must be
  // retransmitted. Only messages to ranks that have left are given up. Runs no
  // handler. Callable on any thread at any time, also in signal handlers.
  // Afterwards only Drain itself, Report and the destructor are called.
  virtual void Drain(bool patient) = 0;

  // Prints, once, a report on the network's operation, if a setting asks for
  // it. Called at the network's end. Takes no lock and allocates nothing, since
  // the end may interrupt any code.
  virtual void Report() const {}
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_NETWORK_H_
