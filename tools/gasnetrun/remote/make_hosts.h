// Makes the hosts of a launch for the supervisor.
#ifndef TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_
#define TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_

#include "job/launch/supervisor.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {

// Returns a function that makes the hosts. This process starts the ranks of
// this host directly; agents start all other ranks. The hosts use the
// supervisor's plan, not `launch.plan` itself.
job::MakeHosts HostMaker(const Launch& launch, Binding binding);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_MAKE_HOSTS_H_
