// The teams of this node, by id. An id is this node's own name for a team.
// Messages to this node carry this node's id. The other members may use
// different ids for the same team.
//
// After a team has ended, its id may be reused for another team, and messages
// of the ended team may still arrive. These messages are recognised by their
// operation numbers: the later team begins with higher numbers.
//
// Belongs to the driving thread.
#ifndef COLL_TEAM_TABLE_H_
#define COLL_TEAM_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "coll/team.h"
#include "coll/tuning.h"

namespace gasnet::coll {

class TeamTable {
 public:
  // The ids of the two teams of all nodes of the job. All nodes use the same
  // two ids. kAll has one image on each node. kImages has the images that the
  // client passed to gasnet_coll_init.
  static constexpr uint16_t kAll = 0;
  static constexpr uint16_t kImages = 1;

  // An id, and the lowest number that operations of the next team with this id
  // may have on this node.
  struct Name {
    uint16_t id = 0;
    uint32_t first = 1;
  };

  // Takes a free id for a team to be added. Fatal if all ids are in use.
  Name Take() {
    if (!free_.empty()) {
      const uint16_t id = free_.back();
      free_.pop_back();
      return {id, slots_[id].first};
    }
    if (slots_.size() < kFirstFree) slots_.resize(kFirstFree);
    if (slots_.size() > UINT16_MAX) {
      Fatal("there are %zu teams on this node; no more are possible",
            slots_.size());
    }
    slots_.emplace_back();
    return {static_cast<uint16_t>(slots_.size() - 1), 1};
  }
  // Gives back an id that Take() returned and that no team has used.
  void GiveBack(uint16_t id) { free_.push_back(id); }

  // Adds a team. The team's id must come from Take(), or be an id that no team
  // has had.
  Team& Add(Team::Members members) {
    const uint16_t id = members.id;
    if (slots_.size() <= id) slots_.resize(id + size_t{1});
    slots_[id].team = std::make_unique<Team>(std::move(members));
    return *slots_[id].team;
  }
  // Ends a team. The team's id must come from Take().
  void Remove(Team& team) {
    const uint16_t id = team.id();
    // Numbers in late messages of the ended team are lower than this value. The
    // highest of them can be in a message that announces a base: a base is at
    // most the next number.
    slots_[id].first = team.next + kWindow;
    slots_[id].has_ended = true;
    slots_[id].team.reset();
    free_.push_back(id);
  }

  // Returns the team that has this id now, or null if there is no such team.
  Team* Find(uint16_t id) const {
    return id < slots_.size() ? slots_[id].team.get() : nullptr;
  }
  // Returns true if a message with this id and operation number belongs to a
  // team that has ended.
  bool HasEnded(uint16_t id, uint32_t number) const {
    if (id >= slots_.size()) return false;
    const Slot& slot = slots_[id];
    if (!slot.has_ended) return false;
    const uint32_t first =
        slot.team != nullptr ? slot.team->first() : slot.first;
    return static_cast<int32_t>(number - first) < 0;
  }

 private:
  struct Slot {
    std::unique_ptr<Team> team;
    uint32_t first = 1;
    bool has_ended = false;  // a team of that id has ended
  };
  static constexpr size_t kFirstFree = 2;

  std::vector<Slot> slots_;
  std::vector<uint16_t> free_;
};

}  // namespace gasnet::coll

#endif  // COLL_TEAM_TABLE_H_
