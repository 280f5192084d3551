// The nodes that take part in a team's collectives, and the state of these
// collectives on this node. A Team is immutable, except for the members at its
// end. The members at its end belong to the driving thread.
#ifndef COLL_TEAM_H_
#define COLL_TEAM_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/inbox.h"
#include "coll/operation.h"
#include "coll/patience.h"
#include "coll/tree.h"
#include "coll/window.h"
#include "core/observe/status_board.h"
#include "core/rank.h"

namespace gasnet::coll {

class Team {
 public:
  static constexpr Rank kNoMember = ~Rank{0};

  // The members of a team, and facts about these members.
  //
  // - ids: each node's id of the team (team_table.h). Empty if all nodes have
  //   the same id.
  // - first: the number of the first operation.
  // - near: indexed by node; true if this node and node i map each other's
  //   segments.
  // - hosts: indexed by node; a number that is equal for nodes of one host.
  // - processors: the number of processors of this host that processes of
  //   the job may use.
  struct Members {
    uint16_t id = 0;  // this node's id of the team
    Rank me = 0;
    uint32_t first = 1;
    std::vector<Rank> ranks{};  // job ranks
    std::vector<uint16_t> ids{};
    std::vector<uint32_t> images{};
    std::vector<bool> near{};
    std::vector<uint32_t> hosts{};
    uint32_t processors = ~0u;
  };
  explicit Team(Members members);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  uint16_t id() const { return members_.id; }
  uint16_t id_of(Rank index) const {
    return members_.ids.empty() ? members_.id : members_.ids[index];
  }
  uint32_t first() const { return members_.first; }
  Rank nodes() const { return static_cast<Rank>(members_.ranks.size()); }
  Rank me() const { return members_.me; }
  Rank rank_of(Rank index) const { return members_.ranks[index]; }
  const std::vector<Rank>& ranks() const { return members_.ranks; }
  // Returns the index that a job rank has in the team, or kNoMember.
  Rank index_of(Rank job_rank) const {
    return job_rank < index_of_.size() ? index_of_[job_rank] : kNoMember;
  }
  uint32_t images(Rank index) const {
    return first_[index + 1] - first_[index];
  }
  uint32_t first_image(Rank index) const { return first_[index]; }
  uint32_t blocks() const { return first_.back(); }
  Rank owner_of(uint32_t image) const {
    return one_image_each() ? image : FindOwner(image);
  }
  bool one_image_each() const { return blocks() == nodes(); }
  bool IsNear(Rank index) const { return members_.near[index]; }
  // Returns true if all nodes map each other's segments.
  bool all_near() const { return all_near_; }
  // Returns the number of the team's nodes that can run at once. If not all
  // nodes share memory, this number is not known, and nodes() is returned.
  Rank running() const {
    return all_near_ ? std::clamp(members_.processors, 1u, nodes()) : nodes();
  }
  // Returns the number of rounds after which each node has heard from all
  // others, directly or indirectly. In each round the number of nodes that a
  // node has heard from doubles.
  unsigned rounds() const {
    return static_cast<unsigned>(std::bit_width(nodes() - 1u));
  }
  // Returns the number of hosts that the team's nodes run on.
  uint32_t hosts() const { return hosts_; }
  uint32_t host_of(Rank index) const { return members_.hosts[index]; }
  // Returns the leader of the host of node `index`. A leader communicates with
  // other hosts, as in trees (tree.h). On the root's host the leader is the
  // root; on any other host the leader is the host's first node.
  Rank LeaderOf(Rank index, Rank root) const {
    const Rank first = first_on_host_[index];
    return first == first_on_host_[root] ? root : first;
  }
  // Returns true if any host other than the one of node `index` has several
  // nodes.
  bool HasSharedHostBeyond(Rank index) const {
    return shared_hosts_ >
           (nodes_on_host_[first_on_host_[index]] > 1 ? 1u : 0u);
  }
  // Returns the largest number of images on one host.
  uint32_t most_images_on_host() const { return most_images_on_host_; }

  // Sets the number of images of each node. Called before the first operation.
  void SetImages(std::vector<uint32_t> images);

  // Returns the broadcast tree for `root`, as seen by this node. The tree is
  // valid until the next call. A call for the same tree again is fast, because
  // the last tree is kept.
  const Tree& TreeOf(Rank root, TreeShape shape = TreeShape::kBest) {
    if (tree_root_ != root || tree_shape_ != shape) [[unlikely]]
      MakeTreeOf(root, shape);
    return tree_;
  }

  // Converts an operation number of this team to a count. Numbers begin at
  // first(), counts begin at 1.
  uint32_t CountOf(uint32_t number) const { return number - first() + 1; }
  // Returns a name that no other team of the job has.
  uint64_t name() const { return job::TeamName(rank_of(0), id_of(0)); }

  // The members below belong to the driving thread.

  // Records an operation that is over. Keeps the records of the last kWindow
  // operations, only for error reports.
  void MarkOver(uint32_t number, const Terms& terms) {
    over_[number % kWindow] = {number, terms};
  }
  // Returns the terms of an operation that is over. Returns null if the
  // operation is not over or its record has been replaced.
  const Terms* TermsOfOver(uint32_t number) const {
    const Over& it = over_[number % kWindow];
    return it.number == number ? &it.terms : nullptr;
  }

  // This node's entry in the status report: the number of operations that it
  // has begun.
  observe::StatusBoard::Team status;
  Window window;
  Patience patience;
  // The number of the next operation to begin. Owned by the thread that begins
  // operations. This thread need not be the driving thread.
  uint32_t next;
  // number of the next operation to start
  uint32_t started;
  std::array<CollectiveOperation*, kWindow> live{};  // by number modulo kWindow
  std::array<EnvelopeQueue, kWindow> early;
  CollectiveOperation* queued =
      nullptr;  // begun but not started operations, in order
  CollectiveOperation** queued_end = &queued;
  uint32_t busy = 0;  // number of live and queued operations

 private:
  Rank FindOwner(uint32_t image) const;
  void FindHosts();
  void MakeTreeOf(Rank root, TreeShape shape);

  struct Over {
    uint32_t number = 0;  // 0 is unused: operation numbers begin at 1
    Terms terms;
  };

  Members members_;
  std::array<Over, kWindow> over_{};  // by number modulo kWindow
  std::vector<uint32_t> first_;
  std::vector<Rank> index_of_;  // indexed by job rank
  bool all_near_ = true;
  std::vector<Rank> first_on_host_;  // indexed by node
  std::vector<Rank> nodes_on_host_;  // indexed by a host's first node; 0 for
                                     // others
  uint32_t hosts_ = 0;
  uint32_t shared_hosts_ = 0;  // number of hosts with several nodes
  uint32_t most_images_on_host_ = 0;
  Rank tree_root_ = kNoMember;
  TreeShape tree_shape_ = TreeShape::kBest;
  Tree tree_;
};

}  // namespace gasnet::coll

#endif  // COLL_TEAM_H_
