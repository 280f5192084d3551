// The flags of one call, translated for the engine. Debug builds check that
// each group of flags has exactly one set.
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

// Return the synchronisation that the flags ask for: the strongest if there are
// several, and by default the strongest of all.
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

// Returns true for SINGLE. LOCAL is the default and wins if both flags are
// given, since a node's own addresses are valid in both modes.
inline bool IsSingle(int flags) {
  return (flags & (GASNET_COLL_SINGLE | GASNET_COLL_LOCAL)) ==
         GASNET_COLL_SINGLE;
}

inline void CheckModes(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::CheckModes(call, flags);
}
// Ends the job, in debug builds, if the flags have SINGLE. Calls that do not
// support SINGLE use it.
inline void RequireLocal(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::RequireLocal(call, flags);
}

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FLAGS_H_
