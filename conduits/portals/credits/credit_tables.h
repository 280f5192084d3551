// The number of credits that a job of a given size starts with, and the receive
// buffers that back them.
//
// A buffer takes one message after another until less than a chunk is left. So
// credits cannot promise the last chunk.
//
// A buffer is reused when all messages in it have been handled. But the credits
// of each message go back with its reply. A serving thread may therefore hold a
// buffer for one message after the credits of all other messages in the buffer
// have gone back. So credits cannot promise one buffer for each server either:
//
//   total = (buffers - servers) * (chunks per buffer - 1) * chunk / 256
//
// With one server this is the rule of the original conduit. This conduit
// ensures that at most `servers` threads are between taking a request's event
// and the end of its handler.
#ifndef CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_
#define CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "conduits/portals/credits/settings.h"

namespace gasnet::portals_conduit::credits {

struct StartingCredits {
  uint32_t per_node;
  uint32_t bank;

  // Returns the credits of a job with `nodes` nodes, from a table. Interpolates
  // between two rows of the table by the logarithm of the number of nodes.
  // `nodes` counts this rank and the ranks that may send requests to it. In
  // this conduit these are all ranks of the job.
  static StartingCredits For(uint32_t nodes);
};

struct BufferPlan {
  uint16_t per_node = 0;
  uint32_t bank = 0;
  uint32_t buffers = 0;
  uint32_t chunks_per_buffer = 0;

  // The number of credits, lent and banked, at the start: total = peers *
  // per_node + bank.
  uint64_t total = 0;
  // The size of one buffer in bytes.
  size_t buffer_bytes = 0;
};

// Plans the receive buffers.
//
// - `peers`: the number of peers. In this conduit the peers are all other ranks
//   of the job, even those that share memory with this rank.
// - `chunk`: the size of the largest message in bytes, a power of two from 512
//   to 2048.
// - `servers`: the number of threads that serve at once, at least 1.
//
// GASNET_PORTAL_AMRECV_SPACE, if set, is the memory for the buffers. Memory
// beyond the peers' credits goes to the bank. If there is too little memory,
// the bank shrinks first, and then the peers' credits. Fails if there is no
// room for one message of maximum size from each peer. The error names the
// smallest value that is accepted.
absl::StatusOr<BufferPlan> PlanBuffers(uint32_t peers, size_t chunk,
                                       uint32_t servers,
                                       const CreditSettings& settings);

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_
