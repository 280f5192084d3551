#include "core/observe/observer.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/env.h"
#include "base/log.h"

namespace gasnet::observe {
namespace {

// The default size in bytes of the memory for a thread's newest events.
constexpr uint64_t kTraceBytes = uint64_t{4} << 20;

Mask MaskOf(const char* variable) {
  const char* const text = EnvText(variable, "");
  Mask mask = Mask::All();
  if (*text != '\0' && !Mask::Parse(text, mask)) {
    Fatal("%s is '%s'; accepted: %s", variable, text, Mask::kSyntax);
  }
  return mask;
}

// Reads a list like "0,2-4" or "*". Returns false if the text is not a list.
bool ReadRanks(std::string_view text, Rank rank, bool& has) {
  has = text == "*";
  if (has) return true;
  for (const std::string_view item : absl::StrSplit(text, ',')) {
    const std::vector<std::string_view> ends = absl::StrSplit(item, '-');
    uint32_t first;
    uint32_t last;
    if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first) ||
        !absl::SimpleAtoi(ends.back(), &last) || last < first) {
      return false;
    }
    has = has || (first <= rank && rank <= last);
  }
  return true;
}

// Returns true if the variable names this rank, or is not set.
bool HasRank(const char* variable, Rank rank) {
  const char* const text = EnvText(variable, "*");
  bool has = false;
  if (!ReadRanks(text, rank, has)) {
    Fatal("%s is '%s'; accepted: ranks and ranges, such as 0,2-4, or *",
          variable, text);
  }
  return has;
}

}  // namespace

bool Observer::IsTraced() { return *EnvText("GASNET_TRACEFILE", "") != '\0'; }

std::unique_ptr<Observer> Observer::Make(const TracedProcess& process,
                                         bool for_launcher) {
  // Makes no observer if nothing is observed, since an observer has memory for
  // each rank of the job.
  if (!for_launcher && *EnvText("GASNET_STATSFILE", "") == '\0' &&
      !IsTraced()) {
    return nullptr;
  }
  std::unique_ptr<Observer> made(new Observer(process));
  const bool has_statistics = made->StartStatistics(for_launcher);
  const bool has_trace = made->StartTrace(process);
  return has_statistics || has_trace ? std::move(made) : nullptr;
}

Observer::Observer(const TracedProcess& process)
    : rank_(process.rank),
      ranks_(process.ranks),
      life_(process.life),
      statistics_(process.rank, process.ranks, process.conduit),
      tracing_(process.rank) {}

// Returns true if statistics count anything.
bool Observer::StartStatistics(bool for_launcher) {
  const std::string_view path = EnvText("GASNET_STATSFILE", "");
  bool to_file = !path.empty() && HasRank("GASNET_STATSNODES", rank_);
  if (to_file) {
    const absl::Status opened = statistics_.Open(path, life_ > 0);
    to_file = opened.ok();
    if (!to_file) {
      Warn("GASNET_STATSFILE: %s", std::string(opened.message()).c_str());
    }
  }
  if (!to_file && !for_launcher) return false;
  SetStatisticsMask(MaskOf("GASNET_STATSMASK"));
  return true;
}

// Returns true if the trace records anything.
bool Observer::StartTrace(const TracedProcess& process) {
  const std::string_view path = EnvText("GASNET_TRACEFILE", "");
  if (path.empty() || !HasRank("GASNET_TRACENODES", rank_)) return false;
  const uint64_t bytes = EnvSize("GASNET_TRACESIZE", kTraceBytes);
  tracing_.SetMask(MaskOf("GASNET_TRACEMASK"));
  tracing_.SetLocal(EnvBool("GASNET_TRACELOCAL", true));
  const absl::Status opened = tracing_.Open(path, bytes, process);
  if (opened.ok()) return true;
  Warn("GASNET_TRACEFILE: %s", std::string(opened.message()).c_str());
  return false;
}

void Observer::BeginThread(ThreadLog& log) {
  TraceFile* const file = tracing_.file();
  if (file == nullptr) return;
  if (log.ring != nullptr) file->RemoveThread(*log.ring);
  log.ring = file->AddThread(static_cast<int32_t>(syscall(SYS_gettid)));
}

Observer::~Observer() {
  for (ThreadLog* log = newest_.load(); log != nullptr;) {
    ThreadLog* const older = log->older;
    delete log;
    log = older;
  }
}

void Observer::SetStatisticsMask(Mask mask) {
  mask_.store(mask.bits(), std::memory_order_relaxed);
  mask.Write(mask_text_);
}

ThreadLog& Observer::NewLog() {
  auto* const made = new ThreadLog(ranks_, mask_, tracing_);
  made->older = newest_.load(std::memory_order_relaxed);
  while (!newest_.compare_exchange_weak(made->older, made,
                                        std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  return *made;
}

ThreadLog& Observer::ServiceLog() {
  if (service_log_ == nullptr) {
    service_log_ = &NewLog();
    BeginThread(*service_log_);
  }
  return *service_log_;
}

void Observer::NameHandlers(const HandlerNames& names) {
  statistics_.NameHandlers(names);
  if (tracing_.file() != nullptr) tracing_.file()->NameHandlers(names);
}

void Observer::Report() {
  if (has_reported_.exchange(true)) return;
  WriteStatistics("at the end", /*reset=*/false);
}

}  // namespace gasnet::observe
