// The start of a job by hand, as `program N arguments`. This is the traditional
// way to start jobs of udp conduits. GASNET_SPAWNFN selects the method:
//
//   L  N nodes on this host, children of this process
//   S  N nodes through ssh: the process becomes gasnetrun, which finds the
//      hosts in GASNET_SSH_SERVERS or a related variable
//   C  the process becomes the user's command, CSPAWN_CMD: a launcher from
//      which nodes can learn their ranks
//
// Any other letter is refused with a message that names it. Without
// GASNET_SPAWNFN, it is enough to set GASNET_SSH_SERVERS or SSH_SERVERS. Then
// the process becomes gasnetrun, and the nodes on this host are its children.
// If none of the three variables is set, the program is a job of one node. If N
// was given, the program reports that the job has only one node.
//
// The process looks for the program gasnetrun in PATH first. Then it looks in
// the prefix where this library, or a program that contains it, is installed.
#ifndef CONDUITS_UDP_SPAWN_FUNCTION_H_
#define CONDUITS_UDP_SPAWN_FUNCTION_H_

#include "absl/status/status.h"

namespace gasnet::udp {

// Starts the job if the environment and the arguments demand it. Then removes N
// from the arguments. Does nothing if a launcher has started this process.
// Without GASNET_SPAWNFN, also does nothing if GASNET_PSHM_NODES is set or if
// the first argument is not a number of nodes. Called before the job is joined.
absl::Status ObeySpawnFunction(int* argc, char*** argv);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_SPAWN_FUNCTION_H_
