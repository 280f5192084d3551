// GASNET_REFERENCE=1 hides mapped memory, even that of the own rank, and native
// barriers. Only some conduits have these. The reference implementations over
// active messages then do everything, as on a network. The setting serves to
// test the reference implementations, and to find out if a fault is in them or
// in the native parts.
#ifndef CORE_REFERENCE_ONLY_H_
#define CORE_REFERENCE_ONLY_H_

namespace gasnet {

// Returns true if GASNET_REFERENCE is on. The result is the same on all ranks
// once the job has started. Meant for set-up, since it reads the environment.
bool IsReferenceOnly();

}  // namespace gasnet

#endif  // CORE_REFERENCE_ONLY_H_
