// Exchanges blocks from all nodes to all. Each block has its own message.
#include <cstddef>

#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class Exchange final : public Algorithm {
 public:
  constexpr Exchange() : Algorithm({.runs_at_once = true, .may_push = true}) {}

  // Sets the parts. A key consists of the receiving block and the sending
  // block.
  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const size_t blocks = at.Blocks();
    at.NoIns(at.MyBlocks() * blocks);
    for (size_t j = 0; j < at.MyBlocks(); ++j) {
      const size_t mine = at.MyBlock(j);
      for (size_t i = 1; i < blocks; ++i) {
        const size_t other = (mine + i) % blocks;
        const Rank owner = at.OwnerOf(other);
        if (owner == at.me()) continue;
        at.In(j * blocks + other, owner, at.request.dests[j] + other * nbytes,
              nbytes, mine * blocks + other);
        at.Out(owner, other * blocks + mine,
               at.request.sources[j] + other * nbytes, nbytes);
      }
    }
  }
  void Finish(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    for (size_t j = 0; j < at.MyBlocks(); ++j) {
      for (size_t i = 0; i < at.MyBlocks(); ++i) {
        CopyBytes(at.request.dests[j] + at.MyBlock(i) * nbytes,
                  at.request.sources[i] + at.MyBlock(j) * nbytes, nbytes);
      }
    }
  }
  size_t IndexOf(const OperationPhase& at, uint32_t key,
                 Rank /*from*/) const override {
    const size_t blocks = at.Blocks();
    if (blocks == 0) return 0;
    return at.IndexOfMine(key / blocks) * blocks + key % blocks;
  }
};

constexpr Exchange kExchangeObject;

}  // namespace

const Algorithm& kExchange = kExchangeObject;

}  // namespace gasnet::coll::algorithms
