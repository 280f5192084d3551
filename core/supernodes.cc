#include "core/supernodes.h"

#include <map>

namespace gasnet {
namespace {

// The supernode that takes a host's next ranks, and how many more ranks it can
// take.
struct OpenSupernode {
  uint32_t supernode = 0;
  uint32_t room = 0;
};

}  // namespace

std::vector<uint32_t> Supernodes(std::span<const uint32_t> host_of,
                                 uint32_t size) {
  std::map<uint32_t, OpenSupernode> hosts;
  std::vector<uint32_t> supernodes;
  supernodes.reserve(host_of.size());
  uint32_t next = 0;
  for (const uint32_t host : host_of) {
    OpenSupernode& open = hosts[host];
    if (open.room == 0) open = {next++, size};
    --open.room;
    supernodes.push_back(open.supernode);
  }
  return supernodes;
}

}  // namespace gasnet
