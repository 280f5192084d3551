// The GASNET_* variables of this process's own environment: how a program that
// joins its job again (job.h) changes settings of the job meanwhile.
#ifndef JOB_OWN_SETTINGS_H_
#define JOB_OWN_SETTINGS_H_

#include <string>
#include <vector>

namespace gasnet::job {

// "NAME=VALUE" of each.
std::vector<std::string> OwnSettings();

// The environment with what the process has changed: variables that `now` has
// and `before` has not are set, those that only `before` has are taken away.
std::vector<std::string> WithChanges(std::vector<std::string> environment,
                                     const std::vector<std::string>& before,
                                     const std::vector<std::string>& now);

}  // namespace gasnet::job

#endif  // JOB_OWN_SETTINGS_H_
