// The conduit of a job whose program contains all of them.
//
// GASNET_CONDUIT names it. If it is not set, the conduit is smp if all ranks
// are on one host; else ofi if libfabric has a network of its own on all hosts;
// else udp. portals is only chosen if it is named.
#ifndef CONDUITS_ANY_CHOICE_H_
#define CONDUITS_ANY_CHOICE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/runtime/conduit.h"
#include "job/job.h"

namespace gasnet::any {

// Collective. Fails on all ranks if GASNET_CONDUIT differs among them. A name
// of no conduit ends the job (base/env.h).
absl::StatusOr<const Conduit*> ChooseConduit(job::Job& job);

// Does what Conduit::before_start says, for the conduit that GASNET_CONDUIT
// names. If it names none, udp's before_start runs, since programs are started
// by hand as those of udp are.
absl::Status BeforeStart(int* argc, char*** argv);

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_CHOICE_H_
