// Turns the gasnet_all_* calls that move data into requests, except those with
// lists of partners (gasnet/all_moves.h, all_indexed.h, all_sizes.h). Either
// there is one block per node, regardless of images, or the call has lists of
// blocks.
#ifndef EXPORT_COLL_NODE_MOVES_H_
#define EXPORT_COLL_NODE_MOVES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/log.h"
#include "coll/request.h"
#include "export/coll/front.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// The root of a call: the name of the argument that gives the root's rank, the
// rank, and the area that the root reads or writes.
struct NodeRoot {
  const char* argument;
  gasnet_node_t node;
  const void* area;
};

// The arguments of an indexed call, as the client gave them. Lists that this
// kind of call does not take are null.
struct IndexedLists {
  const gasnet_node_t* nodelist;
  void* const* dstlist;
  void* const* srclist;
  size_t listlen;
  size_t rank;
  size_t nblocks;
};

template <class P>
class NodeMoves {
 public:
  using Front = CollFront<P>;
  using Record = typename Front::Record;
  using Handle = gasnet_coll_handle_t;
  using Kind = coll::CollectiveKind;

  // Begins an operation with one block per node. All blocks have the same size.
  // dst or src is null if this kind of call lacks the argument.
  static Handle Basic(const char* call, Kind kind, const void* dst,
                      const void* src, size_t nbytes, int flags) {
    coll::CollectiveRequest request = Opened(call, kind, nbytes, flags);
    return BeginBasic(request, dst, src);
  }
  static Handle Rooted(const char* call, Kind kind, const NodeRoot& root,
                       const void* dst, const void* src, size_t nbytes,
                       int flags) {
    coll::CollectiveRequest request = Opened(call, kind, nbytes, flags);
    SetRoot(request, root);
    return BeginBasic(request, dst, src);
  }

  static Handle Indexed(const char* call, Kind kind, const IndexedLists& lists,
                        size_t nbytes, int flags) {
    const coll::CollectiveRequest request = Opened(call, kind, nbytes, flags);
    return BeginIndexed(request, lists);
  }
  static Handle RootedIndexed(const char* call, Kind kind, const NodeRoot& root,
                              const IndexedLists& lists, size_t nbytes,
                              int flags) {
    coll::CollectiveRequest request = Opened(call, kind, nbytes, flags);
    SetRoot(request, root);
    return BeginIndexed(request, lists);
  }

  // Begins an operation with blocks of different sizes. out_sizes gives the
  // sizes of the blocks to the nodes. in_sizes gives the sizes of the blocks
  // from them. An argument that the call lacks is null.
  static Handle Sized(const char* call, Kind kind, const void* dst,
                      const void* src, size_t nbytes, const size_t* out_sizes,
                      const size_t* in_sizes, int flags) {
    coll::CollectiveRequest request = Opened(call, kind, 0, flags);
    request.own_size = nbytes;
    if (kind == Kind::kGatherAllV) RequireOwn(request, in_sizes);
    return BeginSized(request, dst, src, out_sizes, in_sizes);
  }
  static Handle RootedSized(const char* call, Kind kind, const NodeRoot& root,
                            const void* dst, const void* src, size_t nbytes,
                            const size_t* out_sizes, const size_t* in_sizes,
                            int flags) {
    coll::CollectiveRequest request = Opened(call, kind, 0, flags);
    SetRoot(request, root);
    request.own_size = nbytes;
    if (root.node != P::node()) out_sizes = in_sizes = nullptr;
    if (root.node == P::node())
      RequireOwn(request, kind == Kind::kScatterV ? out_sizes : in_sizes);
    return BeginSized(request, dst, src, out_sizes, in_sizes);
  }

  // Begins a call over all nodes and returns its request. Also used by other
  // fronts.
  static coll::CollectiveRequest Opened(const char* call, Kind kind,
                                        size_t nbytes, int flags) {
    Front::OpenWithModes(call, flags);
    return Front::RequestOf(call, kind, nbytes, flags);
  }
  static void SetRoot(coll::CollectiveRequest& request, const NodeRoot& root) {
    RequireNode(request.call, root.argument, root.node);
    request.root = root.node;
    request.root_name = root.node;
    request.root_area = const_cast<void*>(root.area);
  }
  static void RequireNode(const char* call, const char* argument,
                          gasnet_node_t node) {
    if (node < P::nodes()) [[likely]]
      return;
    Fatal("%s: %s is %u; this job has nodes 0 to %u", call, argument, node,
          P::nodes() - 1);
  }

  static Handle BeginBasic(coll::CollectiveRequest& request, const void* dst,
                           const void* src) {
    Front::RequireFits(request.call, P::nodes(), request.nbytes);
    SetOne(request, dst, src);
    return Front::BeginAsNode(All(), request);
  }

 private:
  static Record& All() { return P::calls().teams.of_nodes(); }

  static bool HasDests(Kind kind) {
    return kind != Kind::kGather && kind != Kind::kGatherV &&
           kind != Kind::kReduce;
  }
  static bool HasSources(Kind kind) {
    return kind != Kind::kBroadcast && kind != Kind::kScatter &&
           kind != Kind::kScatterV;
  }

