// The flags of one call, translated for the engine. Debug builds check that
// there is exactly one of each group.
#ifndef EXPORT_COLL_FLAGS_H_
#define EXPORT_COLL_FLAGS_H_

#include "coll/request.h"
#include "core/thread/mode.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

namespace internal {
void CheckModes(const char* call, int flags);
void RequireLocal(const char* call, int flags);
}  // namespace internal

// Return the strongest of several modes; without a flag, the default is the
// strongest.
inline coll::Sync InOf(int flags) {
  if ((flags & GASNET_COLL_IN_ALLSYNC) != 0) return coll::Sync::kAll;
  if ((flags & GASNET_COLL_IN_MYSYNC) != 0) return coll::Sync::kMine;
  if ((flags & GASNET_COLL_IN_NOSYNC) != 0) return coll::Sync::kNone;
  return coll::Sync::kAll;
}
inline coll::Sync OutOf(int flags) {
  if ((flags & GASNET_COLL_OUT_ALLSYNC) != 0) return coll::Sync::kAll;
  if ((flags & GASNET_COLL_OUT_MYSYNC) != 0) return coll::Sync::kMine;
  if ((flags & GASNET_COLL_OUT_NOSYNC) != 0) return coll::Sync::kNone;
  return coll::Sync::kAll;
}

// Returns true for SINGLE. A node's own addresses are valid in both modes, so
// LOCAL wins and is the default.
inline bool IsSingle(int flags) {
  return (flags & (GASNET_COLL_SINGLE | GASNET_COLL_LOCAL)) ==
         GASNET_COLL_SINGLE;
}

inline void CheckModes(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::CheckModes(call, flags);
}
// Refuses SINGLE, for calls that do not support it.
inline void RequireLocal(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::RequireLocal(call, flags);
}

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FLAGS_H_
