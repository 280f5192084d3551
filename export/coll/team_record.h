// The C functions' record of a team, in addition to the engine's record: the
// meetings of the team's images, the phases of its barriers, and usage counts.
// A team handle is the address of a record. GASNET_TEAM_ALL is an exception,
// since programs may read it before its record exists.
//
// gasnet_coll_init and gasnet_coll_team_split make records. A record lives
// until gasnete_coll_team_free.
#ifndef EXPORT_COLL_TEAM_RECORD_H_
#define EXPORT_COLL_TEAM_RECORD_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "base/log.h"
#include "coll/images.h"
#include "coll/request.h"
#include "coll/team.h"
#include "core/thread/spin_lock.h"
#include "extended/barrier_calls.h"
#include "gasnet/coll_teams.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

// The part of an image or of the node in a barrier, between notify and wait.
struct CollPhase {
  bool notified = false;
  extended::BarrierCall notify;
  gasnet_coll_handle_t handle = nullptr;
};

// The number of operations of one kind that this node has begun, and the number
// of bytes that they move. Only a thread that begins an operation writes, one
// thread at a time. Any thread reads.
struct CollUse {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> nbytes{0};

  void Count(size_t n) {
    // Relaxed: no other thread writes, and nothing else depends on the values.
    calls.store(calls.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
    nbytes.store(nbytes.load(std::memory_order_relaxed) + n,
                 std::memory_order_relaxed);
  }
};

struct TeamRecord {
  TeamRecord(coll::Team& of, coll::ImageMeetings& meetings)
      : team(of),
        images(meetings, of.images(of.me())),
        phases(of.images(of.me())) {}

  coll::Team& team;
  coll::Images images;
  std::vector<CollPhase> phases;  // indexed by image of this node
  CollPhase of_node;
  std::array<CollUse, coll::kKinds> use;
  // The record of the team that the last split made. One image calls the engine
  // for all images of the node. The others read this pointer.
  TeamRecord* split = nullptr;
};

class TeamRecords {
 public:
  using Record = TeamRecord;

  // Sets the two teams of all nodes. of_images: the team of GASNET_TEAM_ALL.
  // of_nodes: the team of gasnet_all_*. Both are the same team unless nodes
  // have several images.
  void SetAll(coll::Team& of_images, coll::Team& of_nodes,
              coll::ImageMeetings& meetings) {
    all_.emplace(of_images, meetings);
    if (&of_images != &of_nodes) of_nodes_.emplace(of_nodes, meetings);
  }
  Record& of_nodes() { return of_nodes_ ? *of_nodes_ : *all_; }

  Record& Add(coll::Team& team, coll::ImageMeetings& meetings) {
    const thread::Holder lock(lock_);
    return split_.emplace_back(team, meetings);
  }

  // Returns the record of a team. If the handle names no team of this node,
  // ends the job.
  Record& Find(const char* call, gasnet_team_handle_t team) {
    if (team == GASNET_TEAM_ALL) [[likely]]
      return *all_;
    const thread::Holder lock(lock_);
    for (Record& record : split_) {
      if (HandleOf(record) == team) return record;
    }
    Fatal("%s: team is %p, which is not a team that this node is in", call,
          static_cast<void*>(team));
  }

  // Removes a record that Add() made. If the handle names no such record, ends
  // the job.
  void Remove(const char* call, gasnet_team_handle_t team) {
    const thread::Holder lock(lock_);
    const auto is_it = [team](Record& it) { return HandleOf(it) == team; };
    if (split_.remove_if(is_it) == 1) return;
    Fatal("%s: team is %p, which is not a team that a split made here", call,
          static_cast<void*>(team));
  }

  static gasnet_team_handle_t HandleOf(Record& record) {
    return reinterpret_cast<gasnet_team_handle_t>(&record);
  }

 private:
  std::optional<Record> all_;
  std::optional<Record> of_nodes_;
  thread::SpinLock lock_;
  std::list<Record> split_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_TEAM_RECORD_H_
