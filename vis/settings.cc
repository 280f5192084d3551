#include "vis/settings.h"

#include <algorithm>

#include "base/env.h"
#include "vis/packet_writer.h"

namespace gasnet::vis {
namespace {

size_t ChunkFrom(const char* name, size_t def, size_t most) {
  return std::min<uint64_t>(EnvSize(name, def), most);
}

}  // namespace

VisSettings SettingsFromEnvironment(size_t max_medium) {
  const size_t most = PacketWriter::LargestRun(max_medium, max_medium);
  const size_t both = ChunkFrom("GASNET_VIS_MAXCHUNK", most, most);
  return {
      .packs = EnvBool("GASNET_VIS_AMPIPE", true),
      .joins = EnvBool("GASNET_VIS_REMOTECONTIG", true),
      .largest_put_chunk = ChunkFrom("GASNET_VIS_PUT_MAXCHUNK", both, most),
      .largest_get_chunk = ChunkFrom("GASNET_VIS_GET_MAXCHUNK", both, most),
  };
}

}  // namespace gasnet::vis
