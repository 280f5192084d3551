// Turns two groups of gasnet_all_* calls into requests. In the first group, the
// nodes define which data moves (gasnet/all_pairs.h). The second group is
// reductions over all nodes (gasnet/all_compute.h).
#ifndef EXPORT_COLL_PAIR_MOVES_H_
#define EXPORT_COLL_PAIR_MOVES_H_

#include <cstddef>

#include "base/log.h"
#include "coll/request.h"
#include "export/coll/front.h"
#include "export/coll/node_moves.h"
#include "export/coll/reduction_of.h"
#include "gasnet/all_compute.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// The nodes that move data to or from this node's memory.
struct PartnerList {
  const gasnet_node_t* list;
  size_t count;
};

// The moves that this node requests: one block, or a list of blocks.
struct OneMove {
  gasnet_node_t node;
  const void* dst;
  const void* src;
};
struct MoveLists {
  const gasnet_node_t* nodelist;
  void* const* dstlist;
  void* const* srclist;
  size_t listlen;
};

// The elements of a computation and the function that combines them.
struct TypedElements {
  size_t elem_count;
  gasnet_all_type_t type;
  gasnet_all_op_t op;
  int op_arg;
};

template <class P>
class PairMoves {
 public:
  using Nodes = NodeMoves<P>;
  using Front = CollFront<P>;
  using Handle = gasnet_coll_handle_t;
  using Kind = coll::CollectiveKind;

  // Begins a transfer between pairs of nodes. kind is kPut or kGet.
  template <class Moves>
  static Handle Move(const char* call, Kind kind, const Moves& moves,
                     const PartnerList& partners, size_t nbytes, int flags) {
    coll::CollectiveRequest request = Nodes::Opened(call, kind, nbytes, flags);
    RequireLocal(call, flags);
    request.single = false;
    Set(request, moves);
    for (size_t i = 0; i < partners.count; ++i) {
      Nodes::RequireNode(call, "an entry of partnerlist", partners.list[i]);
    }
    request.partners.partners = {partners.list, partners.count};
    return Front::BeginAsNode(P::calls().teams.of_nodes(), request);
  }

  static Handle Permute(const char* call, const void* dst,
                        gasnet_node_t dstnode, const void* src, size_t nbytes,
                        int flags) {
    coll::CollectiveRequest request =
        Nodes::Opened(call, Kind::kPermute, nbytes, flags);
    Nodes::RequireNode(call, "dstnode", dstnode);
    request.target = dstnode;
    return Nodes::BeginBasic(request, dst, src);
  }

  static Handle Reduce(const char* call, gasnet_node_t dstnode, const void* dst,
                       const void* src, const TypedElements& elements,
                       int flags) {
    coll::CollectiveRequest request =
        Computing(call, Kind::kReduce, elements, flags);
    Nodes::SetRoot(request, {"dstnode", dstnode, dst});
    return Nodes::BeginBasic(request, dst, src);
  }
  // Begins a reduction that gives every node a result. kind is kReduceAll or
  // kPrefixReduce.
  static Handle ReduceEverywhere(const char* call, Kind kind, const void* dst,
                                 const void* src, const TypedElements& elements,
                                 int flags) {
    coll::CollectiveRequest request = Computing(call, kind, elements, flags);
    return Nodes::BeginBasic(request, dst, src);
  }

  // Returns the request of a call that combines elements. The request's nbytes
  // is the number of bytes of this node's elements. Also used by other fronts.
  static coll::CollectiveRequest Computing(const char* call, Kind kind,
                                           const TypedElements& elements,
                                           int flags) {
    coll::CollectiveRequest request = Nodes::Opened(call, kind, 0, flags);
    request.reduction =
        TypedReduction(P::calls().set_up, call, elements.type, elements.op,
                       elements.op_arg, elements.elem_count);
    request.reduction.exclusive =
        kind == Kind::kPrefixReduce && (flags & GASNET_ALL_EXCLUSIVE) != 0;
    request.nbytes = request.reduction.elem_size * request.reduction.elem_count;
    return request;
  }

 private:
  static void Set(coll::CollectiveRequest& request, const OneMove& move) {
    Nodes::RequireNode(request.call, NodeArgument(request.kind), move.node);
    request.partners.node = move.node;
    request.partners.dests = move.dst;
    request.partners.sources = move.src;
    request.partners.count = 1;
  }
  static void Set(coll::CollectiveRequest& request, const MoveLists& moves) {
    for (size_t i = 0; i < moves.listlen; ++i) {
      Nodes::RequireNode(request.call, "an entry of nodelist",
                         moves.nodelist[i]);
    }
    request.partners.nodes = moves.nodelist;
    request.partners.dests = {moves.dstlist, moves.listlen};
    request.partners.sources = {moves.srclist, moves.listlen};
    request.partners.count = moves.listlen;
  }
  static const char* NodeArgument(Kind kind) {
    return kind == Kind::kPut ? "dstnode" : "srcnode";
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_PAIR_MOVES_H_
