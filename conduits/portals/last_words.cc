#include "conduits/portals/last_words.h"

#include <array>
#include <atomic>

#include "base/log.h"
#include "conduits/portals/statistics.h"
#include "job/process_end.h"

namespace gasnet::portals {
namespace {

constexpr size_t kLineBytes = 1024;

// Written before anybody can come to Speak.
const Network* described = nullptr;

void Speak() {
  // A thread may call exit() while the job ends.
  static std::atomic<bool> spoken{false};
  if (spoken.exchange(true, std::memory_order_relaxed)) return;
  std::array<char, kLineBytes> line = {};
  described->statistics().Print(line.data(), line.size());
  Inform("Portals statistics: %s", line.data());
}

}  // namespace

void SpeakAtEnd(const Network& network) {
  if (!network.settings().statistics) return;
  described = &network;
  job::SetLastWords(&Speak);
}

}  // namespace gasnet::portals
