// How transfers in pieces travel to memory that is not mapped here.
#ifndef VIS_SETTINGS_H_
#define VIS_SETTINGS_H_

#include <cstddef>

namespace gasnet::vis {

// From the environment (docs/ENVIRONMENT.md), for messages of so many bytes. A
// piece of more than the largest chunk is a put or get of its own.
struct Settings {
  bool packs = true;             // GASNET_VIS_AMPIPE
  bool joins = true;             // GASNET_VIS_REMOTECONTIG
  size_t largest_put_chunk = 0;  // GASNET_VIS_PUT_MAXCHUNK, _MAXCHUNK
  size_t largest_get_chunk = 0;  // GASNET_VIS_GET_MAXCHUNK, _MAXCHUNK

  // Whether pieces that are small enough share messages: of a remote side that
  // is contiguous as a whole, or of one that is not.
  bool Shares(bool contiguous) const { return packs || (joins && contiguous); }
};
Settings SettingsFromEnvironment(size_t max_medium);

}  // namespace gasnet::vis

#endif  // VIS_SETTINGS_H_
