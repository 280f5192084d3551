// A network carries messages to other hosts, as a conduit writes it: its
// interface, on one page. link.h makes an am::Link of it and the ranks of this
// host.
//
// Each message, transfer or poll of a network costs one virtual call. Constants
// are asked for once.
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

// The abilities of a network beyond the least. Asked once, when it has started.
struct Capabilities {
  // Longs from there may come without an address (am/link.h).
  bool lands = false;
  // Some messages take several calls of Send (am/link.h).
  bool sends_in_steps = false;
  // It waits by itself, in place of a descriptor to sleep on (Await).
  bool awaits = false;
  // It has work by the clock (ServeTimers).
  bool has_timers = false;
};

// A rank's word to all others about its segment (the key of registered memory),
// as each network writes it.
class Exposed {
 public:
  Exposed() = default;

  template <class T>
  static Exposed Of(const T& word) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMost);
    Exposed exposed;
    std::memcpy(exposed.bytes_.data(), &word, sizeof(T));
    return exposed;
  }
  template <class T>
  T As() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMost);
    T word;
    std::memcpy(&word, bytes_.data(), sizeof(T));
    return word;
  }

 private:
  static constexpr size_t kMost = 32;
  std::array<std::byte, kMost> bytes_{};
};

// The result of a poll.
struct Polled {
  unsigned handled = 0;  // messages
  // It took anything in, be it only room to send: another thread may wait for
  // that.
  bool took_in = false;
};

class Network {
 public:
  // When no rank sends any more. Gives back all that the network has taken.
  virtual ~Network() = default;

  // May fail on one rank alone; then the caller notifies the others.
  virtual absl::Status Start() = 0;
  virtual Capabilities capabilities() const = 0;

  // As of am::Link, to ranks that share no memory with this one. The message
  // names the endpoint that it is for, and that which it comes from.
  virtual am::Post Send(Rank peer, am::Lane lane,
                        const am::Message& message) = 0;

  // As of am::Link. Messages for other endpoints than the dispatcher's go to
  // theirs (Dispatcher::Route). again: by a waiting thread that has done
  // nothing since its last poll, a moment ago, found nothing.
  virtual Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                      bool again) = 0;

  // Largest payloads in bytes, once it is started. That of a Long may grow when
  // it is attached.
  virtual size_t MaxMedium() const = 0;
  virtual size_t MaxLong() const = 0;
  // Larger Mediums to the peer are put together there (am/link.h). May change
  // at any time.
  virtual size_t WholeMedium(Rank /*peer*/) const { return SIZE_MAX; }

  // The work by the clock, as a progress function (am/progress.h).
  virtual void ServeTimers() {}
  // When there is something to do by the monotonic clock, or kNever. May be
  // earlier than necessary.
  virtual int64_t NextDeadline() const { return kNever; }

  // Readable when a poll would find something; -1 where there is no such
  // descriptor: then sleepers look when NextDeadline says, or, where it says
  // kNever, now and then.
  virtual int fd() const { return -1; }
  // Of a network that awaits: returns when a poll would find something, after
  // so many nanoseconds, or after a Ring that came since it was last called; or
  // spuriously. One thread awaits at a time; any rings.
  virtual void Await(int64_t /*nanos*/) {}
  virtual void Ring() {}

  // The largest segment that it can expose, in bytes.
  virtual uintptr_t MaxSegment() const { return UINTPTR_MAX; }
  // Makes the segment of one of this rank's endpoints, where Longs to that may
  // go, known to the network: from here on others reach it, once they have what
  // this returns. May fail on one rank alone; then the caller notifies the
  // others. First that of index 0; again with an empty segment, and later with
  // another one, where making an endpoint has failed on another rank.
  virtual absl::StatusOr<Exposed> Expose(EndpointIndex endpoint,
                                         const Segment& segment) = 0;
  // Where the segments of the ranks' endpoints of index 0 are, by rank, and
  // what each has returned from Expose. Before this rank polls or sends. The
  // segments stay.
  virtual void Attach(std::span<const Segment> /*segments*/,
                      std::span<const Exposed> /*exposed*/) {}

  // Puts and gets of its own, to segments of endpoints of index 0; valid from
  // Attach on. Null: it has none.
  virtual rma::Rma* rma() { return nullptr; }
  // A barrier of its own; valid from Start on. Null, on all ranks alike, where
  // this job has none.
  virtual SplitBarrier* barrier() { return nullptr; }

  // Before the process ends: sees to it that what was sent arrives, for a
  // fraction of a second at most. patient: it ends alone and the job goes on;
  // then without a limit, since a peer that computes may have lost what would
  // have to be sent again, but for what is to ranks that have left. Runs no
  // handler. Any thread, any time, signal handlers included; nothing but
  // itself, Report and the destructor is called afterwards.
  virtual void Drain(bool patient) = 0;

  // Prints what it was asked to report of its life, at the end of that, once.
  // Takes no lock and allocates nothing: the end may have interrupted anything.
  virtual void Report() const {}
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_NETWORK_H_
