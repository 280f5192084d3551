// A thread's use of the rails of its rank. core/hostshm/rails.h owns these
// fields.
#ifndef CORE_THREAD_RAIL_USE_H_
#define CORE_THREAD_RAIL_USE_H_

#include <array>
#include <cstdint>

namespace gasnet::thread {

// The maximum number of rails between two ranks of a host. Each has a bit in a
// word, and the poll counts that a thread has seen of all of them fill one
// cache line. A limit, not tuning.
inline constexpr unsigned kMaxRails = 16;

struct RailUse {
  uint8_t own = 0;    // the rail that the thread sends requests on
  uint8_t reply = 0;  // the rail of the request that the thread handles
  // Looks since the thread's last search for rails that no thread polls.
  uint8_t looks = 0;
  // Sends since the thread's last move that found another thread on the rail.
  uint8_t met = 0;
  bool polls_all = false;  // the next poll looks at all rails
  // the rails that the thread polls for others, one bit each
  uint32_t serves = 0;
  std::array<uint32_t, kMaxRails> polls_seen{};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_RAIL_USE_H_
