#include "conduits/portals/credits/settings.h"

#include "base/env.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"

namespace gasnet::portals_conduit::credits {
namespace {

constexpr int64_t kMaxEpoch = 1 << 30;
constexpr int64_t kMaxBank = 1 << 30;

bool IsSet(const char* name) { return *EnvText(name, "") != '\0'; }

uint16_t Small(const char* name, int64_t def, int64_t least,
               int64_t most = UINT16_MAX - kMaxExtra) {
  return static_cast<uint16_t>(EnvInt(name, def, least, most));
}

Mode ModeFromEnvironment() {
  const bool on = EnvBool("GASNET_PORTAL_FLOW_CONTROL", true);
  const bool dynamic = EnvBool("GASNET_PORTAL_DYNAMIC_CREDITS", true);
  if (!on) return Mode::kOff;
  return dynamic ? Mode::kDynamic : Mode::kStatic;
}

}  // namespace

CreditSettings SettingsFromEnvironment(uint16_t least) {
  CreditSettings settings;
  settings.mode = ModeFromEnvironment();
  settings.max_per_node =
      Small("GASNET_PORTAL_MAX_CRED_PER_NODE", settings.max_per_node, least);
  settings.epoch_duration = static_cast<uint32_t>(EnvInt(
      "GASNET_PORTAL_EPOCH_DURATION", settings.epoch_duration, 1, kMaxEpoch));
  settings.lender_limit =
      Small("GASNET_PORTAL_LENDER_LIMIT", settings.lender_limit, 0);
  settings.revoke_limit =
      Small("GASNET_PORTAL_REVOKE_LIMIT", settings.revoke_limit, 0);
  settings.num_scavenge = Small("GASNET_PORTAL_NUM_SCAVENGE",
                                settings.num_scavenge, 1, Revokes::kMax);
  if (IsSet("GASNET_PORTAL_CRED_PER_NODE")) {
    settings.per_node = Small("GASNET_PORTAL_CRED_PER_NODE", least, least,
                              settings.max_per_node);
  }
  if (IsSet("GASNET_PORTAL_BANKED_CREDITS")) {
    settings.bank = static_cast<uint32_t>(
        EnvInt("GASNET_PORTAL_BANKED_CREDITS", 0, 0, kMaxBank));
  }
  if (IsSet("GASNET_PORTAL_AMRECV_SPACE")) {
    settings.receive_space = EnvSize("GASNET_PORTAL_AMRECV_SPACE", 0);
  }
  settings.statistics = EnvBool("GASNET_PORTAL_CREDIT_STATS", false);
  settings.statistics_file =
      EnvText("GASNET_PORTAL_CREDIT_STATS_FILE", "gasnet_portal_credits.%r");
  return settings;
}

}  // namespace gasnet::portals_conduit::credits
