#include "core/segment_limit.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "base/env.h"
#include "base/env_parse.h"
#include "base/log.h"
#include "core/tuning.h"

namespace gasnet {
namespace {

constexpr char kName[] = "GASNET_MAX_SEGSIZE";
constexpr uint64_t kMinBytes = 4096;

// Removes a trailing "/P" or "/H" from the text, and sets `per_host`. Returns
// false if another scope follows the slash.
bool TakeScope(std::string_view& text, bool& per_host) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view scope = text.substr(slash + 1);
  text = text.substr(0, slash);
  per_host = absl::EqualsIgnoreCase(scope, "H");
  return per_host || absl::EqualsIgnoreCase(scope, "P");
}

}  // namespace

std::optional<SegmentLimit> SegmentLimit::Parse(std::string_view text) {
  SegmentLimit limit;
  if (!TakeScope(text, limit.per_host)) return std::nullopt;
  const std::optional<double> number = ParseDouble(text);
  if (number && *number > 0 && *number <= 1) {
    limit.fraction = *number;
    return limit;
  }
  const std::optional<uint64_t> bytes = ParseSize(text);
  // Refuses a number below kMinBytes. It probably lacks its unit, and would
  // leave no segment.
  if (!bytes || (*bytes > 0 && *bytes < kMinBytes)) return std::nullopt;
  limit.bytes = *bytes;
  return limit;
}

uint64_t SegmentLimit::PerRank(uint64_t free_bytes, uint32_t ranks_on_host,
                               uint64_t page) const {
  const uint64_t share = free_bytes / ranks_on_host;
  uint64_t mine;
  if (fraction > 0) {
    mine = static_cast<uint64_t>(static_cast<double>(free_bytes) * fraction);
    mine /= per_host ? ranks_on_host : 1;
  } else {
    mine = per_host ? bytes / ranks_on_host : bytes;
  }
  return std::min(mine, share) / page * page;
}

SegmentLimit SegmentLimitFromEnvironment() {
  const char* const text = EnvText(kName, kDefaultSegmentLimit);
  const std::optional<SegmentLimit> limit = SegmentLimit::Parse(text);
  if (!limit) {
    Fatal(
        "%s is '%s'; accepted is a size such as 512M, 0 or at least 4096, or a "
        "fraction of the host's free memory such as 0.85, followed by /P (for "
        "each rank) or /H (for all ranks of a host together)",
        kName, text);
  }
  return *limit;
}

}  // namespace gasnet
