// GASNET_REFERENCE=1 hides mapped memory, including this rank's own, and native
// barriers. The reference implementations over active messages then do
// everything. The setting serves to test the reference implementations, and to
// find out if a fault is in them or in the native parts.
#ifndef CORE_REFERENCE_ONLY_H_
#define CORE_REFERENCE_ONLY_H_

namespace gasnet {

// Returns true if GASNET_REFERENCE is on. The result is the same on all ranks
// once the job has started. Meant for set-up, since it reads the environment.
bool IsReferenceOnly();

}  // namespace gasnet

#endif  // CORE_REFERENCE_ONLY_H_
