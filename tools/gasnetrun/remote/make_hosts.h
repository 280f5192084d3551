// The hosts of a launch, as the supervisor wants them.
#ifndef TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_
#define TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_

#include "job/launch/supervisor.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {

// Ranks of this host from here, of others by an agent. `launch.plan` itself is
// not looked at when they are made, but the supervisor's.
job::MakeHosts HostMaker(const Launch& launch, Binding binding);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_
