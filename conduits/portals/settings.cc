#include "conduits/portals/settings.h"

#include <array>

#include "base/env.h"
#include "base/log.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr int64_t kMaxOperations = 1 << 20;
constexpr int64_t kMaxChunks = 1 << 20;
constexpr int64_t kMaxEvents = 1 << 20;
// The minimum value of the limit of operations under way at once. Two of these
// operations are for replies.
constexpr int64_t kMinOperations = 4;

constexpr std::array kChunks = {"1024", "2048"};
static_assert(2048 <= credits::kLargestChunk);

uint32_t Number(const char* name, int64_t def, int64_t least, int64_t most) {
  return static_cast<uint32_t>(EnvInt(name, def, least, most));
}

bool IsSet(const char* name) { return *EnvText(name, "") != '\0'; }

std::optional<uint32_t> NumberIfSet(const char* name, int64_t least,
                                    int64_t most) {
  if (!IsSet(name)) return std::nullopt;
  return Number(name, least, least, most);
}

// Reads old settings that no longer have an effect. Warns about the firehose
// settings among them.
void ReadDropped() {
  // This call only makes GASNET_VERBOSEENV report the variable.
  EnvBool("GASNET_PORTAL_ACCEL", false);
  for (const char* const name : {"GASNET_FIREHOSE_M", "GASNET_FIREHOSE_R"}) {
    if (IsSet(name) && IsLogRankZero()) Warn("%s has no effect", name);
  }
}

}  // namespace

PortalsSettings SettingsFromEnvironment(uint32_t ranks) {
  ReadDropped();
  PortalsSettings settings = {};
  settings.msg_limit = Number("GASNET_PORTAL_MSG_LIMIT", kOperations,
                              kMinOperations, kMaxOperations);
  settings.packed_long = EnvBool("GASNET_PORTAL_PACKED_LONG", true);
  settings.sb_chunks =
      Number("GASNET_PORTAL_SB_CHUNKS", kRequestChunks, 1, kMaxChunks);
  settings.rpl_chunks =
      Number("GASNET_PORTAL_RPL_CHUNKS", kReplyChunks, 1, kMaxChunks);
  settings.safe_limit =
      Number("GASNET_PORTAL_SAFE_LIMIT", kSafeEvents, 0, kMaxEvents);
  settings.am_limit =
      Number("GASNET_PORTAL_AM_LIMIT", kRequestEvents, 0, kMaxEvents);
  settings.sys_limit =
      Number("GASNET_PORTAL_SYS_LIMIT", kSystemEvents, 0, kMaxEvents);
  settings.chunk =
      EnvChoice("GASNET_PORTAL_CHUNK", kChunks, ranks > kManyRanks ? 0 : 1) == 0
          ? 1024
          : 2048;
  settings.iface = NumberIfSet("GASNET_PORTAL_IFACE", 0, INT32_MAX);
  settings.statistics = EnvBool("GASNET_PORTAL_STATISTICS", false);
  settings.credits =
      credits::SettingsFromEnvironment(credits::LeastCredits(settings.chunk));
  settings.registration = RegistrationFromEnvironment(settings.chunk);
  return settings;
}

}  // namespace gasnet::portals_conduit
