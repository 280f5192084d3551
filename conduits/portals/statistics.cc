#include "conduits/portals/statistics.h"

#include <stdio.h>

#include <algorithm>

namespace gasnet::portals_conduit {
namespace {

constexpr std::array kNames = {
    "puts",     "gets",      "atomics",    "requests",         "replies",
    "nothings", "packed",    "longs",      "no_credit",        "no_ticket",
    "no_chunk", "paused",    "no_reply",   "no_memory",        "refusals",
    "resent",   "shut",      "system",     "refreshes",        "bounced",
    "binds",    "releases",  "most_bound", "most_bound_bytes", "largest_bound",
    "most_sys", "most_safe", "most_am",
};
static_assert(kNames.size() == kCounted);

}  // namespace

const char* PortalsStatistics::NameOf(Counted what) {
  return kNames[static_cast<size_t>(what)];
}

void PortalsStatistics::Print(char* line, size_t size) const {
  size_t at = 0;
  for (size_t i = 0; i < kCounted && at < size; ++i) {
    const auto what = static_cast<Counted>(i);
    const int written =
        snprintf(line + at, size - at, "%s%s %llu", i == 0 ? "" : " ",
                 NameOf(what), static_cast<unsigned long long>((*this)[what]));
    at += static_cast<size_t>(std::max(written, 0));
  }
}

}  // namespace gasnet::portals_conduit
