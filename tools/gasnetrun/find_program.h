// Finds the program to run.
#ifndef TOOLS_GASNETRUN_FIND_PROGRAM_H_
#define TOOLS_GASNETRUN_FIND_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"

namespace gasnet::gasnetrun {

// Returns the file that `name` means. If `name` contains a slash, that is
// `name` itself. Otherwise it is the first executable of this name in the
// directories of `search_path` (written like PATH). Returns NotFound, or
// PermissionDenied if the file exists but cannot be run.
absl::StatusOr<std::string> FindProgram(const std::string& name,
                                        const std::string& search_path);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_FIND_PROGRAM_H_
