// The settings of the portals conduit, from the environment.
// docs/ENVIRONMENT.md describes each variable. No other file reads these
// variables.
#ifndef CONDUITS_PORTALS_SETTINGS_H_
#define CONDUITS_PORTALS_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "conduits/portals/credits/settings.h"
#include "conduits/portals/registration_settings.h"

namespace gasnet::portals_conduit {

struct PortalsSettings {
  uint32_t msg_limit;   // maximum number of operations under way at once
  bool packed_long;     // short Longs go with header and payload in one message
  uint32_t sb_chunks;   // chunks of requests under way
  uint32_t rpl_chunks;  // chunks of replies under way
  uint32_t safe_limit;  // maximum of a queue's events in one poll; 0: no limit
  uint32_t am_limit;
  uint32_t sys_limit;
  uint32_t chunk;  // bytes of a chunk
  std::optional<uint32_t> iface;
  bool statistics;
  credits::CreditSettings credits;
  RegistrationSettings registration;
};

// Returns the settings of a job of `ranks` ranks. Ends the job with a message
// if a variable has an invalid value.
PortalsSettings SettingsFromEnvironment(uint32_t ranks);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_SETTINGS_H_
