#include "coll/phase.h"

#include <algorithm>
#include <memory>

#include "coll/access.h"

namespace gasnet::coll {

size_t Phase::MyBlocks() const {
  switch (request.blocks.form) {
    case BlockMap::Form::kTeam:
      return team.images(me());
    case BlockMap::Form::kClaimed:
      return request.blocks.count;
    case BlockMap::Form::kListed:
      break;
  }
  return op.mine.size();
}

size_t Phase::MyBlock(size_t j) const {
  switch (request.blocks.form) {
    case BlockMap::Form::kTeam:
      return team.first_image(me()) + j;
    case BlockMap::Form::kClaimed:
      return request.blocks.first + j;
    case BlockMap::Form::kListed:
      break;
  }
  return op.mine[j];
}

size_t Phase::IndexOfMine(size_t block) const {
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

std::byte* Phase::Memory(size_t bytes) {
  if (op.memory_bytes < bytes) {
    op.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    op.memory_bytes = bytes;
  }
  return op.memory.get();
}

void Phase::CopyToAll(const std::byte* from, size_t nbytes, size_t first) {
  for (size_t j = first; j < MyBlocks(); ++j) {
    CopyBytes(request.dests[j], from, nbytes);
  }
}

const std::byte* Phase::Contribution(size_t block, size_t at) const {
  const size_t mine = IndexOfMine(block);
  return mine == MyBlocks() ? op.ins[block].bytes()
                            : request.sources[mine] + at;
}

void Phase::CombineFirst(size_t count, std::byte* result, size_t nbytes,
                         size_t at) {
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
