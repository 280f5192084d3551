// The interface of puts and gets that a network does by itself (remote memory
// access). A network that has it offers `rma()` (core/network/network.h), and
// extended/native.h sends transfers there. All other transfers go by messages.
//
// A transfer is posted, and completes later. Meanwhile its record is the
// network's: a fixed number of descriptors, none allocated on the way. If none
// is left a post returns kRetry. The poster passes the addresses of its
// counters, which stay until they are over.
//
// post --kPosted--> under way --source read--> under way --in place--> complete
//   |                 sources: +1               sources: -1  complete: -1
//   |                 complete: +1
//   +--kDone: complete already, no counter was touched
//   `--kRetry: nothing has happened
//
// Completion. Polls of the link (am/link.h), of any lanes, receive completions
// and count them; nothing else does. A put is complete when it is in place,
// visible to the target's loads and to gets of all ranks; a get when its
// destination is written. Transfers have no order among each other. link.Sleep
// returns for every counted event, source read or completion, and when a
// refused post may find room. If a transfer needs polls to progress, a post
// wakes a thread that went to sleep before it.
//
// Sources. The network copies a source if that is faster than reporting later
// that it was read (its inject limit), or if it must, since the source is not
// registered (its bounce buffers). Then `sources` is not touched. It may take
// less than it is offered, if buffers are short or since it has a largest
// transfer. Then the caller posts the rest.
//
// Threads. The rules are those of am::Link: under GASNET_PAR any number at
// once, otherwise one at a time. Clients' transfers are never posted in
// handlers. A link posts in Send, also for the Long reply of a request's
// handler. So if a post returns kRetry, polls for replies alone must be able to
// make room.
//
// Errors. A transfer that fails ends the job with a message that names the
// transfer, its size, the peer, and the network's reason.
#ifndef CORE_RMA_RMA_H_
#define CORE_RMA_RMA_H_

#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/rma/tuning.h"
#include "core/rma/under_way.h"

namespace gasnet::rma {

// Remote addresses are in the target's address space and inside its segment;
// nbytes is not 0.
struct Put {
  Rank peer = 0;
  void* dest = nullptr;
  const void* src = nullptr;
  size_t nbytes = 0;
  UnderWay* complete = nullptr;
  // Null if the source stays as it is until the put is complete.
  UnderWay* sources = nullptr;
};
struct Get {
  Rank peer = 0;
  void* dest = nullptr;
  const void* src = nullptr;
  size_t nbytes = 0;
  UnderWay* complete = nullptr;
};

enum class PostState : uint8_t { kDone, kPosted, kRetry };

struct Posted {
  PostState state = PostState::kRetry;
  size_t nbytes = 0;  // the first ones; 0 only with kRetry
};

// The least bytes of transfers that go this way; shorter ones go by messages.
// fill: the most bytes of a memset that is done as a put, at most kMostFill. A
// larger memset is a message, whose length does not depend on its size.
struct Thresholds {
  size_t put = 1;
  size_t get = 1;
  size_t fill = kMostFill;
};

class Rma {
 public:
  virtual ~Rma() = default;

  virtual Posted Post(const Put& put) = 0;
  virtual Posted Post(const Get& get) = 0;

  // Returns true if the peer's segment is reached this way. Constant once the
  // job is attached.
  virtual bool Reaches(Rank peer) const = 0;

  // Constant once the job is attached.
  virtual const Thresholds& thresholds() const = 0;
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_RMA_H_
