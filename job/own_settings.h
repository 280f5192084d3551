// The GASNET_* variables of this process's own environment. A program that
// joins its job again (job.h) may change settings through these variables.
#ifndef JOB_OWN_SETTINGS_H_
#define JOB_OWN_SETTINGS_H_

#include <string>
#include <vector>

namespace gasnet::job {

// Returns each variable as "NAME=VALUE".
std::vector<std::string> OwnSettings();

// Returns `environment` with the changes that the process has made between
// `before` and `now`: sets the entries that only `now` has, and removes the
// variables that only `before` has.
std::vector<std::string> WithChanges(std::vector<std::string> environment,
                                     const std::vector<std::string>& before,
                                     const std::vector<std::string>& now);

}  // namespace gasnet::job

#endif  // JOB_OWN_SETTINGS_H_
