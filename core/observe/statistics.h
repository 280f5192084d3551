// The statistics of a rank, as text (GASNET_STATSFILE).
// docs/design/observing.md has an example.
//
// Write may be called at the end of the process, on any thread, even if that
// thread has interrupted another call of Write. Write allocates no memory, and
// gives up if the interrupted call does not end soon.
#ifndef CORE_OBSERVE_STATISTICS_H_
#define CORE_OBSERVE_STATISTICS_H_

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/observe/handler_names.h"
#include "core/observe/mask.h"
#include "core/observe/output.h"
#include "core/observe/thread_log.h"
#include "core/observe/totals.h"
#include "core/rank.h"

namespace gasnet::observe {

class Statistics {
 public:
  // conduit: the conduit's name.
  Statistics(Rank rank, Rank ranks, std::string_view conduit);

  // Opens the file (output.h).
  absl::Status Open(std::string_view path, bool append = false) {
    return output_.Open(path, rank_, append);
  }

  // Sets the names of the library's handlers, which must outlive this object.
  // Called before the first message; reports may be written at the same time.
  void NameHandlers(const HandlerNames& names) {
    handler_names_.store(&names, std::memory_order_release);
  }

  // Writes all counts since the start, or since the last reset. Then resets
  // them if `reset` is true. when: the occasion, for the report's first line,
  // such as "on request".
  void Write(const ThreadLog* newest, Mask mask, const char* when, bool reset);
  // Writes a line of text for the client (GASNETT_STATS_PRINTF).
  void PrintLine(const char* format, va_list args);

  // Collect() returns the counts since the start or the last reset, and keeps
  // other threads out until EndCollect(). Returns null if another thread does
  // not finish with the counts soon.
  const Totals* Collect(const ThreadLog* newest);
  void EndCollect() { busy_.store(false, std::memory_order_release); }

  // Returns the nanoseconds since the start or the last reset.
  int64_t elapsed() const;

 private:
  // Room for the index of a handler that has no name.
  using HandlerDigits = std::array<char, 8>;

  bool Begin();
  void PrintHead(Mask mask, const char* when);
  void PrintCalls();
  void PrintHandlers();
  void PrintSent();
  const char* HandlerName(size_t index, HandlerDigits& digits) const;
  void PrintWaits();
  void PrintTransfers();
  void PrintPeers();

  const Rank rank_;
  const std::string conduit_;
  Output output_;
  std::atomic<const HandlerNames*> handler_names_{nullptr};
  std::atomic<bool> busy_{false};
  int64_t since_;
  Totals totals_;
  Totals before_;  // the counts at the last reset
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_STATISTICS_H_
