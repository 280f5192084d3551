// The counts of all threads of a rank, added up.
#ifndef CORE_OBSERVE_TOTALS_H_
#define CORE_OBSERVE_TOTALS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/observe/call.h"
#include "core/observe/thread_log.h"
#include "core/observe/transfer_kind.h"
#include "core/rank.h"

namespace gasnet::observe {

// Times in nanoseconds. `least` is 0 if nothing was timed.
struct TotalTimes {
  uint64_t timed = 0;
  uint64_t sum = 0;
  uint64_t least = 0;
  uint64_t most = 0;

  void Add(const Durations& more, double scale);
};

struct CallTotal {
  uint64_t calls = 0;
  uint64_t bytes = 0;
  // `least` and `most` are those of the timed calls, including their waits.
  // `sum` is an estimate of the time of all calls without their waits.
  TotalTimes times;
  uint64_t waits = 0;
  uint64_t waiting = 0;
  uint64_t refused = 0;

  // Returns the time of all calls, including their waits.
  uint64_t time() const { return times.sum + waiting; }
};

struct HandlerTotal {
  uint64_t sent = 0;
  uint64_t sent_bytes = 0;
  uint64_t runs = 0;
  uint64_t bytes = 0;
  TotalTimes times;
};

struct TransferTotal {
  uint64_t posted = 0;
  uint64_t bytes = 0;
  uint64_t completed = 0;
  // `sum` is the time of `stood_for` transfers, the others of which were not
  // timed.
  TotalTimes times;
  uint64_t stood_for = 0;

  void Add(const TransferCounts& more);
  // Subtracts an earlier total. Leaves `least` and `most` as they are.
  void Subtract(const TransferTotal& before);
};

struct PeerTotal {
  uint64_t operations = 0;
  uint64_t bytes = 0;
};

struct Totals {
  explicit Totals(Rank ranks) : peers(ranks) {}

  // Sets all totals to the sums over a list of logs that begins with `newest`.
  // Allocates no memory.
  void Collect(const ThreadLog* newest);
  // Subtracts earlier totals. Leaves `least` and `most` as they are.
  void Subtract(const Totals& before);

  // the last element: events outside of calls
  std::array<CallTotal, kCalls + 1> calls = {};
  std::array<HandlerTotal, ThreadLog::kHandlers> handlers = {};
  std::array<TotalTimes, ThreadLog::kReasons> waits = {};
  std::array<TransferTotal, kTransferKinds> transfers = {};
  std::vector<PeerTotal> peers;
  uint32_t threads = 0;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TOTALS_H_
