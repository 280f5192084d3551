// Sends one block from each node to a node of its choice.
#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class Permute final : public Algorithm {
 public:
  constexpr Permute() : Algorithm({.has_own_sizes = true}) {}

  void Begin(OperationPhase& at) const override {
    const CollectiveRequest& request = at.request;
    at.NoIns(request.target == at.me() ? 0 : 1);
    if (request.target == at.me()) return;
    at.In(0, InPart::kAnybody, request.dests[0], request.nbytes);
    at.Out(request.target, 0, request.sources[0], request.nbytes);
  }
  void Finish(OperationPhase& at) const override {
    const CollectiveRequest& request = at.request;
    if (request.target != at.me()) return;
    CopyBytes(request.dests[0], request.sources[0], request.nbytes);
  }
};

constexpr Permute kPermuteObject;

}  // namespace

const Algorithm& kPermute = kPermuteObject;

}  // namespace gasnet::coll::algorithms
