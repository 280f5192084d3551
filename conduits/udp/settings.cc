#include "conduits/udp/settings.h"

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/env.h"
#include "base/log.h"
#include "core/ip/job_addresses.h"

namespace gasnet::udp {
namespace {

constexpr int64_t kNanosPerMicro = 1000;
constexpr int64_t kDayInSeconds = 86400;
constexpr int64_t kDayInMicros = kDayInSeconds * 1'000'000;

datagram::Faults FaultsFromEnvironment() {
  const char* const text = EnvText("GASNET_UDP_FAULTS", "");
  if (*text == '\0') return {};
  const std::optional<datagram::Faults> faults = datagram::Faults::Parse(text);
  if (!faults) {
    Fatal(
        "GASNET_UDP_FAULTS is '%s'; accepted is a list such as "
        "drop=5,duplicate=2,reorder=10,corrupt=1,seed=7, in percent",
        text);
  }
  return *faults;
}

}  // namespace

Settings SettingsFromEnvironment() {
  return {
      .addresses = ip::AddressWishesFromEnvironment(),
      .depth =
          static_cast<uint32_t>(EnvInt("GASNET_NETWORKDEPTH", 256, 4, 256)),
      .initial_timeout =
          kNanosPerMicro *
          EnvInt("GASNET_REQUESTTIMEOUT_INITIAL", 10'000, 100, kDayInMicros),
      .silence_limit = kNanosPerMicro *
                       EnvInt("GASNET_REQUESTTIMEOUT_MAX", 0, 0, kDayInMicros),
      .silence_notice = static_cast<int64_t>(
          kNanosPerSecond *
          EnvDouble("GASNET_UDP_SILENCE_NOTICE", 20, 0, kDayInSeconds)),
      .backoff = EnvInt("GASNET_REQUESTTIMEOUT_BACKOFF", 2, 2, 16),
      .encrypt = EnvBool("GASNET_UDP_ENCRYPT", false),
      .offload = EnvBool("GASNET_UDP_OFFLOAD", true),
      .statistics = EnvBool("GASNET_UDP_STATISTICS", false),
      .faults = FaultsFromEnvironment(),
  };
}

}  // namespace gasnet::udp
