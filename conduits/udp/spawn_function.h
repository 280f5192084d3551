// A program that is started by hand, as `program N arguments` with
// GASNET_SPAWNFN set: how jobs of udp conduits have always been started.
//
//   L  N nodes on this host, children of this process
//   S  N nodes through ssh: the process becomes gasnetrun, which must be in
//      PATH and finds the hosts in GASNET_SSH_SERVERS and its relatives
//
// Other letters that such programs know are refused by name.
#ifndef CONDUITS_UDP_SPAWN_FUNCTION_H_
#define CONDUITS_UDP_SPAWN_FUNCTION_H_

#include "absl/status/status.h"

namespace gasnet::udp {

// Before the job is joined. Nothing happens where the variable is not set or a
// launcher has started this process. Takes N out of the arguments.
absl::Status ObeySpawnFunction(int* argc, char*** argv);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_SPAWN_FUNCTION_H_
