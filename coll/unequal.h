// Reductions and prefixes to which each node contributes any number of
// elements. They are built from other collectives:
//
//   1. With IN_ALLSYNC all nodes meet, because elements are read next.
//   2. Each node combines its own elements into one (Combiner::Fold).
//   3. A gather brings the combined elements to the root, or a gather_all
//      brings them to all nodes. Each contribution also carries the arguments
//      that must agree. A node without elements contributes only these.
//   4. Each receiving node combines the contributed elements in the order of
//      nodes, by the tree for that number of sources. In a prefix reduction, a
//      node combines those of lower nodes and then adds its own elements one by
//      one.
//   5. With OUT_ALLSYNC all nodes meet, because results have been written.
//
// The bracketing of a result depends only on the numbers of elements. Each node
// needs 16 bytes and one element of memory for every node of the team. The
// element's size is rounded up to a multiple of 16 bytes. If nodes give
// different roots, modes or element sizes, the error message names the gather.
//
// An UnequalReducer belongs to one call and one thread. E is Collectives, or a
// test's engine. The request is that of an equal reduction (kReduce,
// kReduceAll, kPrefixReduce) with this node's number of elements. The result of
// kReduce and kReduceAll is one element.
#ifndef COLL_UNEQUAL_H_
#define COLL_UNEQUAL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "coll/combine.h"
#include "coll/disagreement.h"
#include "coll/request.h"
#include "core/rank.h"

namespace gasnet::coll {

class CollectiveOperation;

template <class E, class Team>
class UnequalReducer {
 public:
  UnequalReducer(E& engine, Team& team, const CollectiveRequest& request)
      : engine_(engine),
        team_(team),
        request_(request),
        how_(request.reduction),
        cells_(1 + CellsOf(how_.elem_size)),
        mine_(cells_) {}

  void Run() {
    if (request_.in == SyncMode::kAll) Meet(SyncMode::kAll, SyncMode::kMine);
    Contribute();
    Gather();
    if (Receives()) {
      CheckTerms();
      if (request_.kind == CollectiveKind::kPrefixReduce) {
        WritePrefixes();
      } else {
        WriteTotal();
      }
    }
    if (request_.out == SyncMode::kAll) Meet(SyncMode::kMine, SyncMode::kAll);
  }

 private:
  // A unit of memory, aligned for any element.
  struct alignas(16) Cell {
    std::byte bytes[16];
  };
  using Cells = std::vector<Cell>;
  static size_t CellsOf(size_t bytes) {
    return (bytes + sizeof(Cell) - 1) / sizeof(Cell);
  }
  static_assert(sizeof(Contribution) == sizeof(Cell));

  bool IsRooted() const { return request_.kind == CollectiveKind::kReduce; }
  bool Receives() const { return !IsRooted() || request_.root == team_.me(); }

  CollectiveRequest RequestOf(CollectiveKind kind, SyncMode in,
                              SyncMode out) const {
    CollectiveRequest request;
    request.call = request_.call;
    request.kind = kind;
    request.in = in;
    request.out = out;
    request.single = request_.single;
    request.reduction.exclusive = how_.exclusive;
    return request;
  }
  void Perform(const CollectiveRequest& request) {
    CollectiveOperation* const operation = engine_.Begin(team_, request);
    if (operation != nullptr) engine_.Wait(*operation);
  }
  void Meet(SyncMode in, SyncMode out) {
    Cell nothing;
    CollectiveRequest request = RequestOf(CollectiveKind::kGatherAll, in, out);
    request.sources = Addresses(&nothing);
    request.dests = Addresses(&nothing);
    Perform(request);
  }

  const std::byte* Own() const { return request_.sources[0]; }
  std::byte* Result() const {
    return IsRooted() ? static_cast<std::byte*>(request_.root_area)
                      : request_.dests[0];
  }

  void Contribute() {
    const Contribution terms = {
        .name = how_.name,
        .argument = how_.function_arg,
        .elem_size = static_cast<uint32_t>(how_.elem_size),
        .kind = request_.kind,
        .out = request_.out,
        .elements = static_cast<uint8_t>(how_.elem_count > 0 ? 1 : 0)};
    std::memcpy(mine_.data(), &terms, sizeof(terms));
    if (terms.elements == 0) return;
    combiner_.Fold(how_, &mine_[1], Own(), how_.elem_count);
  }

  // Gathers the contributions. Waits for the end of the gather, because the
  // gather sends memory of this object.
  void Gather() {
    CollectiveRequest request = RequestOf(
        IsRooted() ? CollectiveKind::kGather : CollectiveKind::kGatherAll,
        std::min(request_.in, SyncMode::kMine), SyncMode::kMine);
    if (Receives()) all_.resize(team_.nodes() * cells_);
    request.nbytes = cells_ * sizeof(Cell);
    request.sources = Addresses(mine_.data());
    if (IsRooted()) {
      request.root = request_.root;
      request.root_name = request_.root_name;
      request.root_area = all_.data();
    } else {
      request.dests = Addresses(all_.data());
    }
    Perform(request);
  }

  static Contribution TermsAt(const Cell& cell) {
    Contribution terms;
    std::memcpy(&terms, cell.bytes, sizeof(terms));
    return terms;
  }
  void CheckTerms() const {
    const Contribution mine = TermsAt(mine_[0]);
    for (Rank node = 0; node < team_.nodes(); ++node) {
      const Contribution theirs = TermsAt(all_[node * cells_]);
      if (HasSameTerms(theirs, mine)) continue;
      RefuseContribution(request_.call, node, theirs, mine);
    }
  }

  // Combines the contributions of the nodes before `end`. Returns false if none
  // of these nodes has an element.
  bool Combine(Rank end, void* result) {
    std::vector<const void*> elements;
    for (Rank node = 0; node < end; ++node) {
      const Cell* const at = &all_[node * cells_];
      if (TermsAt(*at).elements != 0) elements.push_back(at + 1);
    }
    if (elements.empty()) return false;
    combiner_.Combine(how_, result, elements.data(), elements.size(), 1);
    return true;
  }

  void WriteTotal() { Combine(team_.nodes(), Result()); }

  // Writes the prefixes. Reads each element before writing the element's
  // prefix, because an element and its prefix may share memory.
  void WritePrefixes() {
    const size_t size = how_.elem_size;
    Cells before(cells_);
    Cells with_own(cells_);
    bool has_before = Combine(team_.me(), before.data());
    for (size_t i = 0; i < how_.elem_count; ++i) {
      const std::byte* const own = Own() + i * size;
      const void* const both[] = {before.data(), own};
      const size_t first = has_before ? 0 : 1;
      combiner_.Combine(how_, with_own.data(), both + first, 2 - first, 1);
      if (!how_.exclusive || has_before) {
        std::memcpy(Result() + i * size,
                    how_.exclusive ? before.data() : with_own.data(), size);
      }
      std::swap(before, with_own);
      has_before = true;
    }
  }

  E& engine_;
  Team& team_;
  const CollectiveRequest& request_;
  const Reduction& how_;
  // size of a contribution (terms and element), in cells
  const size_t cells_;
  Cells mine_;
  Cells all_;  // received contributions, indexed by node
  Combiner combiner_;
};

}  // namespace gasnet::coll

#endif  // COLL_UNEQUAL_H_
