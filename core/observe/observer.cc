#include "core/observe/observer.h"

#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/env.h"
#include "base/log.h"

namespace gasnet::observe {
namespace {

Mask MaskOf(const char* variable) {
  const char* const text = EnvText(variable, "");
  Mask mask = Mask::All();
  if (*text != '\0' && !Mask::Parse(text, mask)) {
    Fatal("%s is '%s'; accepted: %s", variable, text, Mask::kSyntax);
  }
  return mask;
}

// Reads "0,2-4" or "*". Returns false if the text is no such list.
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

std::unique_ptr<Observer> Observer::Make(Rank rank, Rank ranks,
                                         std::string_view conduit,
                                         bool for_launcher) {
  const std::string_view path = EnvText("GASNET_STATSFILE", "");
  const bool to_file = !path.empty() && HasRank("GASNET_STATSNODES", rank);
  if (!to_file && !for_launcher) return nullptr;
  std::unique_ptr<Observer> made(new Observer(rank, ranks, conduit));
  made->SetStatisticsMask(MaskOf("GASNET_STATSMASK"));
  if (to_file) {
    const absl::Status opened = made->statistics_.Open(path);
    if (!opened.ok()) {
      Warn("GASNET_STATSFILE: %s", std::string(opened.message()).c_str());
      if (!for_launcher) return nullptr;
    }
  }
  return made;
}

Observer::Observer(Rank rank, Rank ranks, std::string_view conduit)
    : ranks_(ranks), statistics_(rank, ranks, conduit) {}

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
  auto* const made = new ThreadLog(ranks_, mask_);
  made->older = newest_.load(std::memory_order_relaxed);
  while (!newest_.compare_exchange_weak(made->older, made,
                                        std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  return *made;
}

void Observer::Report() {
  if (has_reported_.exchange(true)) return;
  WriteStatistics("at the end", /*reset=*/false);
}

}  // namespace gasnet::observe
