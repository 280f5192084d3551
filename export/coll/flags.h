// Translates the flags of one call for the engine. The flags form groups. Debug
// builds check that a call sets exactly one flag of each group.
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

// InOf() returns the input synchronisation that the flags ask for, OutOf() the
// output synchronisation. If there are several flags, the strongest counts; if
// there are none, ALLSYNC.
inline coll::SyncMode InOf(int flags) {
  if ((flags & GASNET_COLL_IN_ALLSYNC) != 0) return coll::SyncMode::kAll;
  if ((flags & GASNET_COLL_IN_MYSYNC) != 0) return coll::SyncMode::kMine;
  if ((flags & GASNET_COLL_IN_NOSYNC) != 0) return coll::SyncMode::kNone;
  return coll::SyncMode::kAll;
}
inline coll::SyncMode OutOf(int flags) {
  if ((flags & GASNET_COLL_OUT_ALLSYNC) != 0) return coll::SyncMode::kAll;
  if ((flags & GASNET_COLL_OUT_MYSYNC) != 0) return coll::SyncMode::kMine;
  if ((flags & GASNET_COLL_OUT_NOSYNC) != 0) return coll::SyncMode::kNone;
  return coll::SyncMode::kAll;
}

// Returns true if the flags ask for SINGLE. LOCAL is the default and wins if
// both flags are given, since a node's own addresses are valid in both modes.
inline bool IsSingle(int flags) {
  return (flags & (GASNET_COLL_SINGLE | GASNET_COLL_LOCAL)) ==
         GASNET_COLL_SINGLE;
}

inline void CheckModes(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::CheckModes(call, flags);
}
// Checks the flags of calls that do not support SINGLE. In debug builds, ends
// the job if the flags have SINGLE.
inline void RequireLocal(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::RequireLocal(call, flags);
}

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FLAGS_H_
