// Collectives of contiguous parts of different sizes, one for each node. Each
// part goes directly to its receiver.
#include <cstddef>

#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

// Returns the total size of the parts of all nodes below `node`.
size_t BytesBefore(const size_t* sizes, Rank node) {
  size_t before = 0;
  for (Rank i = 0; i < node; ++i) before += sizes[i];
  return before;
}

void TakeFromAll(OperationPhase& at, std::byte* to) {
  at.NoIns(at.nodes());
  for (Rank node = 0; node < at.nodes(); ++node) {
    const size_t size = at.request.in_sizes[node];
    if (node != at.me()) at.In(node, node, to, size);
    to += size;
  }
}

void SendToAll(OperationPhase& at, const std::byte* from, Rank key) {
  for (Rank node = 0; node < at.nodes(); ++node) {
    const size_t size = at.request.out_sizes[node];
    if (node != at.me()) at.Out(node, key, from, size);
    from += size;
  }
}

class OfSizes : public Algorithm {
 protected:
  constexpr OfSizes() : Algorithm({.has_own_sizes = true}) {}
  ~OfSizes() = default;
};

class ScatterV final : public OfSizes {
 public:
  void Begin(OperationPhase& at) const override {
    at.NoIns(at.IsRoot() ? 0 : 1);
    if (at.IsRoot()) return SendToAll(at, at.root_area(), 0);
    at.In(0, at.request.root, at.request.dests[0], at.request.own_size);
  }
  void Finish(OperationPhase& at) const override {
    if (!at.IsRoot()) return;
    const size_t* const sizes = at.request.out_sizes;
    CopyBytes(at.request.dests[0], at.root_area() + BytesBefore(sizes, at.me()),
              sizes[at.me()]);
  }
};

class GatherV final : public OfSizes {
 public:
  void Begin(OperationPhase& at) const override {
    if (at.IsRoot()) return TakeFromAll(at, at.root_area());
    at.NoIns(0);
    at.Out(at.request.root, at.me(), at.request.sources[0],
           at.request.own_size);
  }
  void Finish(OperationPhase& at) const override {
    if (!at.IsRoot()) return;
    const size_t* const sizes = at.request.in_sizes;
    CopyBytes(at.root_area() + BytesBefore(sizes, at.me()),
              at.request.sources[0], sizes[at.me()]);
  }
  bool OnlySends(const OperationPhase& at, Rank node) const override {
    return node != at.request.root;
  }
};

class GatherAllV final : public OfSizes {
 public:
  void Begin(OperationPhase& at) const override {
    TakeFromAll(at, at.request.dests[0]);
    for (Rank node = 0; node < at.nodes(); ++node) {
      if (node == at.me()) continue;
      at.Out(node, at.me(), at.request.sources[0],
             at.request.in_sizes[at.me()]);
    }
  }
  void Finish(OperationPhase& at) const override {
    const size_t* const sizes = at.request.in_sizes;
    CopyBytes(at.request.dests[0] + BytesBefore(sizes, at.me()),
              at.request.sources[0], sizes[at.me()]);
  }
};

class ExchangeV final : public OfSizes {
 public:
  void Begin(OperationPhase& at) const override {
    TakeFromAll(at, at.request.dests[0]);
    SendToAll(at, at.request.sources[0], at.me());
  }
  void Finish(OperationPhase& at) const override {
    const CollectiveRequest& request = at.request;
    CopyBytes(request.dests[0] + BytesBefore(request.in_sizes, at.me()),
              request.sources[0] + BytesBefore(request.out_sizes, at.me()),
              request.in_sizes[at.me()]);
  }
};

constexpr ScatterV kScatterVObject;
constexpr GatherV kGatherVObject;
constexpr GatherAllV kGatherAllVObject;
constexpr ExchangeV kExchangeVObject;

}  // namespace

const Algorithm& kScatterV = kScatterVObject;
const Algorithm& kGatherV = kGatherVObject;
const Algorithm& kGatherAllV = kGatherAllVObject;
const Algorithm& kExchangeV = kExchangeVObject;

}  // namespace gasnet::coll::algorithms
