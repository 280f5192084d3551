// The place of a rank on its host, and the network devices that are near to it.
#ifndef CONDUITS_OFI_PLACE_H_
#define CONDUITS_OFI_PLACE_H_

#include <rdma/fabric.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rank.h"

namespace gasnet::ofi {

// The numbering of the devices of GASNET_OFI_DEVICE_0, _1, ...
// (GASNET_OFI_DEVICE_TYPE).
enum class DeviceType : uint8_t { kSocket, kNode, kProcess };

struct Place {
  std::vector<int> cpus = {};  // usable ones, ascending; not empty
  // The processors of each earlier rank of the same host.
  std::vector<std::vector<int>> earlier = {};
  std::string sys = "/sys";  // Linux's description of the machine
};

// A set of processors as ranks exchange it; higher numbers are left out.
using CpuMask = std::bitset<1024>;
CpuMask MaskOf(const std::vector<int>& cpus);

// Returns the processors of each rank of the same host that is below `rank`.
std::vector<std::vector<int>> EarlierOnHost(std::span<const CpuMask> masks,
                                            std::span<const uint32_t> host_of,
                                            Rank rank);

// Returns true if the device is near one of the rank's processors; nothing if
// the place of the device is unknown.
std::optional<bool> IsNear(const fi_info& device, const Place& place);

// Returns the number of the rank's socket or memory node, or of the rank on its
// host. If the rank is on several, that of its first processor counts.
int NumberOf(DeviceType type, const Place& place);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PLACE_H_
