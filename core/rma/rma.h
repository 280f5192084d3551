// Puts and gets that a network does by itself (remote memory access): its
// interface, on one page. A network that has it offers `rma()`
// (core/network/network.h), and extended/native.h sends transfers there;
// everything else goes by messages.
//
// A transfer is posted and completed later. Its record meanwhile is the
// network's: descriptors of a fixed number, none allocated on the way; where
// there is none left a post answers kRetry. The poster has counters, of which
// it gives the addresses, and which stay until they are over.
//
//   post --kPosted--> under way --source read--> under way --in place-->
//   complete
//     |                 sources: +1               sources: -1  complete: -1
//     |                 complete: +1
//     +--kDone: complete already, no counter was touched
//     `--kRetry: nothing has happened
//
// Completion. Polls of the link (am/link.h), of whichever lanes, take
// completions in and count; nothing else does. A put is complete when it is in
// place, visible to the target's loads and to gets of all ranks; a get when its
// destination is written. Order among transfers: none. link.Sleep returns for
// whatever is counted, a source that has been read as well as a completion, and
// when a post that was answered kRetry may find room. Where a transfer needs
// polls to go on, a post wakes a thread that went to sleep before it.
//
// Sources. The network copies what it can have copied sooner than told of (its
// inject limit), or what it must copy since it is not registered (its bounce
// buffers): then `sources` is not touched. It may take less than it is offered,
// for want of buffers or since it has a largest transfer: then the caller posts
// the rest.
//
// Threads. As of am::Link: under GASNET_PAR any number at once, otherwise one
// at a time. Clients' transfers are never posted in handlers. A link posts in
// Send, and so does the Long reply of a request's handler: what answers it
// kRetry must find room by polls for replies alone.
//
// Errors. A transfer that fails ends the job with a message that names what was
// transferred, how much of it, the peer, and what the network says.
#ifndef CORE_RMA_RMA_H_
#define CORE_RMA_RMA_H_

#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/rma/tuning.h"
#include "core/rma/under_way.h"

namespace gasnet::rma {

// Remote addresses are those of the target's address space and lie inside its
// segment; nbytes is not 0.
struct Put {
  Rank peer = 0;
  void* dest = nullptr;
  const void* src = nullptr;
  size_t nbytes = 0;
  UnderWay* complete = nullptr;
  // Null: the source stays as it is until the put is complete.
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
  size_t nbytes = 0;  // of the first ones; 0 for kRetry alone
};

// From how many bytes on transfers go this way; shorter ones go by messages.
// fill: up to how many, kMostFill at most, a memset is a put of them. A larger
// one is a message, which is as long whatever it fills.
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

  // Returns true if the peer's segment is reached so. Constant once the job is
  // attached.
  virtual bool Reaches(Rank peer) const = 0;

  // Constant once the job is attached.
  virtual const Thresholds& thresholds() const = 0;
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_RMA_H_
