#include "conduits/udp/last_words.h"

#include <atomic>

#include "base/log.h"
#include "core/datagram/description.h"
#include "job/process_end.h"

namespace gasnet::udp {
namespace {

// Written before anybody can come to Speak.
const Network* described = nullptr;

void Speak() {
  // A thread may call exit() while the job ends.
  static std::atomic<bool> spoken{false};
  if (spoken.exchange(true, std::memory_order_relaxed)) return;
  const datagram::Description description(described->endpoint().statistics(),
                                          described->port().Lost());
  Inform("UDP statistics: %s", description.text());
}

}  // namespace

void SpeakAtEnd(const Network& network) {
  described = &network;
  job::SetExitReport(&Speak);
}

}  // namespace gasnet::udp
