// The nodes that take part in a team's collectives, and what of them is live
// here. Immutable but for the last part, which belongs to the thread that
// drives the node.
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
#include "core/rank.h"

namespace gasnet::coll {

class Team {
 public:
  static constexpr Rank kNoMember = ~Rank{0};

  // near: by index, whether this node and that one map each other's segments.
  // hosts: by index, any number that is the same for those of one host.
  // processors: of this host, for processes of the job.
  struct Members {
    uint16_t id = 0;
    Rank me = 0;
    std::vector<Rank> ranks{};  // of the job
    std::vector<uint32_t> images{};
    std::vector<bool> near{};
    std::vector<uint32_t> hosts{};
    uint32_t processors = ~0u;
  };
  explicit Team(Members members);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  uint16_t id() const { return members_.id; }
  Rank nodes() const { return static_cast<Rank>(members_.ranks.size()); }
  Rank me() const { return members_.me; }
  Rank rank_of(Rank index) const { return members_.ranks[index]; }
  // kNoMember where it is none.
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
  // All nodes map each other's segments.
  bool all_near() const { return all_near_; }
  // How many of its nodes run at once, as far as is known.
  Rank running() const {
    return all_near_ ? std::clamp(members_.processors, 1u, nodes()) : nodes();
  }
  // In which each node can hear of all, if what it has doubles in each.
  unsigned rounds() const {
    return static_cast<unsigned>(std::bit_width(nodes() - 1u));
  }
  // How many.
  uint32_t hosts() const { return hosts_; }
  uint32_t host_of(Rank index) const { return members_.hosts[index]; }
  // The node that talks to other hosts for that one, as in trees (tree.h): the
  // root for its own host, else the first one of the host.
  Rank LeaderOf(Rank index, Rank root) const {
    const Rank first = first_on_host_[index];
    return first == first_on_host_[root] ? root : first;
  }
  // Whether a host other than that node's has several.
  bool HasSharedHostBeyond(Rank index) const {
    return shared_hosts_ >
           (nodes_on_host_[first_on_host_[index]] > 1 ? 1u : 0u);
  }
  // Of the host that has the most.
  uint32_t most_images_on_host() const { return most_images_on_host_; }

  // By index; before the first operation.
  void SetImages(std::vector<uint32_t> images);

  // Of broadcasts from that root.
  const Tree& TreeOf(Rank root, Shape shape = Shape::kBest) {
    if (tree_root_ != root || tree_shape_ != shape) [[unlikely]]
      MakeTreeOf(root, shape);
    return tree_;
  }

  // The rest belongs to the thread that drives.

  // The last ones that are over, which reports alone ask for.
  void MarkOver(uint32_t number, const Terms& terms) {
    over_[number % kWindow] = {number, terms};
  }
  // Null: longer ago, or not over.
  const Terms* TermsOfOver(uint32_t number) const {
    const Over& it = over_[number % kWindow];
    return it.number == number ? &it.terms : nullptr;
  }

  Window window;
  Patience patience;
  uint32_t next = 1;  // number of the next operation to begin; its beginner's
  uint32_t started = 1;                    // of the next one to be started
  std::array<Operation*, kWindow> live{};  // by number modulo kWindow
  std::array<EnvelopeQueue, kWindow> early;
  Operation* queued = nullptr;  // begun and not started, in order
  Operation** queued_end = &queued;
  uint32_t busy = 0;  // live and queued

 private:
  Rank FindOwner(uint32_t image) const;
  void FindHosts();
  void MakeTreeOf(Rank root, Shape shape);

  struct Over {
    uint32_t number = 0;  // the first is 1
    Terms terms;
  };

  Members members_;
  std::array<Over, kWindow> over_{};  // by number modulo kWindow
  std::vector<uint32_t> first_;
  std::vector<Rank> index_of_;  // by job rank
  bool all_near_ = true;
  std::vector<Rank> first_on_host_;  // by index
  std::vector<Rank> nodes_on_host_;  // by the first of them; of others 0
  uint32_t hosts_ = 0;
  uint32_t shared_hosts_ = 0;  // hosts with several nodes
  uint32_t most_images_on_host_ = 0;
  Rank tree_root_ = kNoMember;
  Shape tree_shape_ = Shape::kBest;
  Tree tree_;
};

}  // namespace gasnet::coll

#endif  // COLL_TEAM_H_
