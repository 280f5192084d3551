// The interface of a network's native puts, gets and atomics (remote memory
// access). A network with native transfers offers `rma()`
// (core/network/network.h), and extended/native.h sends transfers there. All
// other transfers use messages.
//
// A transfer is posted, and completes later. Until then it occupies a
// descriptor of the network. The network has a fixed number of descriptors. If
// no descriptor is free, a post returns kRetry. The poster passes the addresses
// of its counters. The counters must live until the operations that they count
// are over.
//
//     post --kPosted--> under way --source read--> .. --in place--> complete
//       |                 sources: +1    sources: -1    complete: -1
//       |                 complete: +1
//       +--kDone: already complete, no counter was touched
//       `--kRetry: nothing has happened
//
// Completion. Only polls of the link (am/link.h), of any lanes, receive
// completions and count them. A put is complete when its data is visible to the
// target's loads and to gets of all ranks. A get is complete when its
// destination is written. Transfers have no order among each other. link.Sleep
// returns for every counted event (source read or completion), and when a
// refused post may find room. If a transfer needs polls to progress, the post
// of the transfer wakes a sleeping thread.
//
// Sources. The network copies a source up to its inject limit, if copying is
// faster than reporting later that the source was read. A source that is not
// registered must go through the network's bounce buffers. In both cases
// `sources` is not touched. The network may accept fewer bytes than offered, if
// buffers are short or a transfer has a maximum size. The caller then posts the
// rest.
//
// Atomics. A network may also perform atomic operations (atomic.h). They must
// be coherent: atomic towards the atomic instructions of processors on the same
// word, since a rank that maps the word uses those, and so do the handlers of
// messages. An atomic that is complete has changed the word, for the target's
// loads too, and its result is in place. Stores of the poster before
// the post are visible to a rank that sees the changed word. If the network
// cannot promise all that for a peer, atomics on its segment are messages.
//
// Threads. The rules are those of am::Link: under GASNET_PAR any number of
// threads may post at once, otherwise one at a time. Clients' transfers are
// never posted in handlers. But a handler's Long reply posts its payload, in
// the link's Send. So if a post returns kRetry, polling for replies alone must
// be able to make room.
//
// Records. The network's record of a transfer has a Completion (completion.h).
// It counts the transfer, and shows it to statistics and traces. They show an
// atomic as a get if it fetches, otherwise as a put.
//
// Errors. A transfer that fails ends the job with a message that names the
// transfer, its size, the peer, and the network's reason.
#ifndef CORE_RMA_RMA_H_
#define CORE_RMA_RMA_H_

#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/rma/atomic.h"
#include "core/rma/pending_count.h"
#include "core/rma/tuning.h"

namespace gasnet::rma {

// A put. `dest` is an address in the target's address space, inside the
// target's segment. nbytes is not 0.
struct Put {
  Rank peer = 0;
  void* dest = nullptr;
  const void* src = nullptr;
  size_t nbytes = 0;
  PendingCount* complete = nullptr;
  // Null if the poster does not change the source before the put is complete.
  PendingCount* sources = nullptr;
};
struct Get {
  Rank peer = 0;
  void* dest = nullptr;
  const void* src = nullptr;
  size_t nbytes = 0;
  PendingCount* complete = nullptr;
};

enum class PostState : uint8_t { kDone, kPosted, kRetry };

struct Posted {
  PostState state = PostState::kRetry;
  // accepted bytes from the transfer's start; 0 only with kRetry
  size_t nbytes = 0;
};

// The sizes in bytes from which puts and gets are native. Smaller transfers use
// messages. fill: the size of the largest memset that is done as a put, at most
// kMaxFill. A larger memset is a message of constant length.
struct Thresholds {
  size_t put = 1;
  size_t get = 1;
  size_t fill = kMaxFill;
};

class Rma {
 public:
  virtual ~Rma() = default;

  virtual Posted Post(const Put& put) = 0;
  virtual Posted Post(const Get& get) = 0;

  // Returns true if native transfers reach the peer's segment. The result is
  // constant once the job is attached.
  virtual bool Reaches(Rank peer) const = 0;

  // Returns the thresholds, which are constant once the job is attached.
  virtual const Thresholds& thresholds() const = 0;

  // Returns true if the network performs atomics on the peer's segment. The
  // result is constant once the job is attached.
  virtual bool HasAtomics(Rank /*peer*/) const { return false; }
  // Posts an atomic on a peer that HasAtomics(). An atomic that is kDone has
  // stored its result, and has not touched the counter.
  virtual PostState PostAtomic(const Atomic& /*atomic*/) {
    return PostState::kRetry;
  }
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_RMA_H_
