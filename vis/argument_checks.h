// Checks the arguments of transfers in pieces. A violation ends the job with a
// message that names the call, the entry and the numbers.
#ifndef VIS_ARGUMENT_CHECKS_H_
#define VIS_ARGUMENT_CHECKS_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "core/thread/mode.h"
#include "extended/argument_checks.h"
#include "extended/target.h"
#include "vis/kind.h"
#include "vis/lists.h"
#include "vis/strided.h"

namespace gasnet::vis {

// A list that the call was given, and the name of the argument. A RemoteList
// also has the target.
template <class List>
struct RemoteList {
  extended::Target target;
  const char* argument;
  const List& list;
};
template <class List>
struct LocalList {
  const char* argument;
  const List& list;
};

namespace internal {

[[noreturn]] void RefuseTotals(const char* call, size_t to, size_t from);
void CheckEntry(const char* call, const char* argument, size_t entry,
                const void* address, size_t nbytes);
void CheckRemoteEntry(const char* call, const char* argument, size_t entry,
                      extended::Target target, const void* address,
                      size_t nbytes);
// Checks a range of remote memory. `where` names the call and the argument.
using RemoteCheck = absl::FunctionRef<void(const char* where,
                                           const void* address, size_t nbytes)>;
void CheckStridedSide(const char* call, RemoteCheck check_remote,
                      const StridedCall& strided, TransferKind kind);
// Check that no two pieces of a destination overlap.
void CheckApart(const char* call, const VectorList& to);
void CheckApart(const char* call, const IndexedList& to);
void CheckApart(const char* call, const StridedCall& strided);

}  // namespace internal

// Checks the lists of both sides. Returns the number of bytes of each side.
template <class List>
size_t CheckLists(const char* call, const RemoteList<List>& remote,
                  const LocalList<List>& local, TransferKind kind) {
  extended::CheckCall(call);
  const List& to = kind == TransferKind::kPut ? remote.list : local.list;
  const List& from = kind == TransferKind::kPut ? local.list : remote.list;
  if constexpr (thread::kChecks) {
    extended::CheckRemote(call, remote.target, nullptr, 0);
    for (size_t i = 0; i < remote.list.count; ++i) {
      internal::CheckRemoteEntry(call, remote.argument, i, remote.target,
                                 remote.list.address(i), remote.list.run(i));
    }
    for (size_t i = 0; i < local.list.count; ++i) {
      internal::CheckEntry(call, local.argument, i, local.list.address(i),
                           local.list.run(i));
    }
    internal::CheckApart(call, to);
  }
  const size_t nbytes = to.nbytes();
  if (nbytes != from.nbytes()) [[unlikely]]
    internal::RefuseTotals(call, nbytes, from.nbytes());
  return nbytes;
}

inline void CheckStrided(const char* call, extended::Target target,
                         const StridedCall& strided, TransferKind kind) {
  extended::CheckCall(call);
  if constexpr (thread::kChecks) {
    extended::CheckRemote(call, target, nullptr, 0);
    internal::CheckStridedSide(
        call,
        [target](const char* where, const void* address, size_t nbytes) {
          extended::CheckRemote(where, target, address, nbytes);
        },
        strided, kind);
    internal::CheckApart(call, strided);
  }
}

}  // namespace gasnet::vis

#endif  // VIS_ARGUMENT_CHECKS_H_
