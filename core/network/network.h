// The interface of a network, which carries messages to other hosts. A conduit
// implements it. link.h combines it and the ranks of this host to an am::Link.
//
// Each message, transfer or poll of a network costs one virtual call. Constants
// are read once.
//
// Under GASNET_PAR any number of client threads call it at once; otherwise one
// at a time.
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
#include "core/rma/rma.h"
#include "core/segment.h"
#include "core/split_barrier.h"

namespace gasnet::network {

// The abilities of a network beyond the required ones. Read once, after its
// start.
struct Capabilities {
  // Longs from the peers may have no address (am/link.h).
  bool lands = false;
  // Some messages take several calls of Send (am/link.h).
  bool sends_in_steps = false;
  // It waits by itself (Await), and has no descriptor to sleep on.
  bool awaits = false;
  // It has work by the clock (ServeTimers).
  bool has_timers = false;
};

// The data that a rank sends to all others about its segment (such as the key
// of registered memory), in the network's own format.
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
  unsigned handled = 0;  // messages
  // Something was received, even if only room to send: another thread may wait
  // for that.
  bool took_in = false;
};

class Network {
 public:
  // Called when no rank sends any more. Releases all resources.
  virtual ~Network() = default;

  // Starts the network. May fail on one rank alone; then the caller notifies
  // the others.
  virtual absl::Status Start() = 0;
  virtual Capabilities capabilities() const = 0;

  // Sends like am::Link, to ranks that share no memory with this one. The
  // message names the endpoints of sender and target.
  virtual am::Post Send(Rank peer, am::Lane lane,
                        const am::Message& message) = 0;

  // Returns false if a message to the peer with nbytes of payload would find no
  // room now; true if unknown.
  virtual bool MayHaveRoom(Rank /*peer*/, am::Lane /*lane*/,
                           size_t /*nbytes*/) {
    return true;
  }

  // Polls like am::Link. Messages for endpoints other than the dispatcher's go
  // to theirs (Dispatcher::Route). again: called by a waiting thread whose last
  // poll, a moment ago, found nothing, and that has been idle since.
  virtual Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                      bool again) = 0;

  // Return the largest payloads in bytes, after the start. That of a Long may
  // grow at Attach.
  virtual size_t MaxMedium() const = 0;
  virtual size_t MaxLong() const = 0;
  // Returns the largest Medium that travels to the peer in one piece; larger
  // ones are assembled there (am/link.h). May change at any time.
  virtual size_t WholeMedium(Rank /*peer*/) const { return SIZE_MAX; }

  // Does work that is due by the clock, as a progress function (am/progress.h).
  virtual void ServeTimers() {}
  // Returns the time of the next work on the monotonic clock, or kNever. May be
  // too early.
  virtual int64_t NextDeadline() const { return kNever; }

  // Returns a descriptor that is readable when a poll would find something, or
  // -1 if none. Without one, sleepers look at NextDeadline, or, if that is
  // kNever, now and then.
  virtual int fd() const { return -1; }
  // Implemented by a network that awaits. Returns when a poll would find
  // something, after `nanos` nanoseconds, after a Ring since the last call, or
  // spuriously. One thread awaits at a time; any thread rings.
  virtual void Await(int64_t /*nanos*/) {}
  virtual void Ring() {}

  // Returns the largest segment that it can expose, in bytes.
  virtual uintptr_t MaxSegment() const { return UINTPTR_MAX; }
  // Exposes the segment of one of this rank's endpoints, the destination of
  // that endpoint's Longs, to the network. From here on ranks that have the
  // result reach it. May fail on one rank alone; then the caller notifies the
  // others. First called for index 0. If making an endpoint fails on another
  // rank, it is called again with an empty segment, and later with another one.
  virtual absl::StatusOr<Exposed> Expose(EndpointIndex endpoint,
                                         const Segment& segment) = 0;
  // Provides the segments of the ranks' endpoints of index 0, and the results
  // of each rank's Expose, both by rank. Called before this rank polls or
  // sends. The segments outlive the network's use.
  virtual void Attach(std::span<const Segment> /*segments*/,
                      std::span<const Exposed> /*exposed*/) {}

  // Returns the network's native puts and gets, to segments of endpoints of
  // index 0; valid from Attach on. Returns null if it has none.
  virtual rma::Rma* rma() { return nullptr; }
  // Returns the network's native barrier; valid from Start on. Returns null, on
  // all ranks alike, if this job has none.
  virtual SplitBarrier* barrier() { return nullptr; }

  // Ensures, before the process ends, that sent messages arrive. Takes a
  // fraction of a second at most. patient: this process ends alone and the job
  // continues. Then there is no limit, except for messages to ranks that have
  // left: a peer that computes may have lost a message that must be repeated.
  // Runs no handler. Any thread, any time, also in signal handlers. Only Drain
  // itself, Report and the destructor are called afterwards.
  virtual void Drain(bool patient) = 0;

  // Prints, once, a report on the network's operation if a setting asks for it,
  // at its end. Takes no lock and allocates nothing: the end may have
  // interrupted any code.
  virtual void Report() const {}
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_NETWORK_H_
