#include "portals/api/given_job.h"

#include <string_view>

#include "base/log.h"
#include "base/own_env.h"
#include "portals/engine/append.h"

namespace gasnet::portals4 {

namespace internal {
std::atomic<const GivenJob*> given_job{nullptr};
}  // namespace internal

Transport TransportFromEnvironment() {
  const char* const text = OwnEnv("PORTALS4_TRANSPORT");
  const std::string_view value = text != nullptr ? text : "auto";
  if (value == "auto") return Transport::kAuto;
  if (value == "memory") return Transport::kMemory;
  if (value == "datagram") return Transport::kDatagram;
  Fatal("PORTALS4_TRANSPORT is '%s'; accepted: auto, memory, datagram", text);
}

void SetJob(const GivenJob* job) {
  internal::given_job.store(job, std::memory_order_release);
  void (*const poll)() = [] { PollCarrier(); };
  SetIdle(GetCarrier() != nullptr ? poll : nullptr);
}

}  // namespace gasnet::portals4
