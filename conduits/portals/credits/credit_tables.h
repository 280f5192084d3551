// The number of credits: those that a job of a size starts with, and the
// receive buffers that keep the promise.
//
// A buffer takes messages one behind the other until less than a chunk is left,
// so its last chunk promises nothing. It is refreshed when all that it holds
// has been handled, and credits go back with each reply: every thread that
// serves requests may hold a buffer for one message while all else in it has
// been paid back. So as many buffers as threads serve at once promise nothing
// either:
//
//   total = (buffers - servers) * (chunks per buffer - 1) * chunk / 256
//
// With one server this is the rule of old. The conduit sees to it that no more
// threads than `servers` are between taking a request's event and the end of
// its handler.
#ifndef CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_
#define CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "conduits/portals/credits/settings.h"

namespace gasnet::portals::credits {

struct StartingCredits {
  uint32_t per_node;
  uint32_t bank;

  // Of a job with so many nodes: a table, and between its rows what is there in
  // proportion to the logarithm of their number. Nodes are the ranks that may
  // send requests to this one, and this one: of the conduit all of the job.
  static StartingCredits For(uint32_t nodes);
};

struct BufferPlan {
  uint16_t per_node = 0;
  uint32_t bank = 0;
  uint32_t buffers = 0;
  uint32_t chunks_per_buffer = 0;

  // Credits lent and banked at the start: total = peers * per_node + bank.
  uint64_t total = 0;
  // Bytes of one.
  size_t buffer_bytes = 0;
};

// For so many peers (of the conduit all other ranks of the job, also those that
// share memory with this one), whose messages are of one chunk (a power of two
// from 512 to 2048, in bytes) at most, and so many threads that serve at once
// (from 1).
//
// GASNET_PORTAL_AMRECV_SPACE decides where it is set: what it has room for
// beyond the peers' credits goes to the bank, and where it has less the bank
// shrinks, then the peers' credits. Fails, and names the least, where it has no
// room for one largest message of each.
absl::StatusOr<BufferPlan> PlanBuffers(uint32_t peers, size_t chunk,
                                       uint32_t servers,
                                       const Settings& settings);

}  // namespace gasnet::portals::credits

#endif  // CONDUITS_PORTALS_CREDITS_CREDIT_TABLES_H_
