// The observer of this process: its statistics (GASNET_STATSFILE) and its trace
// (GASNET_TRACEFILE), according to the settings. The runtime owns the observer,
// and the observer owns the logs of all threads. seam.h has the functions that
// observe calls, handlers and waits.
//
// Any thread may call, unless noted.
#ifndef CORE_OBSERVE_OBSERVER_H_
#define CORE_OBSERVE_OBSERVER_H_

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <memory>

#include "core/observe/handler_names.h"
#include "core/observe/mask.h"
#include "core/observe/statistics.h"
#include "core/observe/thread_log.h"
#include "core/observe/tracing.h"
#include "core/rank.h"

namespace gasnet::observe {

class Observer {
 public:
  // Returns an observer if the settings ask for statistics or a trace, else
  // null. Ends the process with a message if a setting is bad. Warns about a
  // file that cannot be opened. for_launcher: true if the launcher wants the
  // counts.
  static std::unique_ptr<Observer> Make(const TracedProcess& process,
                                        bool for_launcher);
  // Returns true if the settings ask for a trace of some ranks. In the first
  // life of a job all its ranks have the same settings.
  static bool IsTraced();
  // Called when no thread uses a log any more.
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  ThreadLog& NewLog();
  // Notes that the calling thread uses the log from now on.
  void BeginThread(ThreadLog& log);
  // Returns the log of the network's thread that serves requests by itself
  // (core/am/unattended.h). Called by that thread only.
  ThreadLog& ServiceLog();

  // The groups that statistics count. A change takes effect for calls that
  // begin later. One thread at a time may set them and use the text.
  Mask statistics_mask() const {
    return Mask::FromBits(mask_.load(std::memory_order_relaxed));
  }
  const char* statistics_mask_text() const { return mask_text_.data(); }
  void SetStatisticsMask(Mask mask);

  // WriteStatistics() and PrintToStatistics() call the functions of Statistics
  // (statistics.h).
  void WriteStatistics(const char* when, bool reset) {
    statistics_.Write(newest(), statistics_mask(), when, reset);
  }
  void PrintToStatistics(const char* format, va_list args) {
    statistics_.PrintLine(format, args);
  }
  // Sets the names of the library's handlers, which must outlive this object.
  // Called before the first message.
  void NameHandlers(const HandlerNames& names);

  Statistics& statistics() { return statistics_; }
  Tracing& tracing() { return tracing_; }
  const ThreadLog* newest() const {
    return newest_.load(std::memory_order_acquire);
  }

  // Writes, once, everything that is due at the end of the process or of the
  // runtime. Takes no lock and allocates no memory.
  void Report();

 private:
  explicit Observer(const TracedProcess& process);
  bool StartStatistics(bool for_launcher);
  bool StartTrace(const TracedProcess& process);

  const Rank rank_;
  const Rank ranks_;
  const uint32_t life_;
  std::atomic<uint32_t> mask_{0};
  Mask::Text mask_text_ = {};
  std::atomic<ThreadLog*> newest_{nullptr};
  // Null until the network's thread serves its first request.
  ThreadLog* service_log_ = nullptr;
  std::atomic<bool> has_reported_{false};
  Statistics statistics_;
  Tracing tracing_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_OBSERVER_H_
