// Makes the call of a trial: any function of the families gasnet_coll_* and
// gasnet_all_*, in its blocking or its non-blocking form.
#include "conformance/coll/trial.h"

namespace conformance {
namespace {

constexpr int kArgument = 4711;
constexpr unsigned kAddWords = 1;

}  // namespace

template <class Blocking, class NonBlocking, class... Arguments>
void Trial::Do(Blocking blocking, NonBlocking nb, Arguments... arguments) {
  if (plan_.blocking) {
    blocking(arguments..., plan_.flags());
  } else {
    handle_ = nb(arguments..., plan_.flags());
  }
}

// Returns the address to pass as the destination. With SINGLE, all nodes pass
// one address. Without SINGLE, it is the address of this node's first area.
char* Trial::GivenDst() const {
  for (const Area& area : dsts_) {
    if (area.owner == me_ || (plan_.single && dsts_.size() == 1)) {
      return DstOf(area);
    }
  }
  return nullptr;
}

char* Trial::GivenSrc() const {
  for (const Area& area : srcs_) {
    if (area.owner == me_ || (plan_.single && srcs_.size() == 1)) {
      return SrcOf(area);
    }
  }
  return nullptr;
}

void Trial::Call() {
  switch (plan_.form) {
    case Form::kTeam:
      return CallTeam();
    case Form::kLists:
      return CallLists();
    case Form::kAll:
      return CallAll();
    case Form::kIndexed:
      return CallIndexed();
  }
}

void Trial::CallTeam() {
  const gasnet_team_handle_t team = plan_.group->handle;
  char* const dst = GivenDst();
  char* const src = GivenSrc();
  const gasnet_image_t root = plan_.root;
  const size_t n = plan_.nbytes;
  const unsigned function = plan_.matrices ? kMultiplyMatrices : kAddWords;
  const size_t elem = plan_.matrices ? kMatrixBytes : sizeof(uint64_t);
  switch (plan_.kind) {
    case Kind::kBroadcast:
      return Do(gasnet_coll_broadcast, gasnet_coll_broadcast_nb, team, dst,
                root, src, n);
    case Kind::kScatter:
      return Do(gasnet_coll_scatter, gasnet_coll_scatter_nb, team, dst, root,
                src, n);
    case Kind::kGather:
      return Do(gasnet_coll_gather, gasnet_coll_gather_nb, team, root, dst, src,
                n);
    case Kind::kGatherAll:
      return Do(gasnet_coll_gather_all, gasnet_coll_gather_all_nb, team, dst,
                src, n);
    case Kind::kExchange:
      return Do(gasnet_coll_exchange, gasnet_coll_exchange_nb, team, dst, src,
                n);
    default:
      return Do(gasnet_coll_reduce, gasnet_coll_reduce_nb, team, root, dst, src,
                0, 0, elem, n / elem, function, kArgument);
  }
}

// Lists this node's blocks for LOCAL, and all blocks for SINGLE.
void Trial::ListBlocks() {
  for (uint32_t block = 0; block < blocks(); ++block) {
    if (!plan_.single && owners_[block] != me_) continue;
    nodes_.push_back(NodeOf(owners_[block]));
    dst_list_.push_back(dsts_.size() == blocks() ? DstOf(dsts_[block])
                                                 : nullptr);
    src_list_.push_back(srcs_.size() == blocks() ? SrcOf(srcs_[block])
                                                 : nullptr);
  }
}

void Trial::CallLists() {
  ListBlocks();
  const gasnet_team_handle_t team = plan_.group->handle;
  void* const* const dsts = dst_list_.data();
  void* const* const srcs = src_list_.data();
  const gasnet_image_t root = plan_.root;
  const size_t n = plan_.nbytes;
  const unsigned function = plan_.matrices ? kMultiplyMatrices : kAddWords;
  const size_t elem = plan_.matrices ? kMatrixBytes : sizeof(uint64_t);
  switch (plan_.kind) {
    case Kind::kBroadcast:
      return Do(gasnet_coll_broadcastM, gasnet_coll_broadcastM_nb, team, dsts,
                root, GivenSrc(), n);
    case Kind::kScatter:
      return Do(gasnet_coll_scatterM, gasnet_coll_scatterM_nb, team, dsts, root,
                GivenSrc(), n);
    case Kind::kGather:
      return Do(gasnet_coll_gatherM, gasnet_coll_gatherM_nb, team, root,
                GivenDst(), srcs, n);
    case Kind::kGatherAll:
      return Do(gasnet_coll_gather_allM, gasnet_coll_gather_allM_nb, team, dsts,
                srcs, n);
    case Kind::kExchange:
      return Do(gasnet_coll_exchangeM, gasnet_coll_exchangeM_nb, team, dsts,
                srcs, n);
    default:
      return Do(gasnet_coll_reduceM, gasnet_coll_reduceM_nb, team, root,
                GivenDst(), srcs, 0, 0, elem, n / elem, function, kArgument);
  }
}

void Trial::CallAll() {
  char* const dst = GivenDst();
  char* const src = GivenSrc();
  const gasnet_node_t root = plan_.root;
  const size_t n = plan_.nbytes;
  switch (plan_.kind) {
    case Kind::kBroadcast:
      return Do(gasnet_all_broadcast, gasnet_all_broadcast_nb, dst, root, src,
                n);
    case Kind::kScatter:
      return Do(gasnet_all_scatter, gasnet_all_scatter_nb, dst, root, src, n);
    case Kind::kGather:
      return Do(gasnet_all_gather, gasnet_all_gather_nb, root, dst, src, n);
    case Kind::kGatherAll:
      return Do(gasnet_all_gather_all, gasnet_all_gather_all_nb, dst, src, n);
    case Kind::kExchange:
      return Do(gasnet_all_exchange, gasnet_all_exchange_nb, dst, src, n);
    case Kind::kPermute:
      return Do(gasnet_all_permute, gasnet_all_permute_nb, dst, TargetOf(me_),
                src, n);
    case Kind::kPut:
    case Kind::kGet:
      return CallPairs();
    default:
      return plan_.IsComputed() ? CallComputing() : CallSizes();
  }
}

void Trial::CallComputing() {
  const gasnet_all_type_t type =
      plan_.matrices ? GASNET_ALL_BYTES(kMatrixBytes) : GASNET_ALL_UINT64;
  const gasnet_all_op_t op =
      plan_.matrices ? GASNET_ALL_FUNCTION(kMultiplyMatrices) : GASNET_ALL_SUM;
  const size_t count =
      plan_.nbytes / (plan_.matrices ? kMatrixBytes : sizeof(uint64_t));
  switch (plan_.kind) {
    case Kind::kReduce:
      return Do(gasnet_all_reduce, gasnet_all_reduce_nb, plan_.root, GivenDst(),
                GivenSrc(), count, type, op, kArgument);
    case Kind::kReduceAll:
      return Do(gasnet_all_reduce_all, gasnet_all_reduce_all_nb, GivenDst(),
                GivenSrc(), count, type, op, kArgument);
    default:
      return Do(gasnet_all_prefix_reduce, gasnet_all_prefix_reduce_nb,
                GivenDst(), GivenSrc(), count, type, op, kArgument);
  }
}

void Trial::CallSizes() {
  for (uint32_t block = 0; block < blocks(); ++block) {
    const bool each = plan_.kind == Kind::kExchangeV;
    out_sizes_.push_back(each ? SizeOf(me_, block) : SizeTo(block));
    in_sizes_.push_back(each ? SizeOf(block, me_) : SizeTo(block));
  }
  char* const dst = GivenDst();
  char* const src = GivenSrc();
  const size_t* const out = out_sizes_.data();
  const size_t* const in = in_sizes_.data();
  const size_t own = out_sizes_[me_];
  switch (plan_.kind) {
    case Kind::kScatterV:
      return Do(gasnet_all_scatterv, gasnet_all_scatterv_nb, dst, own,
                plan_.root, src, out);
    case Kind::kGatherV:
      return Do(gasnet_all_gatherv, gasnet_all_gatherv_nb, plan_.root, dst, in,
                src, own);
    case Kind::kGatherAllV:
      return Do(gasnet_all_gather_allv, gasnet_all_gather_allv_nb, dst, in, src,
                own);
    default:
      return Do(gasnet_all_exchangev, gasnet_all_exchangev_nb, dst, in, src,
                out);
  }
}

void Trial::CallPairs() {
  const bool puts = plan_.kind == Kind::kPut;
  for (uint32_t i = 0; i < blocks(); ++i) {
    if (owners_[i] == me_) {
      nodes_.push_back(NodeOf(targets_[i]));
      dst_list_.push_back(DstOf(dsts_[i]));
      src_list_.push_back(SrcOf(srcs_[i]));
    }
    if (targets_[i] == me_) partners_.push_back(NodeOf(owners_[i]));
  }
  const gasnet_node_t* const nodes = nodes_.data();
  const gasnet_node_t* const partners = partners_.data();
  void* const* const dsts = dst_list_.data();
  void* const* const srcs = src_list_.data();
  const size_t incoming = partners_.size();
  const size_t n = plan_.nbytes;
  if (plan_.form == Form::kIndexed && puts) {
    return Do(gasnet_all_puti, gasnet_all_puti_nb, nodes, dsts, srcs,
              nodes_.size(), partners, incoming, n);
  }
  if (plan_.form == Form::kIndexed) {
    return Do(gasnet_all_geti, gasnet_all_geti_nb, dsts, nodes, srcs,
              nodes_.size(), partners, incoming, n);
  }
  if (puts) {
    return Do(gasnet_all_put, gasnet_all_put_nb, nodes[0], dsts[0], srcs[0],
              partners, incoming, n);
  }
  Do(gasnet_all_get, gasnet_all_get_nb, dsts[0], nodes[0], srcs[0], partners,
     incoming, n);
}

void Trial::CallIndexed() {
  if (plan_.kind == Kind::kPut || plan_.kind == Kind::kGet) return CallPairs();
  ListBlocks();
  size_t first = 0;
  while (first < blocks() && owners_[first] != me_) ++first;
  // Arguments that the call must ignore get wrong values.
  const gasnet_node_t* const nodes = plan_.single ? nodes_.data() : nullptr;
  const size_t rank = plan_.single || nodes_.empty() ? 12345 : first;
  const size_t total = plan_.single ? 54321 : blocks();
  void* const* const dsts = dst_list_.data();
  void* const* const srcs = src_list_.data();
  const size_t length = nodes_.size();
  const gasnet_node_t root = plan_.root;
  const size_t n = plan_.nbytes;
  switch (plan_.kind) {
    case Kind::kBroadcast:
      return Do(gasnet_all_broadcasti, gasnet_all_broadcasti_nb, nodes, dsts,
                root, GivenSrc(), length, n, rank, total);
    case Kind::kScatter:
      return Do(gasnet_all_scatteri, gasnet_all_scatteri_nb, nodes, dsts, root,
                GivenSrc(), length, n, rank, total);
    case Kind::kGather:
      return Do(gasnet_all_gatheri, gasnet_all_gatheri_nb, root, GivenDst(),
                nodes, srcs, length, n, rank, total);
    case Kind::kGatherAll:
      return Do(gasnet_all_gather_alli, gasnet_all_gather_alli_nb, nodes, dsts,
                srcs, length, n, rank, total);
    default:
      return Do(gasnet_all_exchangei, gasnet_all_exchangei_nb, nodes, dsts,
                srcs, length, n, rank, total);
  }
}

}  // namespace conformance
