// One call of a collective. The C functions of GASNet-1 and of GASNet-EX pass
// it to the engine in this form.
//
// Blocks. A collective moves blocks of nbytes bytes, numbered from 0 in the
// order of the team. There is one block per node, or one per image if nodes
// have several images. In the indexed forms each node says how many blocks it
// has. A node gives only the addresses of its own blocks. The lists of
// addresses belong to the client and do not change until the operation is
// synced on this node.
//
//   kind             sources              dests              root_area
//   kBroadcast       -                    each nbytes        source
//   kScatter         -                    each nbytes        source, all blocks
//   kGather          each nbytes          -                  dest, all blocks
//   kGatherAll       each nbytes          each all blocks    -
//   kExchange        each all blocks      each all blocks    -
//   kReduce          each nbytes          -                  dest, nbytes
//   kReduceAll       each nbytes          each nbytes        -
//   kPrefixReduce    each nbytes          each nbytes        -
//   kPermute         one                  one                -   (target)
//   kScatterV        -                    one, own size      source  (sizes)
//   kGatherV         one, own size        -                  dest    (sizes)
//   kGatherAllV      one, own size        one, all           -       (sizes)
//   kExchangeV       one, all             one, all           -       (both)
//   kPut, kGet       see TransferPartners
//   kBarrier         -                    -                  -
#ifndef COLL_REQUEST_H_
#define COLL_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "coll/kernels/kernels.h"
#include "core/barrier_vote.h"
#include "core/rank.h"

namespace gasnet::coll {

enum class CollectiveKind : uint8_t {
  kBroadcast,
  kScatter,
  kGather,
  kGatherAll,
  kExchange,
  kReduce,
  kReduceAll,
  kPrefixReduce,
  kPermute,
  kScatterV,
  kGatherV,
  kGatherAllV,
  kExchangeV,
  kPut,
  kGet,
  kBarrier,
};
inline constexpr unsigned kKinds = 16;

// The synchronization of an operation: when its data may first move, and when
// the operation may be synced. See gasnet_coll.h. kMine requires
// everything that kNone requires.
enum class SyncMode : uint8_t { kNone, kMine, kAll };

// The addresses of one node's blocks, in block order. A single address is
// stored in this object itself.
class Addresses {
 public:
  Addresses() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one address is a list of one.
  Addresses(const void* one) : one_(const_cast<void*>(one)), count_(1) {}
  // list[i] for i in [0, count).
  Addresses(void* const* list, size_t count) : list_(list), count_(count) {}
  // list[of[i]] for i in [0, count). `list` has the addresses of all blocks,
  // and `of` selects some of them.
  Addresses(void* const* list, const uint32_t* of, size_t count)
      : list_(list), of_(of), count_(count) {}

  size_t count() const { return count_; }
  std::byte* operator[](size_t i) const {
    if (list_ == nullptr) return static_cast<std::byte*>(one_);
    return static_cast<std::byte*>(list_[of_ == nullptr ? i : of_[i]]);
  }

 private:
  void* one_ = nullptr;
  void* const* list_ = nullptr;
  const uint32_t* of_ = nullptr;
  size_t count_ = 0;
};

// Determines which node owns each block.
struct BlockMap {
  enum class Form : uint8_t {
    kTeam,     // one block for each image of the node in the team
    kClaimed,  // this node has blocks [first, first + count) of total; each
               // other node claims its own range
    kListed,   // owners[k] owns block k of `total`; the same on all nodes
  };
  Form form = Form::kTeam;
  size_t first = 0;
  size_t count = 0;
  size_t total = 0;
  const Rank* owners = nullptr;  // job ranks
};

// A client's function that combines elements: results[i] = left[i] op right[i].
// `results` may be the same array as `left`.
using ReduceFunction = void (*)(void* results, size_t result_count,
                                const void* left, size_t left_count,
                                const void* right, size_t elem_size, int flags,
                                int arg);

// A function of GASNet-EX: right[i] = left[i] op right[i]. `left` and `right`
// do not overlap.
using ReduceIntoRight = void (*)(const void* left, void* right, size_t count,
                                 const void* data);

// Determines how a reduction combines elements: with kernels, or with a
// client's function of one of the two types above.
struct Reduction {
  Kernels kernels{};
  ReduceIntoRight into_right = nullptr;
  const void* into_right_data = nullptr;
  ReduceFunction function = nullptr;
  int function_flags = 0;
  int function_arg = 0;
  size_t elem_size = 1;    // not 0
  size_t elem_count = 0;   // nbytes = elem_size * elem_count
  bool exclusive = false;  // kPrefixReduce: without the node's own contribution
  // Identifies the reduction. The value is the same on all nodes:
  //
  // - type << 8 | op for kernels
  // - kFunctionName | index for a ReduceFunction
  // - kIntoRightName for a ReduceIntoRight, because nodes may pass different
  //   functions
  uint32_t name = 0;

  // combined with the function's index
  static constexpr uint32_t kFunctionName = 0x80000000u;
  static constexpr uint32_t kIntoRightName = 0xffffffffu;
};

// The transfers of a generalized put or get. `partners` lists the nodes whose
// transfers target this node: for puts, the nodes that put here; for gets, the
// nodes that get from here. A node is in the list once for each transfer.
struct TransferPartners {
  // peer of transfer i; null: `node` is the peer of all transfers
  const Rank* nodes = nullptr;
  Rank node = 0;
  Addresses dests{};
  Addresses sources{};
  size_t count = 0;
  std::span<const Rank> partners{};
};

// The flags GASNET_COLL_DST_IN_SEGMENT and GASNET_COLL_SRC_IN_SEGMENT. They may
// differ between nodes and images, because each node or image makes the promise
// only for its own memory.
inline constexpr uint32_t kPromises = 3u << 10;

struct CollectiveRequest {
  const char* call = "";  // name of the call, for error messages
  CollectiveKind kind = CollectiveKind::kBroadcast;
  SyncMode in = SyncMode::kAll;
  SyncMode out = SyncMode::kAll;
  bool single = false;     // GASNET_COLL_SINGLE
  uint32_t flags = 0;      // as given by the client, for error messages
  uint32_t root = 0;       // index of a node in the team
  uint32_t root_name = 0;  // the root as the client numbers it: image or node
  size_t nbytes = 0;
  BlockMap blocks{};
  Addresses dests{};
  Addresses sources{};
  void* root_area = nullptr;  // used on the root only
  Reduction reduction{};
  TransferPartners partners{};
  Rank target = 0;  // kPermute: destination of this node's block, an index in
                    // the team
  // Indexed by node, in bytes: the sizes of outgoing and of incoming blocks.
  const size_t* out_sizes = nullptr;
  const size_t* in_sizes = nullptr;
  size_t own_size = 0;      // V kinds: size of this node's block; nbytes is 0
  BarrierVote vote{};       // kBarrier
  bool is_unnamed = false;  // kBarrier: has no vote
};

// The size in bytes of a vote in a message.
inline constexpr size_t kVoteBytes = 12;

// Returns true for a barrier that has a vote.
inline bool HasVote(const CollectiveRequest& request) {
  return request.kind == CollectiveKind::kBarrier && !request.is_unnamed;
}

}  // namespace gasnet::coll

#endif  // COLL_REQUEST_H_
