// Settings for the registration of local memory, used if no descriptor covers
// all memory. settings.h has the remaining settings.
#ifndef CONDUITS_PORTALS_REGISTRATION_SETTINGS_H_
#define CONDUITS_PORTALS_REGISTRATION_SETTINGS_H_

#include <cstdint>

namespace gasnet::portals_conduit {

struct RegistrationSettings {
  uint32_t put_bounce = 0;    // maximum bytes of a put through a bounce buffer
  uint32_t get_bounce = 0;    // maximum bytes of a get through a bounce buffer
  bool firehose = false;      // descriptors are kept for the next user
  uint32_t temporaries = 0;   // maximum number of descriptors without firehose
  uint32_t regions = 0;       // maximum number of descriptors with firehose
  uint64_t region_bytes = 0;  // maximum bytes of a region that is kept
  uint64_t cached_bytes = 0;  // maximum bytes of all regions that are kept
  bool verbose = false;       // prints each binding and release
  double pinnable = 0;        // pinnable part of the physical memory
};

// Returns the settings for chunks of `chunk` bytes. Ends the job with a message
// if a variable has an invalid value.
RegistrationSettings RegistrationFromEnvironment(uint32_t chunk);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_REGISTRATION_SETTINGS_H_
