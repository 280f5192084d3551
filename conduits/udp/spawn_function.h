// A program that is started by hand, as `program N arguments`: how jobs of udp
// conduits have always been started. GASNET_SPAWNFN says what is to be done:
//
//   L  N nodes on this host, children of this process
//   S  N nodes through ssh: the process becomes gasnetrun, which finds the
//   hosts
//      in GASNET_SSH_SERVERS and its relatives
//
// Other letters that such programs know are refused by name. Without it, hosts
// in GASNET_SSH_SERVERS or SSH_SERVERS are enough: the process becomes
// gasnetrun, and what it starts on this host it starts itself. Without them too
// the program is a job of one node, and says so where it was given a number.
//
// gasnetrun is the one in PATH, or else that of the prefix which this library,
// or a program that contains it, is installed in.
#ifndef CONDUITS_UDP_SPAWN_FUNCTION_H_
#define CONDUITS_UDP_SPAWN_FUNCTION_H_

#include "absl/status/status.h"

namespace gasnet::udp {

// Before the job is joined. Nothing happens where a launcher has started this
// process, nor, without GASNET_SPAWNFN, where GASNET_PSHM_NODES is set or the
// first argument is no number of nodes. Takes N out of the arguments where it
// has been obeyed.
absl::Status ObeySpawnFunction(int* argc, char*** argv);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_SPAWN_FUNCTION_H_
