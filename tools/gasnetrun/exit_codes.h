// The exit codes of gasnetrun for a program that could not be started.
#ifndef TOOLS_GASNETRUN_EXIT_CODES_H_
#define TOOLS_GASNETRUN_EXIT_CODES_H_

#include "absl/status/status.h"
#include "job/launch/exit_policy.h"

namespace gasnet::gasnetrun {

inline constexpr int kCannotRunCode = 126;
inline constexpr int kNotFoundCode = 127;

inline int CodeOf(const absl::Status& status) {
  if (absl::IsNotFound(status)) return kNotFoundCode;
  if (absl::IsPermissionDenied(status)) return kCannotRunCode;
  return job::kLauncherFailureCode;
}

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_EXIT_CODES_H_
