// Chooses the conduit for a job whose program contains all conduits.
//
// GASNET_CONDUIT names the conduit. If it is not set, the conduit is:
//
//   - smp, if all ranks are on one host
//   - else ofi, if libfabric has a provider on all hosts that does not use the
//     host's IP
//   - else udp
//
// The portals conduit is chosen only if GASNET_CONDUIT names it.
#ifndef CONDUITS_ANY_CHOICE_H_
#define CONDUITS_ANY_CHOICE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/runtime/conduit.h"
#include "job/job.h"

namespace gasnet::any {

// Returns the job's conduit. Collective: fails on all ranks if GASNET_CONDUIT
// differs among them. An unknown name ends the job (base/env.h).
absl::StatusOr<const Conduit*> ChooseConduit(job::Job& job);

// Runs Conduit::before_start of the conduit that GASNET_CONDUIT names. If
// GASNET_CONDUIT names none, runs before_start of udp. Programs can then be
// started by hand like udp programs.
absl::Status BeforeStart(int* argc, char*** argv);

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_CHOICE_H_
