#include "conduits/ofi/settings.h"

#include <array>

#include "base/env.h"
#include "core/ip/job_addresses.h"

namespace gasnet::ofi {
namespace {

template <size_t kCount>
size_t ChoiceOf(const char* name, const std::array<const char*, kCount>& all) {
  return EnvChoice(name, all, 0);
}

constexpr std::array kRegistrations = {"any", "basic"};
constexpr std::array kCompletions = {"delivery", "transmit"};
constexpr double kDayInSeconds = 86400;
constexpr std::array kWaits = {"descriptor", "naps"};

}  // namespace

Settings SettingsFromEnvironment() {
  return {
      .library = EnvText("GASNET_OFI_LIBRARY", "libfabric.so.1"),
      .provider = EnvText("GASNET_OFI_PROVIDER", EnvText("FI_PROVIDER", "")),
      .device = EnvText("GASNET_OFI_DEVICE", ""),
      .addresses = ip::AddressWishesFromEnvironment(),
      .registration = static_cast<Registration>(
          ChoiceOf("GASNET_OFI_TEST_MR", kRegistrations)),
      .wishes = {.remote_completion = static_cast<RemoteCompletion>(
                     ChoiceOf("GASNET_OFI_REMOTE_COMPLETION", kCompletions)),
                 .waiting =
                     static_cast<Waiting>(ChoiceOf("GASNET_OFI_WAIT", kWaits))},
      .silence_notice =
          EnvDouble("GASNET_OFI_SILENCE_NOTICE", 30, 0, kDayInSeconds),
  };
}

}  // namespace gasnet::ofi