  static void SetOne(coll::CollectiveRequest& request, const void* dst,
                     const void* src) {
    if (HasDests(request.kind)) request.dests = dst;
    if (HasSources(request.kind)) request.sources = src;
  }

  static Handle BeginIndexed(const coll::CollectiveRequest& request,
                             const IndexedLists& lists) {
    return request.single ? BeginListed(request, lists)
                          : BeginClaimed(request, lists);
  }

  // Begins an operation for which each node gives only its own blocks.
  static Handle BeginClaimed(coll::CollectiveRequest request,
                             const IndexedLists& lists) {
    if (request.kind == Kind::kBroadcast) {
      // All nodes receive the same block, so the indices of blocks do not
      // matter.
      request.blocks = {.form = coll::BlockMap::Form::kClaimed,
                        .first = 0,
                        .count = lists.listlen,
                        .total = lists.listlen};
    } else {
      RequireRange(request.call, lists);
      Front::RequireFits(request.call, lists.nblocks, request.nbytes);
      request.blocks = {.form = coll::BlockMap::Form::kClaimed,
                        .first = lists.listlen == 0 ? 0 : lists.rank,
                        .count = lists.listlen,
                        .total = lists.nblocks};
    }
    if (HasDests(request.kind)) request.dests = {lists.dstlist, lists.listlen};
    if (HasSources(request.kind))
      request.sources = {lists.srclist, lists.listlen};
    return Front::BeginAsNode(All(), request);
  }

  static void RequireRange(const char* call, const IndexedLists& lists) {
    if (lists.listlen == 0) return;
    if (lists.rank <= lists.nblocks &&
        lists.listlen <= lists.nblocks - lists.rank) [[likely]]
      return;
    Fatal("%s: rank is %zu and listlen %zu, with nblocks %zu", call, lists.rank,
          lists.listlen, lists.nblocks);
  }

  // Begins an operation for which each node lists all blocks. Only some of the
  // blocks belong to this node, and these are mostly consecutive.
  static Handle BeginListed(coll::CollectiveRequest request,
                            const IndexedLists& lists) {
    Front::RequireFits(request.call, lists.listlen, request.nbytes);
    request.blocks = {.form = coll::BlockMap::Form::kListed,
                      .first = 0,
                      .count = 0,
                      .total = lists.listlen,
                      .owners = lists.nodelist};
    std::vector<uint32_t> mine = MyNumbers(request.call, lists);
    const bool in_a_row =
        mine.empty() || mine.back() - mine.front() + 1 == mine.size();
    if (in_a_row) {
      const size_t first = mine.empty() ? 0 : mine.front();
      SetLists(request, lists, [&](void* const* list) {
        return coll::Addresses(list + first, mine.size());
      });
      return Front::BeginAsNode(All(), request);
    }
    return Front::BeginWithNumbers(
        All(), std::move(mine), [&](const std::vector<uint32_t>& numbers) {
          SetLists(request, lists, [&](void* const* list) {
            return coll::Addresses(list, numbers.data(), numbers.size());
          });
          return request;
        });
  }

  template <class Some>
  static void SetLists(coll::CollectiveRequest& request,
                       const IndexedLists& lists, Some some) {
    if (HasDests(request.kind)) request.dests = some(lists.dstlist);
    if (HasSources(request.kind)) request.sources = some(lists.srclist);
  }

  static std::vector<uint32_t> MyNumbers(const char* call,
                                         const IndexedLists& lists) {
    std::vector<uint32_t> mine;
    for (size_t k = 0; k < lists.listlen; ++k) {
      RequireNode(call, "an entry of nodelist", lists.nodelist[k]);
      if (lists.nodelist[k] == P::node())
        mine.push_back(static_cast<uint32_t>(k));
    }
    return mine;
  }

  static Handle BeginSized(coll::CollectiveRequest& request, const void* dst,
                           const void* src, const size_t* out_sizes,
                           const size_t* in_sizes) {
    RequireSum(request.call, out_sizes);
    RequireSum(request.call, in_sizes);
    SetOne(request, dst, src);
    request.out_sizes = out_sizes;
    request.in_sizes = in_sizes;
    return Front::BeginAsNode(All(), request);
  }

  // Requires that this node's entry in the list of sizes equals the nbytes that
  // the call gives.
  static void RequireOwn(const coll::CollectiveRequest& request,
                         const size_t* sizes) {
    if (sizes[P::node()] == request.own_size) [[likely]]
      return;
    Fatal("%s: nbytes is %zu, and this node's entry of the list of sizes %zu",
          request.call, request.own_size, sizes[P::node()]);
  }

  static void RequireSum(const char* call, const size_t* sizes) {
    if (sizes == nullptr) return;
    size_t sum = 0;
    for (Rank node = 0; node < P::nodes(); ++node) {
      if (!__builtin_add_overflow(sum, sizes[node], &sum)) continue;
      Fatal(
          "%s: the sizes of all nodes, %zu of node %u, are more than there "
          "are",
          call, sizes[node], node);
    }
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_NODE_MOVES_H_
