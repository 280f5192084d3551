// The part of a launch that hosts decide: which there are, what runs where, and
// how they are reached.
#ifndef TOOLS_GASNETRUN_HOST_CHOICE_H_
#define TOOLS_GASNETRUN_HOST_CHOICE_H_

#include "absl/status/status.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_source.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {

// Fills in the hosts, which rank is on which, and how ssh is called. A job that
// is only on this host has no list of hosts, unless ssh was asked for.
absl::Status ChooseHosts(const CommandLine& line, const Variables& variables,
                         Launch& launch);

// The program, which need not be here if none of its ranks is. With other
// hosts, as an absolute path, and the working directory.
absl::Status ChooseProgram(const CommandLine& line, const Variables& variables,
                           Launch& launch);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_CHOICE_H_
