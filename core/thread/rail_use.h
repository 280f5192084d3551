// One thread's use of the rails of its rank. A rail is one of the parallel sets
// of rings to the ranks of the host. core/hostshm/rails.h owns these fields.
#ifndef CORE_THREAD_RAIL_USE_H_
#define CORE_THREAD_RAIL_USE_H_

#include <array>
#include <cstdint>

namespace gasnet::thread {

// The maximum number of rails between two ranks of a host. Each rail has a bit
// in a word, and the poll counts that a thread has seen fill one cache line. A
// limit, not tuning.
inline constexpr unsigned kMaxRails = 16;

struct RailUse {
  uint8_t own = 0;    // the rail that the thread sends requests on
  uint8_t reply = 0;  // the rail of the request that the thread handles
  // The number of this thread's polls since it last searched for rails that no
  // thread polls.
  uint8_t looks = 0;
  // How often this thread found another thread on its rail since its last move.
  uint8_t met = 0;
  bool polls_all = false;  // the next poll looks at all rails
  // the rails that this thread polls besides its own, one bit each
  uint32_t serves = 0;
  std::array<uint32_t, kMaxRails> polls_seen{};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_RAIL_USE_H_
