// The names and colours of the reasons for waits. A file may contain any number
// as a reason. So every number has a name and a colour.
#ifndef TOOLS_GASNET_TRACE_WAIT_NAMES_H_
#define TOOLS_GASNET_TRACE_WAIT_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "job/status/report.h"
#include "job/status/status_page.h"

namespace gasnet::trace {

inline constexpr size_t kReasons = static_cast<size_t>(job::WaitFor::kLast) + 1;

inline const char* NameOfWait(uint16_t reason) {
  return reason < kReasons ? job::NameOf(static_cast<job::WaitFor>(reason))
                           : "unknown reason";
}

// Returns a name of a colour that viewers of trace events know.
inline const char* ColourOfWait(uint16_t reason) {
  // Indexed by job::WaitFor.
  static constexpr std::array<const char*, kReasons> kColours = {
      "grey",
      "generic_work",
      "terrible",
      "thread_state_uninterruptible",
      "thread_state_iowait",
      "rail_load",
      "rail_idle",
  };
  return reason < kReasons ? kColours[reason] : "black";
}

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_WAIT_NAMES_H_
