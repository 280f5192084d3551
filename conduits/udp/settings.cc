#include "conduits/udp/settings.h"

#include "base/clock.h"
#include "base/env.h"
#include "conduits/udp/tuning.h"
#include "core/datagram/faults.h"
#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"
#include "core/ip/job_addresses.h"

namespace gasnet::udp {
namespace {

constexpr int64_t kNanosPerMicro = 1000;
constexpr int64_t kMicrosPerDay = kSecondsPerDay * 1'000'000;

}  // namespace

UdpSettings SettingsFromEnvironment() {
  return {
      .addresses = ip::AddressWishesFromEnvironment(),
      .depth = static_cast<uint32_t>(EnvInt(
          "GASNET_NETWORKDEPTH", datagram::kWindow, 4, datagram::kWindow)),
      .initial_timeout =
          kNanosPerMicro * EnvInt("GASNET_REQUESTTIMEOUT_INITIAL",
                                  datagram::kInitialTimeout / kNanosPerMicro,
                                  100, kMicrosPerDay),
      .silence_limit = kNanosPerMicro *
                       EnvInt("GASNET_REQUESTTIMEOUT_MAX", 0, 0, kMicrosPerDay),
      .backoff =
          EnvInt("GASNET_REQUESTTIMEOUT_BACKOFF", datagram::kBackoff, 2, 16),
      .encrypt = EnvBool("GASNET_UDP_ENCRYPT", false),
      .offload = EnvBool("GASNET_UDP_OFFLOAD", true),
      .statistics = EnvBool("GASNET_UDP_STATISTICS", false),
      .progress = EnvBool("GASNET_UDP_PROGRESS", false),
      .rails =
          static_cast<unsigned>(EnvInt("GASNET_UDP_RAILS", 0, 0, kMaxRails)),
      .faults = datagram::FaultsFromEnvironment("GASNET_UDP_FAULTS"),
  };
}

}  // namespace gasnet::udp
