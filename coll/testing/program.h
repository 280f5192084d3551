// Operations as the clients of a simulated world call them: with areas,
// requests, and expected results.
//
//   Calls         the calls of all nodes of a team for one operation
//   CallMaker     draws such calls from a seed
//   Program       begins, drives and syncs many of them on all nodes
#ifndef COLL_TESTING_PROGRAM_H_
#define COLL_TESTING_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coll/request.h"
#include "coll/testing/client_memory.h"
#include "coll/testing/world.h"

namespace gasnet::coll::testing {

// A team of the world. Each node creates its Team object when the node's
// program reaches the item of this team.
struct SimTeam {
  uint16_t id = 0;
  std::vector<Rank> ranks;
  std::vector<uint32_t> images;
  // indexed by job rank; null until the node makes the team
  std::vector<Team*> at;
};

// The reductions of the tests.
enum class How : uint8_t {
  kFloatSum,  // result bits depend on the order
  kInt64Max,
  kMixBytes,      // neither associative nor commutative; elements of 3 bytes
  kMixIntoRight,  // kMixBytes as a ReduceIntoRight function
};
inline constexpr unsigned kHows = 4;

// The properties of a call that a test chooses. The rest is random.
struct Wish {
  CollectiveKind kind = CollectiveKind::kBroadcast;
  SyncMode in = SyncMode::kMine;
  SyncMode out = SyncMode::kMine;
  size_t nbytes = 0;
  BlockMap::Form form = BlockMap::Form::kTeam;
  bool in_place = false;
  bool exclusive = false;
  How how = How::kFloatSum;

  std::string Name() const;
};

// The call of one node.
struct NodeCall {
  CollectiveRequest request;
  std::vector<void*> dests;
  std::vector<void*> sources;
  std::vector<uint32_t> mine;
  std::vector<size_t> out_sizes;
  std::vector<size_t> in_sizes;
  std::vector<Rank> nodes;
  std::vector<Rank> partners;
  std::vector<Rank> owners;

  bool begun = false;
  bool synced = false;
  CollectiveOperation* handle = nullptr;
};

struct Calls {
  Wish wish;
  SimTeam* team = nullptr;
  BarrierVote vote{};  // merged votes of all nodes
  // Indexed by node in the team. An entry is freed when its node has synced.
  std::vector<std::unique_ptr<NodeCall>> of;
};

class CallMaker {
 public:
  explicit CallMaker(World& world) : world_(world), random_(world.random()) {}

  Wish RandomWish();
  // Creates the object that makes the calls of one operation. The areas of the
  // calls lie in the world's memory.
  std::unique_ptr<Calls> Make(const Wish& wish, SimTeam& team);

 private:
  struct Blocks {
    // indexed by block: owner's index in the team
    std::vector<Rank> owner;
    std::vector<std::vector<uint32_t>> of;  // indexed by node: its blocks
  };

  size_t Below(size_t n) { return n == 0 ? 0 : random_() % n; }
  bool Maybe(unsigned one_in) { return random_() % one_in == 0; }
  Blocks MakeBlocks(BlockMap::Form form);
  void SetMap(Rank index, NodeCall& call);
  Area& NewArea(Rank index, size_t nbytes, bool is_dest);
  void SetRandom(Bytes& bytes, size_t at, const Bytes& from);
  Bytes Content(size_t nbytes);
  void MakeSources(size_t each);
  void MakeDests(size_t each);
  Area* MakeRootArea(size_t nbytes, bool is_dest);

  void MakeBroadcast();
  void MakeScatter();
  void MakeGather();
  void MakeGatherAll();
  void MakeExchange();
  void MakeReduction();
  void MakePermute();
  void MakeSizes();
  void MakePutOrGet();
  void MakeBarrier();
  void SetLists();

  World& world_;
  std::mt19937_64& random_;
  // The state of the call that is being made.
  size_t op_ = 0;
  size_t nbytes_ = 0;
  Calls* calls_ = nullptr;
  Blocks blocks_;
  Rank root_ = 0;
  std::vector<Area*> sources_;  // indexed by block
  std::vector<Area*> dests_;
  std::vector<std::byte*> source_at_;
};

// Reduces in the engine's documented order, one element at a time.
Bytes ReduceInOrder(How how, const std::vector<Bytes>& sources, size_t first,
                    size_t count);
size_t ElementSize(How how);
Reduction ReductionOf(How how, size_t elements);

class Program {
 public:
  // One step of all nodes: either a team to make, or the calls of one
  // operation. All nodes perform the steps in the same order.
  struct Item {
    SimTeam* team = nullptr;
    Calls* calls = nullptr;
  };

  explicit Program(World& world);

  SimTeam& AddTeam(std::vector<Rank> ranks, std::vector<uint32_t> images);
  void Add(std::unique_ptr<Calls> calls);
  // Runs until all items are done. Reports to the world each operation that
  // hangs.
  void Run(size_t random_steps);
  const std::vector<std::unique_ptr<SimTeam>>& teams() const { return teams_; }
  std::vector<std::unique_ptr<Calls>>& calls() { return calls_; }

  // For tests that choose the order of events. BeginNext() begins the node's
  // next item, if there is one. SyncSome() syncs one complete call of the node,
  // if there is one.
  bool HasNext(Rank rank) const { return next_[rank] < items_.size(); }
  bool BeginNext(Rank rank);
  bool SyncSome(Rank rank);
  bool IsOver() const { return open_ == 0; }

 private:
  bool Turn(Rank rank);
  void SyncOne(Calls& calls, Rank index, size_t number);

  World& world_;
  std::vector<std::unique_ptr<SimTeam>> teams_;
  std::vector<std::unique_ptr<Calls>> calls_;
  std::vector<Item> items_;
  // indexed by rank: index into items_
  std::vector<size_t> next_;
  // indexed by rank: calls not yet synced
  std::vector<std::vector<size_t>> begun_;
  // indexed by rank: the node waits for its calls
  std::vector<bool> blocks_;
  // number of (item, node) pairs that are not done
  size_t open_ = 0;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_PROGRAM_H_
