#include "conduits/ofi/settings.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/log.h"
#include "core/ip/job_addresses.h"

namespace gasnet::ofi {
namespace {

template <size_t kCount>
size_t ChoiceOf(const char* name, const std::array<const char*, kCount>& all) {
  return EnvChoice(name, all, 0);
}

constexpr std::array kRegistrations = {"any", "basic"};
constexpr std::array kCompletions = {"own", "delivery", "transmit", "read"};
constexpr std::array kWaits = {"descriptor", "naps"};

constexpr std::array kDeviceTypes = {"Socket", "Node", "Process"};

const char* DeviceAt(const CpuPlacement& place) {
  const auto type =
      static_cast<DeviceType>(ChoiceOf("GASNET_OFI_DEVICE_TYPE", kDeviceTypes));
  const std::string name =
      absl::StrCat("GASNET_OFI_DEVICE_", NumberOf(type, place));
  return EnvText(name.c_str(), EnvText("GASNET_OFI_DEVICE", ""));
}

NodeList NodesOf(const char* name) {
  const char* const text = EnvText(name, "0");
  std::optional<NodeList> nodes = NodeList::Parse(text);
  if (!nodes) {
    Fatal(
        "%s is '%s'; accepted are numbers of nodes and ranges of them with "
        "commas between them (0,2-4), or *",
        name, text);
  }
  return *std::move(nodes);
}

}  // namespace

OfiSettings SettingsFromEnvironment(const CpuPlacement& place) {
  const std::string provider = EnvText("GASNET_OFI_PROVIDER", "");
  return {
      .library = EnvText("GASNET_OFI_LIBRARY", "libfabric.so.1"),
      .provider = provider,
      .admitted = provider.empty() ? EnvText("FI_PROVIDER", "") : "",
      .device = DeviceAt(place),
      .list_devices = EnvBool("GASNET_OFI_LIST_DEVICES", false),
      .listers = NodesOf("GASNET_OFI_LIST_DEVICES_NODES"),
      .addresses = ip::AddressWishesFromEnvironment(),
      .registration = static_cast<Registration>(
          ChoiceOf("GASNET_OFI_TEST_MR", kRegistrations)),
      .wishes = {.remote_completion = static_cast<RemoteCompletion>(
                     ChoiceOf("GASNET_OFI_REMOTE_COMPLETION", kCompletions)),
                 .waiting = static_cast<WaitStrategy>(
                     ChoiceOf("GASNET_OFI_WAIT", kWaits))},
      .progress = EnvBool("GASNET_OFI_PROGRESS", false),
  };
}

}  // namespace gasnet::ofi
