// One phase of an operation on this node, as an algorithm sees it: the request,
// the owners of blocks, and the parts that the algorithm adds. The driving
// thread creates this short-lived object whenever it needs one.
#ifndef COLL_PHASE_H_
#define COLL_PHASE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "coll/combine.h"
#include "coll/operation.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "core/rank.h"

namespace gasnet::coll {

// Returns true if nodes announce in an extra first phase which blocks they
// claim. A broadcast skips that phase, because its nodes need not know each
// other's blocks.
inline bool ClaimsFirst(const CollectiveRequest& request) {
  return request.blocks.form == BlockMap::Form::kClaimed &&
         request.kind != CollectiveKind::kBroadcast;
}

struct OperationPhase {
  OperationPhase(CollectiveOperation& operation, const CollSettings& in_force,
                 Combiner& combines)
      : op(operation),
        team(*operation.team),
        request(*operation.request),
        settings(in_force),
        combiner(combines) {}

  CollectiveOperation& op;
  Team& team;
  const CollectiveRequest& request;
  const CollSettings& settings;
  Combiner& combiner;

  // Returns the number of the phase, not counting the phase in which nodes
  // claim their blocks.
  unsigned index() const { return op.phase - (ClaimsFirst(request) ? 1u : 0u); }
  Rank me() const { return team.me(); }
  Rank nodes() const { return team.nodes(); }
  size_t nbytes() const { return request.nbytes; }
  bool IsRoot() const { return request.root == me(); }
  std::byte* root_area() const {
    return static_cast<std::byte*>(request.root_area);
  }
  // Calls f for every other node, starting with the one after this node.
  template <class F>
  void ForOthers(F f) const {
    for (Rank node = me() + 1; node < nodes(); ++node) f(node);
    for (Rank node = 0; node < me(); ++node) f(node);
  }

  // ---- blocks

  size_t Blocks() const {
    return request.blocks.form == BlockMap::Form::kTeam ? team.blocks()
                                                        : request.blocks.total;
  }
  Rank OwnerOf(size_t block) const {
    return op.owners.empty() ? team.owner_of(static_cast<uint32_t>(block))
                             : op.owners[block];
  }
  size_t MyBlocks() const {
    return request.blocks.form == BlockMap::Form::kTeam ? team.images(me())
           : request.blocks.form == BlockMap::Form::kClaimed
               ? request.blocks.count
               : op.mine.size();
  }
  size_t MyBlock(size_t j) const {
    return request.blocks.form == BlockMap::Form::kTeam
               ? team.first_image(me()) + j
           : request.blocks.form == BlockMap::Form::kClaimed
               ? request.blocks.first + j
               : op.mine[j];
  }
  // Returns the position of `block` in the list of this node's blocks. Returns
  // MyBlocks() if another node owns the block.
  size_t IndexOfMine(size_t block) const;

  // ---- parts

  // Returns at least `bytes` bytes of memory that the operation owns. The
  // contents of the memory stay from phase to phase, as long as no phase asks
  // for more bytes than before.
  std::byte* Memory(size_t bytes) {
    if (op.memory_bytes < bytes) [[unlikely]] {
      op.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
      op.memory_bytes = bytes;
    }
    return op.memory.get();
  }
  // Makes room for `count` incoming parts. A part is expected only once In()
  // adds it.
  void NoIns(size_t count) {
    op.ins.clear();
    if (count > 0) op.ins.resize(count, InPart{.done = true});
    op.ins_left = 0;
  }
  // Adds an incoming part. Its key equals `index`, unless the algorithm defines
  // other keys (IndexOf).
  InPart& In(size_t index, Rank from, std::byte* to, size_t nbytes,
             size_t key) {
    ++op.ins_left;
    return op.ins[index] = {.from = from,
                            .key = static_cast<uint32_t>(key),
                            .to = to,
                            .nbytes = nbytes};
  }
  InPart& In(size_t index, Rank from, std::byte* to, size_t nbytes) {
    return In(index, from, to, nbytes, index);
  }
  OutPart& Out(Rank to, size_t key, const std::byte* from, size_t nbytes,
               uint32_t after = OutPart::kNothing) {
    ++op.outs_left;
    return op.outs.emplace_back(OutPart{.to = to,
                                        .key = static_cast<uint32_t>(key),
                                        .phase = op.phase,
                                        .after = after,
                                        .from = from,
                                        .nbytes = nbytes});
  }

  // ---- completing a phase

  // Copies the nbytes bytes at `from` to the dests of this node's blocks, from
  // block `first` on.
  void CopyToAll(const std::byte* from, size_t nbytes, size_t first);
  // Returns true if a root copies its own blocks before it sends. With
  // OUT_ALLSYNC and two nodes, the other node can sync as soon as it has its
  // block. Clients may then change the root's memory too. So the root copies
  // small blocks first. Larger blocks are copied while other parts are under
  // way.
  bool CopiesOwnFirst() const {
    return request.out == SyncMode::kAll && nodes() == 2 &&
           nbytes() <= settings.eager_near;
  }
  // Returns the contribution of block `block` of the team, from byte `at` on.
  // The bytes of this node's own blocks are in the source. The bytes of other
  // blocks have been received.
  const std::byte* Contribution(size_t block, size_t at) const {
    const size_t mine = block - team.first_image(me());
    return mine < team.images(me()) ? request.sources[mine] + at
                                    : op.ins[block].bytes();
  }
  // Combines the contributions of the first `count` blocks.
  void CombineFirst(size_t count, std::byte* result, size_t nbytes,
                    size_t at = 0);
};

}  // namespace gasnet::coll

#endif  // COLL_PHASE_H_
