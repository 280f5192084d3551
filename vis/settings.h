// The settings of transfers in pieces to memory that is not mapped here.
#ifndef VIS_SETTINGS_H_
#define VIS_SETTINGS_H_

#include <cstddef>

namespace gasnet::vis {

// Settings from the environment (docs/ENVIRONMENT.md), for messages of
// max_medium bytes. A piece of more than largest_put_chunk or largest_get_chunk
// bytes is a put or get of its own.
struct VisSettings {
  bool packs = true;             // GASNET_VIS_AMPIPE
  bool joins = true;             // GASNET_VIS_REMOTECONTIG
  size_t largest_put_chunk = 0;  // GASNET_VIS_PUT_MAXCHUNK, _MAXCHUNK
  size_t largest_get_chunk = 0;  // GASNET_VIS_GET_MAXCHUNK, _MAXCHUNK

  // Returns true if small pieces share messages. `contiguous` is true if the
  // whole remote side is one run.
  bool Shares(bool contiguous) const { return packs || (joins && contiguous); }
};
VisSettings SettingsFromEnvironment(size_t max_medium);

}  // namespace gasnet::vis

#endif  // VIS_SETTINGS_H_
