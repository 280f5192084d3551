// The state of transfers in pieces: settings, and the pool of packets' memory.
#ifndef VIS_VIS_H_
#define VIS_VIS_H_

#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "vis/packet_memory.h"
#include "vis/settings.h"

namespace gasnet::vis {

struct Vis final : public Layer {
  static constexpr LayerName kName = LayerName::kVis;
  // Returns the state of this rank.
  static Vis& Mine() { return runtime->layer<Vis>(); }

  explicit Vis(const VisSettings& in_force) : settings(in_force) {}

  VisSettings settings;
  PacketMemoryPool packets;
};

}  // namespace gasnet::vis

#endif  // VIS_VIS_H_
