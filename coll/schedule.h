// A schedule lists the parts that come in and go out of a node in each phase of
// an operation: no messages here, no waiting.
//
//   movement        one phase; before it, where nodes claim their blocks, one
//                   in which all learn of all claims. A part that a node
//                   forwards goes out when it has come in (OutPart::after):
//                   down a tree, pipelined in segments along a chain of hosts,
//                   round a ring
//     in rounds     of many small blocks, a phase each (schedule_rounds.cc)
//     led           of the small blocks of a host in one message, by its leader
//                   (schedule_leaders.cc)
//     central       in a crowd, small blocks of all for all, by way of one node
//                   (schedule_central.cc)
//   reductions      flat     all contributions to who needs the result
//                   chain    prefixes of few bytes, from rank to rank
//                   Sklansky the same in a crowd, in rounds
//                            (schedule_prefix.cc has both)
//                   central  in a crowd, small results for all, by one node
//                   tree     pairs of subtrees, up; then the result's way
//                   sliced   to each node its slice of all; then the results
//   barrier         flat, central or dissemination, votes merged
//   put, get        who will be accessed says that it is in; when it was
//                   accessed it is notified
//
// The form of a reduction depends only on values that all nodes know alike. All
// give the same bits (combine.h).
#ifndef COLL_SCHEDULE_H_
#define COLL_SCHEDULE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/combine.h"
#include "coll/operation.h"
#include "coll/settings.h"
#include "coll/team.h"

namespace gasnet::coll {

class Schedule {
 public:
  Schedule(Operation& op, const Settings& settings, Combiner& combiner)
      : op_(op), team_(*op.team), settings_(settings), combiner_(combiner) {}

  // How many phases it has.
  unsigned Phases() const;
  // Sets what comes in, adds what goes out, of phase op.phase.
  void Begin();
  // When all of it has come in: what follows from it on this node.
  void Finish();
  // Whether Finish must wait until all of this node's own has gone out, since
  // it may overwrite that. Of slices a node overwrites its own, which nobody
  // else reads, and others when their results come, so that they were read.
  bool FinishOverwrites() const;

  // The index of the part that comes in with that key from that node; as many
  // as there are where there is none.
  size_t IndexOf(uint32_t key, Rank from) const;

  // The other way round.
  uint32_t KeyOf(size_t index) const;

  // Whether that node and this one know that nothing is left to happen to its
  // memory once what it sends has come, its own blocks included.
  bool OnlySends(Rank node) const;
  // Whether all send to all at once, or to the root: few nodes.
  static bool IsFlat(const Team& team, const Settings& settings);
  // Whether prefixes go down a chain: few bytes among several nodes that share
  // memory and are no crowd. Each node gets one message and sends one, whatever
  // their number; of all to all there would be half its square. All parts are
  // eager.
  static bool IsChain(const Team& team, const Request& request,
                      const Settings& settings);
  bool IsChain() const { return IsChain(team_, *op_.request, settings_); }
  // Whether prefixes go in log2 rounds: few bytes in a crowd.
  static bool IsSklansky(const Team& team, const Request& request,
                         const Settings& settings);
  // Whether the blocks of a scatter or gather travel between hosts together, by
  // leaders: few bytes, and several nodes on a host other than the root's.
  static bool IsLed(const Team& team, const Request& request,
                    const Settings& settings);
  // By way of which node small parts of all for all go in a crowd.
  static constexpr Rank kCenter = 0;
  // Whether the team is one: several nodes that share memory and fewer
  // processors.
  static bool HasCenter(const Team& team, const Settings& settings) {
    return team.nodes() >= settings.central_from &&
           team.running() < team.nodes();
  }
  // And whether the parts of this operation go so: few bytes, an image each.
  static bool IsCentral(const Team& team, const Request& request,
                        const Settings& settings);
  // Whether all its parts are eager, also those above eager_near. None is
  // longer than eager_far, which every message holds.
  static bool IsAllEager(const Team& team, const Request& request,
                         const Settings& settings) {
    return IsChain(team, request, settings) ||
           (request.kind == Kind::kExchange &&
            IsCentral(team, request, settings));
  }
  // Whether a part is offered by its sender first; known to both sides.
  bool IsPulled(size_t nbytes, bool near) const;

