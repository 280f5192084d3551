// A thread's use of the rails of its rank. core/hostshm/rails.h owns these
// fields.
#ifndef CORE_THREAD_RAIL_USE_H_
#define CORE_THREAD_RAIL_USE_H_

#include <array>
#include <cstdint>

namespace gasnet::thread {

// The maximum number of rails between two ranks of a host: a bit of a word for
// each, and one cache line for the knowledge of all. A limit, not tuning.
inline constexpr unsigned kMaxRails = 16;

struct RailUse {
  uint8_t own = 0;    // the rail that it sends requests on
  uint8_t reply = 0;  // the rail of the request that it handles
  // Looks since its last search for rails that no thread polls.
  uint8_t looks = 0;
  // The sends since its last move that met another thread.
  uint8_t met = 0;
  bool polls_all = false;  // in its next poll
  uint32_t serves = 0;     // the rails that it polls for others, one bit each
  std::array<uint32_t, kMaxRails> polls_seen{};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_RAIL_USE_H_
