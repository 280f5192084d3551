// The gasnet_all_* calls that combine any number of elements from each node
// (gasnet/all_compute.h). Each call is blocking, and consists of other
// collectives (coll/unequal.h).
#ifndef EXPORT_COLL_UNEQUAL_MOVES_H_
#define EXPORT_COLL_UNEQUAL_MOVES_H_

#include "coll/request.h"
#include "coll/unequal.h"
#include "core/thread/mode.h"
#include "export/coll/areas.h"
#include "export/coll/front.h"
#include "export/coll/node_moves.h"
#include "export/coll/pair_moves.h"
#include "gasnet/all_compute.h"
#include "gasnet/types.h"

namespace gasnet::exported {

template <class P>
class UnequalMoves {
 public:
  using Front = CollFront<P>;
  using Nodes = NodeMoves<P>;
  using Pairs = PairMoves<P>;
  using Kind = coll::CollectiveKind;

  static void Reduce(const char* call, gasnet_node_t dstnode, const void* dst,
                     const void* src, const TypedElements& elements,
                     int flags) {
    coll::CollectiveRequest request =
        Pairs::Computing(call, Kind::kReduce, elements, flags);
    Nodes::SetRoot(request, {"dstnode", dstnode, dst});
    request.sources = src;
    Run(request);
  }
  // Begins a reduction with a result on every node, and waits for it. kind is
  // kReduceAll or kPrefixReduce.
  static void ReduceEverywhere(const char* call, Kind kind, const void* dst,
                               const void* src, const TypedElements& elements,
                               int flags) {
    coll::CollectiveRequest request =
        Pairs::Computing(call, kind, elements, flags);
    request.dests = dst;
    request.sources = src;
    Run(request);
  }

 private:
  static void Run(const coll::CollectiveRequest& request) {
    const typename Front::Initiation initiation(request.call);
    if constexpr (thread::kChecks)
      CheckUnequalAreas(request, P::node(), P::segment());
    coll::UnequalReducer(P::engine(), P::calls().teams.of_nodes().team, request)
        .Run();
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_UNEQUAL_MOVES_H_
