// The names and colours of the reasons of waits.
#ifndef TOOLS_GASNET_TRACE_WAIT_NAMES_H_
#define TOOLS_GASNET_TRACE_WAIT_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "job/status/status_page.h"

namespace gasnet::trace {

struct WaitName {
  const char* name;
  // One of the names of colours that viewers of trace events know.
  const char* colour;
};

// Indexed by job::WaitFor.
inline constexpr std::array<WaitName, 8> kWaitNames = {{
    {"anything", "grey"},
    {"condition", "generic_work"},
    {"room", "terrible"},
    {"barrier", "thread_state_uninterruptible"},
    {"collective", "thread_state_iowait"},
    {"transfers", "rail_load"},
    {"all ranks", "rail_idle"},
    {"unknown reason", "black"},
}};
inline constexpr size_t kUnknownWait = kWaitNames.size() - 1;
static_assert(static_cast<size_t>(job::WaitFor::kLast) + 1 == kUnknownWait);

// Returns the index of the wait's name. Any number has one.
inline size_t WaitIndex(uint16_t reason) {
  return reason < kUnknownWait ? reason : kUnknownWait;
}

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_WAIT_NAMES_H_
