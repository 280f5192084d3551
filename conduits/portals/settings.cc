#include "conduits/portals/settings.h"

#include <array>

#include "base/env.h"

namespace gasnet::portals {
namespace {

constexpr int64_t kMostOperations = 1 << 20;
constexpr int64_t kMostChunks = 1 << 20;
constexpr int64_t kMostEvents = 1 << 20;
constexpr int64_t kMostCredits = 1 << 20;
// Two of them are for replies.
constexpr int64_t kLeastOperations = 4;

constexpr std::array kChunks = {"1024", "2048"};
constexpr uint32_t kManyRanks = 1024;

uint32_t Number(const char* name, int64_t def, int64_t least, int64_t most) {
  return static_cast<uint32_t>(EnvInt(name, def, least, most));
}

bool IsSet(const char* name) {
  const char* const value = GetEnv(name);
  return value != nullptr && *value != '\0';
}

std::optional<uint32_t> NumberIfSet(const char* name, int64_t least,
                                    int64_t most) {
  if (!IsSet(name)) return std::nullopt;
  return Number(name, least, least, most);
}

}  // namespace

Settings SettingsFromEnvironment(uint32_t ranks) {
  Settings settings = {};
  settings.msg_limit =
      Number("GASNET_PORTAL_MSG_LIMIT", 250, kLeastOperations, kMostOperations);
  settings.packed_long = EnvBool("GASNET_PORTAL_PACKED_LONG", true);
  settings.flow_control = EnvBool("GASNET_PORTAL_FLOW_CONTROL", true);
  settings.sb_chunks = Number("GASNET_PORTAL_SB_CHUNKS", 512, 1, kMostChunks);
  settings.rpl_chunks = Number("GASNET_PORTAL_RPL_CHUNKS", 64, 1, kMostChunks);
  settings.safe_limit = Number("GASNET_PORTAL_SAFE_LIMIT", 12, 0, kMostEvents);
  settings.am_limit = Number("GASNET_PORTAL_AM_LIMIT", 8, 0, kMostEvents);
  settings.sys_limit = Number("GASNET_PORTAL_SYS_LIMIT", 0, 0, kMostEvents);
  settings.chunk =
      EnvChoice("GASNET_PORTAL_CHUNK", kChunks, ranks > kManyRanks ? 0 : 1) == 0
          ? 1024
          : 2048;
  settings.cred_per_node =
      NumberIfSet("GASNET_PORTAL_CRED_PER_NODE", 1, kMostCredits);
  settings.banked_credits =
      NumberIfSet("GASNET_PORTAL_BANKED_CREDITS", 0, kMostCredits);
  if (IsSet("GASNET_PORTAL_AMRECV_SPACE")) {
    settings.amrecv_space = EnvSize("GASNET_PORTAL_AMRECV_SPACE", 0);
  }
  settings.iface = NumberIfSet("GASNET_PORTAL_IFACE", 0, INT32_MAX);
  return settings;
}

}  // namespace gasnet::portals
