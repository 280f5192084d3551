// A thread's use of the rails of its rank (core/hostshm/rails.h), which is the
// owner of these fields.
#ifndef CORE_THREAD_RAIL_USE_H_
#define CORE_THREAD_RAIL_USE_H_

#include <array>
#include <cstdint>

namespace gasnet::thread {

// The most rails between two ranks of a host: a bit of a word for each, and one
// cache line for what is known of all. A limit, no tuning.
inline constexpr unsigned kMostRails = 16;

struct RailUse {
  uint8_t own = 0;    // the rail that it sends requests on
  uint8_t reply = 0;  // the rail of the request that it handles
  // Looks since it last looked for rails that no thread polls.
  uint8_t looks = 0;
  // Its sends that have met another thread, since it moved.
  uint8_t met = 0;
  bool polls_all = false;  // in its next poll
  uint32_t serves = 0;     // the rails that it polls for others, one bit each
  std::array<uint32_t, kMostRails> polls_seen{};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_RAIL_USE_H_
