// The GASNET_* variables of this process's own environment. With them a program
// that joins its job again (job.h) may change settings.
#ifndef JOB_OWN_SETTINGS_H_
#define JOB_OWN_SETTINGS_H_

#include <string>
#include <vector>

namespace gasnet::job {

// Returns each of them as "NAME=VALUE".
std::vector<std::string> OwnSettings();

// Returns the environment with the changes that the process has made: entries
// that only `now` has are set, variables that only `before` has are removed.
std::vector<std::string> WithChanges(std::vector<std::string> environment,
                                     const std::vector<std::string>& before,
                                     const std::vector<std::string>& now);

}  // namespace gasnet::job

#endif  // JOB_OWN_SETTINGS_H_
