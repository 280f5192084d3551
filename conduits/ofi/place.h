// The processors of a rank on its host, and the network devices near to these
// processors.
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

// The meaning of n in GASNET_OFI_DEVICE_n (GASNET_OFI_DEVICE_0, _1, ...): the
// number of a socket, memory node or process. GASNET_OFI_DEVICE_TYPE selects
// it.
enum class DeviceType : uint8_t { kSocket, kNode, kProcess };

struct CpuPlacement {
  std::vector<int> cpus = {};  // usable processors, ascending; not empty
  // The usable processors of each lower rank of the same host.
  std::vector<std::vector<int>> earlier = {};
  std::string sys = "/sys";  // Linux's description of the machine
};

// A set of processors, in the form that ranks exchange. MaskOf() leaves out
// processors whose numbers do not fit.
using CpuMask = std::bitset<1024>;
CpuMask MaskOf(const std::vector<int>& cpus);

// Returns the processors of each rank below `rank` on the same host.
std::vector<std::vector<int>> EarlierOnHost(std::span<const CpuMask> masks,
                                            std::span<const uint32_t> host_of,
                                            Rank rank);

// Returns true if the device is near one of the rank's processors. Returns
// nullopt if the location of the device is unknown.
std::optional<bool> IsNear(const fi_info& device, const CpuPlacement& place);

// Returns the number of the rank's socket or memory node, or the rank's number
// on its host. If the rank uses several sockets or memory nodes, returns the
// number for the rank's first processor.
int NumberOf(DeviceType type, const CpuPlacement& place);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PLACE_H_
