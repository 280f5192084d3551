// The settings of credits, from the environment. docs/ENVIRONMENT.md has each
// variable.
#ifndef CONDUITS_PORTALS_CREDITS_SETTINGS_H_
#define CONDUITS_PORTALS_CREDITS_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "conduits/portals/credits/tuning.h"

namespace gasnet::portals_conduit::credits {

enum class Mode : uint8_t {
  kOff,      // no credits: a full receiver refuses, and recovers
  kStatic,   // a peer keeps its credits of the start
  kDynamic,  // credits move to the peers that communicate
};

struct CreditSettings {
  // GASNET_PORTAL_FLOW_CONTROL, GASNET_PORTAL_DYNAMIC_CREDITS
  Mode mode = Mode::kDynamic;
  // GASNET_PORTAL_MAX_CRED_PER_NODE
  uint16_t max_per_node = kMaxPerNode;
  // GASNET_PORTAL_EPOCH_DURATION, in requests
  uint32_t epoch_duration = kEpochRequests;
  // GASNET_PORTAL_LENDER_LIMIT and GASNET_PORTAL_REVOKE_LIMIT, in credits for
  // each epoch.
  uint16_t lender_limit = kLentInEpoch;
  uint16_t revoke_limit = kRevokedInEpoch;
  // GASNET_PORTAL_NUM_SCAVENGE, the number of ranks asked at once.
  uint16_t num_scavenge = kAskedAtOnce;
  // If one of these three is not set, a table decides (credit_tables.h).
  std::optional<uint16_t> per_node;       // GASNET_PORTAL_CRED_PER_NODE
  std::optional<uint32_t> bank;           // GASNET_PORTAL_BANKED_CREDITS
  std::optional<uint64_t> receive_space;  // GASNET_PORTAL_AMRECV_SPACE, bytes
  bool statistics = false;                // GASNET_PORTAL_CREDIT_STATS
  // GASNET_PORTAL_CREDIT_STATS_FILE; may contain %r
  std::string statistics_file;
};

// Reads the settings. `least`: the credits that every peer must have
// (LeastCredits). Ends the job with a message if a variable has an invalid
// value.
CreditSettings SettingsFromEnvironment(uint16_t least);

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_SETTINGS_H_
