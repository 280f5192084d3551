#include "conduits/portals/registration_settings.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/env.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr int64_t kMaxDescriptors = 1 << 20;
constexpr int kMegabyteShift = 20;
// A get's bounce buffer is smaller than a put's by this number of bytes. In the
// original conduit, a get's buffer also holds the destination's address.
constexpr uint32_t kAddressBytes = sizeof(void*);

constexpr char kPutBounce[] = "GASNET_PORTAL_PUT_BOUNCE_LIMIT";
constexpr char kGetBounce[] = "GASNET_PORTAL_GET_BOUNCE_LIMIT";
constexpr char kBothBounce[] = "GASNET_PORTAL_PUTGET_BOUNCE_LIMIT";

// Reads a size. A number without a unit is in megabytes.
uint64_t Megabytes(const char* name, uint64_t def) {
  const uint64_t size = EnvSize(name, def);
  const std::string_view value = EnvText(name, "");
  if (value.empty()) return size;
  const char last = value.back();
  if (last < '0' || last > '9') return size;
  return std::min(size, UINT64_MAX >> kMegabyteShift) << kMegabyteShift;
}

uint32_t Descriptors(const char* name) {
  return static_cast<uint32_t>(EnvInt(name, kRegionsKept, 1, kMaxDescriptors));
}

}  // namespace

RegistrationSettings RegistrationFromEnvironment(uint32_t chunk) {
  RegistrationSettings settings = {};
  const uint64_t both = EnvSize(kBothBounce, kBounceLimit);
  const auto limit = [&](const char* name, uint64_t most) {
    return static_cast<uint32_t>(std::min(EnvSize(name, both), most));
  };
  settings.put_bounce = limit(kPutBounce, chunk);
  settings.get_bounce = limit(kGetBounce, chunk - kAddressBytes);
  settings.firehose = EnvBool("GASNET_USE_FIREHOSE", true);
  settings.temporaries = Descriptors("GASNET_PORTAL_NUM_TMPMD");
  settings.region_bytes = std::max<uint64_t>(
      Megabytes("GASNET_FIREHOSE_MAXREGION_SIZE", kRegionBytes), 1);
  const uint32_t regions = Descriptors("GASNET_FIREHOSE_MAXVICTIM_R");
  // The product fits into 64 bits for any region.
  const uint64_t all =
      regions * std::min(settings.region_bytes, UINT64_MAX / regions);
  settings.cached_bytes = Megabytes("GASNET_FIREHOSE_MAXVICTIM_M", all);
  settings.regions = static_cast<uint32_t>(std::clamp<uint64_t>(
      settings.cached_bytes / settings.region_bytes, 1, regions));
  settings.verbose = EnvBool("GASNET_FIREHOSE_VERBOSE", false);
  settings.pinnable =
      EnvDouble("GASNET_PHYSMEM_PINNABLE_RATIO", kPinnable, 0, 1);
  return settings;
}

}  // namespace gasnet::portals_conduit
