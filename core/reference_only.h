// GASNET_REFERENCE=1 hides the abilities that only some conduits have: mapped
// memory, that of the own rank included, and a native barrier. The reference
// implementations over active messages then do everything, as on a network.
// Used to test them, and to find out if a fault lies in them or in the native
// parts.
#ifndef CORE_REFERENCE_ONLY_H_
#define CORE_REFERENCE_ONLY_H_

namespace gasnet {

// Returns true if GASNET_REFERENCE is on. The same on all ranks once the job
// has started. Meant for set-up, since it reads the setting.
bool IsReferenceOnly();

}  // namespace gasnet

#endif  // CORE_REFERENCE_ONLY_H_
