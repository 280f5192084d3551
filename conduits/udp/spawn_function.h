// Starts a job from a program that is started by hand, as `program N
// arguments`, which is how jobs of udp conduits have always been started.
// GASNET_SPAWNFN says what to do:
//
//   L  N nodes on this host, children of this process
//   S  N nodes through ssh: the process becomes gasnetrun, which finds the
//      hosts in GASNET_SSH_SERVERS and its relatives
//   C  by a command of the user's, CSPAWN_CMD, that this process becomes: a
//      launcher that nodes know
//
// Other letters are refused by name. Without GASNET_SPAWNFN, hosts in
// GASNET_SSH_SERVERS or SSH_SERVERS are enough: the process becomes gasnetrun,
// and the processes on this host are its own children. Without them too, the
// program is a job of one node, and reports it if it was given a number.
//
// gasnetrun is the one in PATH, or else that of the prefix in which this
// library, or a program that contains it, is installed.
#ifndef CONDUITS_UDP_SPAWN_FUNCTION_H_
#define CONDUITS_UDP_SPAWN_FUNCTION_H_

#include "absl/status/status.h"

namespace gasnet::udp {

// Called before the job is joined. Does nothing if a launcher has started this
// process. Without GASNET_SPAWNFN, it does nothing either if GASNET_PSHM_NODES
// is set or the first argument is no number of nodes. Removes N from the
// arguments if it has been obeyed.
absl::Status ObeySpawnFunction(int* argc, char*** argv);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_SPAWN_FUNCTION_H_
