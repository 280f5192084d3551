#include "export/coll/tuner_state.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace gasnet::exported {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

constexpr const char* kNames[coll::kKinds] = {
    "broadcast", "scatter",  "gather",     "gather_all",
    "exchange",  "reduce",   "reduce_all", "prefix_reduce",
    "permute",   "scatterv", "gatherv",    "gather_allv",
    "exchangev", "put",      "get",        "barrier"};

}  // namespace

void AppendToFile(const char* call, const char* file, const std::string& text) {
  if (file == nullptr) return;
  const File to(std::fopen(file, "a"));
  if (to != nullptr &&
      std::fwrite(text.data(), 1, text.size(), to.get()) == text.size() &&
      std::fflush(to.get()) == 0)
    return;
  Warn("%s: cannot write %s: %s", call, file, std::strerror(errno));
}

std::string ReadFile(const char* call, const char* file) {
  const File from(std::fopen(file, "r"));
  std::string text;
  char piece[4096];
  while (from != nullptr) {
    const size_t got = std::fread(piece, 1, sizeof(piece), from.get());
    text.append(piece, got);
    if (got == 0) break;
  }
  if (from == nullptr || std::ferror(from.get()) != 0) {
    Fatal("%s: cannot read %s: %s", call, file, std::strerror(errno));
  }
  return text;
}

void ReadSettings(const char* call, const char* file, const std::string& text,
                  size_t max_medium, coll::CollSettings& settings) {
  std::string_view rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string wrong =
        coll::ReadSetting(rest.substr(0, end), max_medium, settings);
    if (!wrong.empty()) {
      Fatal("%s: line %d of %s: %s", call, line, file, wrong.c_str());
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::string UseLine(coll::CollectiveKind kind, const CollUse& use) {
  // Relaxed: nothing else depends on these counts.
  const uint64_t calls = use.calls.load(std::memory_order_relaxed);
  if (calls == 0) return "";
  char line[96];
  std::snprintf(line, sizeof(line), "%s %" PRIu64 " calls %" PRIu64 " bytes\n",
                kNames[static_cast<unsigned>(kind)], calls,
                use.nbytes.load(std::memory_order_relaxed));
  return line;
}

}  // namespace gasnet::exported
