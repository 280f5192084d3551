#include "conduits/ofi/place.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace gasnet::ofi {
namespace {

// Linux numbers memory nodes from 0. The numbers are below this limit.
constexpr int kMaxNumaNodes = 1024;

std::string LineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns true if a list such as "0-3,8,10-11" contains one of `cpus`.
bool HasOne(const std::string& list, const std::vector<int>& cpus) {
  const char* at = list.c_str();
  for (int first, last, used; sscanf(at, "%d%n", &first, &used) == 1;) {
    at += used;
    last = first;
    if (sscanf(at, "-%d%n", &last, &used) == 1) at += used;
    const auto inside = [=](int cpu) { return first <= cpu && cpu <= last; };
    if (std::any_of(cpus.begin(), cpus.end(), inside)) return true;
    if (*at++ != ',') break;
  }
  return false;
}

std::string AddressOf(const fi_pci_attr& device) {
  char text[32];
  snprintf(text, sizeof text, "%04x:%02x:%02x.%x", device.domain_id,
           device.bus_id, device.device_id, device.function_id);
  return text;
}

int SocketOf(const CpuPlacement& place) {
  const std::string number =
      LineOf(absl::StrCat(place.sys, "/devices/system/cpu/cpu",
                          place.cpus.front(), "/topology/physical_package_id"));
  int socket = 0;
  return sscanf(number.c_str(), "%d", &socket) == 1 ? std::max(socket, 0) : 0;
}

int NodeOf(const CpuPlacement& place) {
  const std::vector<int> first = {place.cpus.front()};
  for (int node = 0; node < kMaxNumaNodes; ++node) {
    const std::string list = LineOf(
        absl::StrCat(place.sys, "/devices/system/node/node", node, "/cpulist"));
    if (HasOne(list, first)) return node;
  }
  return 0;
}

}  // namespace

CpuMask MaskOf(const std::vector<int>& cpus) {
  CpuMask mask;
  for (const int cpu : cpus) {
    if (static_cast<size_t>(cpu) < mask.size()) mask.set(cpu);
  }
  return mask;
}

std::vector<std::vector<int>> EarlierOnHost(std::span<const CpuMask> masks,
                                            std::span<const uint32_t> host_of,
                                            Rank rank) {
  std::vector<std::vector<int>> earlier;
  for (Rank other = 0; other < rank; ++other) {
    if (host_of[other] != host_of[rank]) continue;
    earlier.emplace_back();
    for (size_t cpu = 0; cpu < masks[other].size(); ++cpu) {
      if (masks[other].test(cpu)) {
        earlier.back().push_back(static_cast<int>(cpu));
      }
    }
  }
  return earlier;
}

std::optional<bool> IsNear(const fi_info& device, const CpuPlacement& place) {
  if (device.nic == nullptr || device.nic->bus_attr == nullptr ||
      device.nic->bus_attr->bus_type != FI_BUS_PCI) {
    return std::nullopt;
  }
  const std::string list = LineOf(absl::StrCat(
      place.sys, "/bus/pci/devices/", AddressOf(device.nic->bus_attr->attr.pci),
      "/local_cpulist"));
  if (list.empty()) return std::nullopt;
  return HasOne(list, place.cpus);
}

int NumberOf(DeviceType type, const CpuPlacement& place) {
  switch (type) {
    case DeviceType::kSocket:
      return SocketOf(place);
    case DeviceType::kNode:
      return NodeOf(place);
    case DeviceType::kProcess:
      return static_cast<int>(place.earlier.size());
  }
  return 0;
}

}  // namespace gasnet::ofi
