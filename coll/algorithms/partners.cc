// Generalized puts and gets. First, each accessed node notifies the nodes that
// access it that it has entered. Then the fabric moves the bytes (node.h).
// Finally, each accessing node notifies the accessed nodes that it is done.
#include <cstddef>

#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class PartnersTell final : public Algorithm {
 public:
  unsigned Phases(const Team& /*team*/) const override { return 2; }
  void Begin(OperationPhase& at) const override {
    const TransferPartners& partners = at.request.partners;
    const bool back = at.index() == 1;
    size_t ins = 0;
    at.NoIns(partners.count + partners.partners.size());
    const auto tell = [&](Rank rank, bool this_one) {
      const Rank node = at.team.index_of(rank);
      if (node == at.me()) return;
      if (this_one) {
        at.Out(node, 0, nullptr, 0);
      } else {
        at.In(ins++, node, nullptr, 0, 0);
      }
    };
    for (size_t i = 0; i < partners.count; ++i) {
      tell(partners.nodes == nullptr ? partners.node : partners.nodes[i], back);
    }
    for (const Rank rank : partners.partners) tell(rank, !back);
  }
  // Returns the index of any part from rank `from` that has not arrived. All
  // parts from one node are alike.
  size_t IndexOf(const OperationPhase& at, uint32_t /*key*/,
                 Rank from) const override {
    size_t i = 0;
    for (; i < at.op.ins.size(); ++i) {
      if (!at.op.ins[i].done && at.op.ins[i].from == from) break;
    }
    return i;
  }
};

constexpr PartnersTell kPartnersObject;

}  // namespace

const Algorithm& kPartners = kPartnersObject;

}  // namespace gasnet::coll::algorithms
