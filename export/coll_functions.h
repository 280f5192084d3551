// The collectives of gasnet_coll.h for one policy (coll/front.h), as the C
// functions call them. The class combines the implementations of gasnet_coll_*
// and gasnet_all_*.
#ifndef EXPORT_COLL_FUNCTIONS_H_
#define EXPORT_COLL_FUNCTIONS_H_

#include <cstddef>
#include <span>

#include "base/log.h"
#include "coll/sort.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "export/coll/barriers.h"
#include "export/coll/front.h"
#include "export/coll/node_moves.h"
#include "export/coll/pair_moves.h"
#include "export/coll/team_moves.h"
#include "export/coll/teams.h"
#include "export/coll/unequal_moves.h"
#include "export/observed.h"
#include "gasnet/types.h"

namespace gasnet::exported {

template <class P>
class CollFunctions {
 public:
  using Front = CollFront<P>;
  using Team = TeamMoves<P>;
  using Nodes = NodeMoves<P>;
  using Pairs = PairMoves<P>;
  using Unequal = UnequalMoves<P>;
  using Teams = CollTeams<P>;
  using Barriers = CollBarriers<P>;
  using Handle = gasnet_coll_handle_t;
  using Handles = CollHandles<P>;

  // Waits for the operation that a blocking call has begun. Every blocking call
  // ends with Finish().
  static void Finish(Handle handle) { Handles::Wait(handle); }

  // Synchronisation.
  static void WaitSync(const char* call, Handle handle) {
    CheckSync(call);
    Handles::Wait(handle);
  }
  static int TrySync(const char* call, Handle handle) {
    CheckSync(call);
    return ResultOf(Handles::Try(handle));
  }
  static void WaitAll(const char* call, Handle* handles, size_t n) {
    Handles::WaitAll(Checked(call, handles, n));
  }
  static int TryAll(const char* call, Handle* handles, size_t n) {
    return ResultOf(Handles::TryAll(Checked(call, handles, n)));
  }
  static void WaitSome(const char* call, Handle* handles, size_t n) {
    Handles::WaitSome(Checked(call, handles, n));
  }
  static int TrySome(const char* call, Handle* handles, size_t n) {
    return ResultOf(Handles::TrySome(Checked(call, handles, n)));
  }

  static void Sort(void* base, size_t count, size_t elem_size,
                   int (*compare)(const void*, const void*), int flags) {
    constexpr const char* kCall = "gasnet_all_sort";
    Front::OpenWithModes(kCall, flags);
    if (elem_size == 0) Fatal("%s: elem_size is 0", kCall);
    if (compare == nullptr) Fatal("%s: compare is NULL", kCall);
    Front::RequireFits(kCall, count, elem_size);
    const typename Front::Initiation initiation(kCall);
    coll::Sorter(P::engine(), P::calls().teams.of_nodes().team,
                 {.call = kCall,
                  .base = base,
                  .count = count,
                  .elem_size = elem_size,
                  .compare = compare,
                  .out = OutOf(flags)})
        .Run();
  }

 private:
  static void CheckSync(const char* call) {
    RequireAttached(call);
    thread::RequireMayCommunicate(call);
  }

  static std::span<Handle> Checked(const char* call, Handle* handles,
                                   size_t n) {
    CheckSync(call);
    if (thread::kChecks && handles == nullptr && n > 0)
      Fatal("%s: handles is NULL, with n %zu", call, n);
    return {handles, n};
  }

  static int ResultOf(bool synced) {
    return synced ? GASNET_OK : GASNET_ERR_NOT_READY;
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FUNCTIONS_H_
