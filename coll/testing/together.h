// Runs an algorithm on all nodes at once. Copies parts directly from node to
// node, without messages.
#ifndef COLL_TESTING_TOGETHER_H_
#define COLL_TESTING_TOGETHER_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "coll/choice.h"
#include "coll/combine.h"
#include "coll/operation.h"
#include "coll/phase.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "coll/testing/program.h"
#include "coll/testing/world.h"

namespace gasnet::coll::testing {

// One operation on all nodes of a team. All nodes run the same phase at the
// same time.
class Together {
 public:
  Together(World& world, Calls& calls, const SimTeam& team,
           const CollSettings& settings)
      : world_(world), settings_(settings) {
    const auto nodes = static_cast<Rank>(team.ranks.size());
    for (Rank me = 0; me < nodes; ++me) {
      Team::Members members = {
          .id = 0, .me = me, .ranks = team.ranks, .images = team.images};
      members.processors = world.options().processors;
      for (Rank i = 0; i < nodes; ++i) {
        members.near.push_back(world.IsNear(me, i));
        members.hosts.push_back(world.options().hosts[i]);
      }
      teams_.emplace_back(std::move(members));
      CollectiveOperation& op = operations_.emplace_back();
      op.team = &teams_.back();
      op.request = &calls.of[me]->request;
      op.algorithm = &Choose(teams_.back(), *op.request, settings_);
      SetOwners(op);
    }
  }

  // A part that went from one host to another.
  struct Crossing {
    Rank from = 0;
    Rank to = 0;
    unsigned phase = 0;
    size_t nbytes = 0;
  };
  const std::vector<Crossing>& crossings() const { return crossings_; }
  size_t parts() const { return parts_; }
  // Returns the owners of all blocks. Call after Run().
  std::vector<Rank> Owners() const {
    if (operations_[0].request->blocks.form != BlockMap::Form::kTeam) {
      return operations_[0].owners;
    }
    std::vector<Rank> owners(teams_[0].blocks());
    for (uint32_t k = 0; k < owners.size(); ++k) {
      owners[k] = teams_[0].owner_of(k);
    }
    return owners;
  }

  void Run() {
    const unsigned phases = PhasesOf(operations_[0]);
    for (const CollectiveOperation& op : operations_) {
      ASSERT_EQ(op.algorithm, operations_[0].algorithm) << "nodes disagree";
    }
    if (operations_[0].algorithm == &algorithms::kChainPrefix) {
      return RunChain(phases);
    }
    for (unsigned phase = 0; phase < phases; ++phase) {
      for (Rank me = 0; me < operations_.size(); ++me) {
        operations_[me].phase = static_cast<uint8_t>(phase);
        operations_[me].outs.clear();
        Begin(me);
      }
      Move(phase);
      for (Rank me = 0; me < operations_.size(); ++me) {
        ASSERT_EQ(operations_[me].ins_left, 0u)
            << "node " << me << " waits for what nobody sends";
      }
      for (Rank me = 0; me < operations_.size(); ++me) Finish(me);
      if (phase > 0) continue;
      for (Rank me = 0; me < operations_.size(); ++me) {
        const CollectiveKind kind = operations_[me].request->kind;
        if (kind != CollectiveKind::kPut && kind != CollectiveKind::kGet)
          continue;
        world_.MovePartners(*operations_[me].request, me);
      }
      while (world_.UnderWay() > 0) world_.DeliverOne(0);
    }
  }

 private:
  // Runs a chain. In a chain, nodes cannot run equal phases at once: a node
  // sends in its last phase, and the next node receives in its first phase.
  void RunChain(unsigned phases) {
    for (Rank me = 0; me < operations_.size(); ++me) Begin(me);
    for (Rank me = 0; me < operations_.size(); ++me) {
      CollectiveOperation& op = operations_[me];
      ASSERT_EQ(op.ins_left, 0u) << "node " << me << " comes too early";
      Finish(me);
      for (op.phase = 1; op.phase < phases; ++op.phase) {
        Begin(me);
        for (const OutPart& out : op.outs) {
          ASSERT_EQ(out.phase, 0u);
          Take(me, out);
        }
        Finish(me);
      }
    }
  }

  OperationPhase Of(Rank me) { return {operations_[me], settings_, combiner_}; }
  void Begin(Rank me) {
    OperationPhase phase = Of(me);
    AlgorithmOf(operations_[me]).Begin(phase);
  }
  void Finish(Rank me) {
    OperationPhase phase = Of(me);
    AlgorithmOf(operations_[me]).Finish(phase);
  }

  void Cross(Rank from, const OutPart& out) {
    const Team& team = teams_[from];
    if (team.host_of(from) == team.host_of(out.to)) return;
    crossings_.push_back({from, out.to, out.phase, out.nbytes});
  }

  static void SetOwners(CollectiveOperation& op) {
    const BlockMap& map = op.request->blocks;
    if (map.form != BlockMap::Form::kListed) return;
    for (uint32_t k = 0; k < map.total; ++k) {
      op.owners.push_back(op.team->index_of(map.owners[k]));
      if (op.owners[k] == op.team->me()) op.mine.push_back(k);
    }
  }

  // Moves all parts of a phase. If a node forwards a part, its part moves after
  // the part that it forwards has arrived.
  void Move(unsigned phase) {
    size_t left = 0;
    for (const CollectiveOperation& op : operations_) left += op.outs.size();
    while (left > 0) {
      const size_t before = left;
      for (Rank me = 0; me < operations_.size(); ++me) {
        CollectiveOperation& op = operations_[me];
        for (OutPart& out : op.outs) {
          ASSERT_EQ(out.phase, phase);
          if (out.state == OutPart::State::kDone || MustWait(op, out)) continue;
          out.state = OutPart::State::kDone;
          --left;
          Take(me, out);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
      ASSERT_LT(left, before) << "nodes wait for each other";
    }
  }
  static bool MustWait(const CollectiveOperation& op, const OutPart& out) {
    return out.after != OutPart::kNothing && !op.ins[out.after].done;
  }

  void Take(Rank from, const OutPart& out) {
    ASSERT_LT(out.to, operations_.size());
    ASSERT_NE(out.to, from);
    ++parts_;
    Cross(from, out);
    CollectiveOperation& op = operations_[out.to];
    const size_t index = AlgorithmOf(op).IndexOf(Of(out.to), out.key, from);
    ASSERT_LT(index, op.ins.size()) << "node " << out.to << " expects nothing";
    InPart& in = op.ins[index];
    ASSERT_FALSE(in.done) << "comes twice to node " << out.to;
    ASSERT_TRUE(in.from == InPart::kAnybody || in.from == from);
    ASSERT_EQ(in.nbytes, out.nbytes);
    ASSERT_EQ(in.key, out.key);
    if (in.nbytes > 0) std::memcpy(in.to, out.from, in.nbytes);
    in.done = true;
    --op.ins_left;
  }

  World& world_;
  const CollSettings& settings_;
  Combiner combiner_;
  std::deque<Team> teams_;
  std::deque<CollectiveOperation> operations_;
  std::vector<Crossing> crossings_;
  size_t parts_ = 0;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_TOGETHER_H_
