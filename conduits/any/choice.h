// The conduit of a job whose program contains all of them.
//
// GASNET_CONDUIT names it. Without it that is smp where all ranks are on one
// host; else ofi where libfabric has, on all hosts, a network of its own; else
// udp. portals is only taken where it is named.
#ifndef CONDUITS_ANY_CHOICE_H_
#define CONDUITS_ANY_CHOICE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/runtime/conduit.h"
#include "job/job.h"

namespace gasnet::any {

// Collective. Fails on all ranks where GASNET_CONDUIT is not the same on all. A
// name that is none ends the job (base/env.h).
absl::StatusOr<const Conduit*> ChooseConduit(job::Job& job);

// As Conduit::before_start: that of the conduit which GASNET_CONDUIT names, or
// of udp, in whose way programs are started by hand.
absl::Status BeforeStart(int* argc, char*** argv);

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_CHOICE_H_
