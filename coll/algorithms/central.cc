#include "coll/algorithms/central.h"

#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class CentralGatherAll final : public Central {
 public:
  constexpr CentralGatherAll() : Central({.may_push = true}) {}

  void Begin(OperationPhase& at) const override {
    std::byte* const to = at.request.dests[0];
    if (at.index() == 0) {
      return ToCenter(at, at.request.sources[0], to, at.nbytes());
    }
    FromCenter(at, to, 0, to, at.nodes() * at.nbytes());
  }
  void Finish(OperationPhase& at) const override {
    if (at.index() != 0 || !IsCenter(at)) return;
    CopyBytes(at.request.dests[0] + kCenter * at.nbytes(),
              at.request.sources[0], at.nbytes());
  }
};

class CentralExchange final : public Central {
 public:
  constexpr CentralExchange()
      : Central({.is_all_eager = true, .may_push = true}) {}

  void Begin(OperationPhase& at) const override {
    const size_t all = at.nodes() * at.nbytes();
    if (at.index() == 0) {
      return ToCenter(at, at.request.sources[0], Rows(at), all);
    }
    FromCenter(at, Sorted(at), all, at.request.dests[0], all);
  }
  // Sorts the blocks by receiver, on the center, after the first phase.
  void Finish(OperationPhase& at) const override {
    if (at.index() != 0 || !IsCenter(at)) return;
    const size_t nbytes = at.nbytes();
    const size_t all = at.nodes() * nbytes;
    for (Rank from = 0; from < at.nodes(); ++from) {
      const std::byte* const blocks =
          from == kCenter ? at.request.sources[0] : Rows(at) + from * all;
      for (Rank to = 0; to < at.nodes(); ++to) {
        std::byte* const row =
            to == kCenter ? at.request.dests[0] : Sorted(at) + to * all;
        CopyBytes(row + from * nbytes, blocks + to * nbytes, nbytes);
      }
    }
  }

 private:
  // Returns the center's memory: blocks sorted by sender, followed by blocks
  // sorted by receiver. Returns null on other nodes.
  static std::byte* Rows(OperationPhase& at) {
    if (!IsCenter(at)) return nullptr;
    return at.Memory(size_t{2} * at.nodes() * at.nodes() * at.nbytes());
  }
  static std::byte* Sorted(OperationPhase& at) {
    if (!IsCenter(at)) return nullptr;
    return Rows(at) + size_t{at.nodes()} * at.nodes() * at.nbytes();
  }
};

class CentralReduceAll final : public Central {
 public:
  void Begin(OperationPhase& at) const override {
    std::byte* const result = at.request.dests[0];
    if (at.index() != 0) {
      return FromCenter(at, result, 0, result, at.nbytes());
    }
    std::byte* const to =
        IsCenter(at) ? at.Memory(at.nodes() * at.nbytes()) : nullptr;
    ToCenter(at, at.request.sources[0], to, at.nbytes());
  }
  void Finish(OperationPhase& at) const override {
    if (at.index() != 0 || !IsCenter(at)) return;
    at.CombineFirst(at.nodes(), at.request.dests[0], at.nbytes());
  }
};

constexpr CentralGatherAll kCentralGatherAllObject;
constexpr CentralExchange kCentralExchangeObject;
constexpr CentralReduceAll kCentralReduceAllObject;

}  // namespace

const Algorithm& kCentralGatherAll = kCentralGatherAllObject;
const Algorithm& kCentralExchange = kCentralExchangeObject;
const Algorithm& kCentralReduceAll = kCentralReduceAllObject;

}  // namespace gasnet::coll::algorithms
