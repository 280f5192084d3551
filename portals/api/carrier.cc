#include "portals/api/carrier.h"

#include <string_view>

#include "base/log.h"
#include "base/own_env.h"
#include "portals/engine/append.h"

namespace gasnet::portals4 {

namespace internal {
std::atomic<const Carrier*> carrier{nullptr};
}  // namespace internal

Transport TransportFromEnvironment() {
  const char* const text = OwnEnv("PORTALS4_TRANSPORT");
  const std::string_view value = text != nullptr ? text : "auto";
  if (value == "auto") return Transport::kAuto;
  if (value == "memory") return Transport::kMemory;
  if (value == "datagram") return Transport::kDatagram;
  Fatal("PORTALS4_TRANSPORT is '%s'; accepted: auto, memory, datagram", text);
}

void SetCarrier(const Carrier* carrier) {
  internal::carrier.store(carrier, std::memory_order_release);
  SetIdle(carrier != nullptr ? carrier->poll : nullptr);
}

}  // namespace gasnet::portals4