 private:
  enum class Form : uint8_t {
    kFlat,
    kChain,
    kSklansky,
    kCentral,
    kTree,
    kSliced,
  };

  bool Claims() const {
    // The owners of the blocks of a broadcast make no difference.
    return op_.request->blocks.form == BlockMap::Form::kClaimed &&
           op_.request->kind != Kind::kBroadcast;
  }
  unsigned Step() const { return op_.phase - (Claims() ? 1 : 0); }
  Form FormOf() const;
  bool IsFarPair() const;
  bool IsFlat() const { return IsFlat(team_, settings_); }
  bool IsOneBlockEach() const {
    return op_.request->blocks.form == BlockMap::Form::kTeam &&
           team_.one_image_each();
  }
  bool IsRing() const;
  size_t SegmentBytes() const;
  unsigned Rounds() const;
  Rank me() const { return team_.me(); }
  bool IsRoot() const { return op_.request->root == me(); }
  size_t Blocks() const;
  Rank OwnerOf(size_t block) const;
  size_t MyBlocks() const;
  size_t MyBlock(size_t j) const;
  size_t IndexOfMine(size_t block) const;

  std::byte* Memory(size_t bytes);
  void In(size_t index, Rank from, std::byte* to, size_t nbytes);
  void Out(Rank to, size_t key, const std::byte* from, size_t nbytes,
           uint32_t after = OutPart::kNothing);
  void NoIns(size_t count);

  void BeginClaims();
  void FinishClaims();
  void BeginBroadcast(Rank root, const std::byte* from, std::byte* to);
  void BeginScatter();
  void BeginGather();
  void BeginGatherAll();
  void BeginRing();
  void BeginExchange();
  struct LedBlock {
    Rank leader = 0;
    uint32_t block = 0;
    auto operator<=>(const LedBlock&) const = default;
  };
  // Of one leader, or the part of a list that is one leader's.
  using LedBlocks = std::span<const LedBlock>;
  bool IsLed() const { return IsLed(team_, *op_.request, settings_); }
  Rank LeaderOf(Rank node) const {
    return team_.LeaderOf(node, op_.request->root);
  }
  std::vector<LedBlock> FindLedBlocks() const;
  void BeginLedScatter();
  void ScatterToLeaders();
  void BeginLedGather();
  void CollectBlocks();
  void SendCollected();
  void GatherFromLeaders();
  void FinishLed();
  void TakeOwnBlocks();
  void PlaceLedBlocks();
  bool IsCentral() const { return IsCentral(team_, *op_.request, settings_); }
  struct CentralBytes {
    size_t there = 0;
    size_t back = 0;
  };
  CentralBytes BytesByCenter() const;
  void BeginCentral();
  void SendFromCenter();
  void FinishCentral();
  void ExchangeAtCenter();
  bool IsInRounds() const;
  void BeginGatherRound();
  void FinishGatherRound();
  void BeginExchangeRound();
  void FinishExchangeRound();
  void BeginSizes();
  void BeginTokens(bool back);
  void BeginBarrier();
  void FinishMovement();
  void FinishSizes();
  void FinishBarrier();
  bool CopiesOwnFirst() const;
  void CopyToAll(const std::byte* from, size_t nbytes, size_t first);

  void BeginReduction();
  void FinishReduction();
  void BeginFlat();
  void FinishFlat();
  void BeginChain();
  void FinishChain();
  std::byte* SubtreesBefore();
  std::byte* SubtreesAfter();
  std::byte* SubtreeEnding(unsigned round);
  void BeginSklansky();
  void FinishSklansky();
  void BeginTree();
  void FinishTree();
  void BeginSlices();
  void FinishSlices();
  void BeginResults();
  void FinishResults();
  size_t Slices() const;
  size_t SliceAt(Rank node) const;  // bytes
  size_t SliceBytes(Rank node) const {
    return SliceAt(node + 1) - SliceAt(node);
  }
  const std::byte* Contribution(size_t block) const;
  void CombineFirst(size_t count, std::byte* result, size_t nbytes);

  Operation& op_;
  Team& team_;
  const Settings& settings_;
  Combiner& combiner_;
};

}  // namespace gasnet::coll

#endif  // COLL_SCHEDULE_H_
