#include "coll/phase.h"

#include <algorithm>

#include "coll/access.h"

namespace gasnet::coll {

size_t OperationPhase::IndexOfMine(size_t block) const {
  const size_t count = MyBlocks();
  if (count == 0) return 0;
  if (request.blocks.form == BlockMap::Form::kListed) {
    const auto at = std::lower_bound(op.mine.begin(), op.mine.end(), block);
    return at != op.mine.end() && *at == block
               ? static_cast<size_t>(at - op.mine.begin())
               : count;
  }
  const size_t first = MyBlock(0);
  return block - first < count ? block - first : count;
}

void OperationPhase::CopyToAll(const std::byte* from, size_t nbytes,
                               size_t first) {
  for (size_t j = first; j < MyBlocks(); ++j) {
    CopyBytes(request.dests[j], from, nbytes);
  }
}

void OperationPhase::CombineFirst(size_t count, std::byte* result,
                                  size_t nbytes, size_t at) {
  const void** const sources = combiner.Sources(count);
  for (size_t k = 0; k < count; ++k) {
    sources[k] = Contribution(k, at);
    WillRead(sources[k], nbytes);
  }
  WillWrite(result, nbytes);
  combiner.Combine(request.reduction, result, sources, count,
                   nbytes / request.reduction.elem_size);
}

}  // namespace gasnet::coll
