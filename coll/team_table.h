// The teams of this node, by id. An id is this node's own name of a team: it is
// in the messages that come here, and members may use different ids for one
// team.
//
// An id may name one team after the other. Messages of an ended team may still
// come. They are known by their numbers: a later team of the same id begins
// with higher ones.
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
  // The ids of the teams of all nodes, the same on all: with one image each,
  // and with the images of gasnet_coll_init.
  static constexpr uint16_t kAll = 0;
  static constexpr uint16_t kImages = 1;

  // An id, and the first number that operations of its next team may have here.
  struct Name {
    uint16_t id = 0;
    uint32_t first = 1;
  };

  // Takes a free id for a team to be added. Fatal if there is none.
  Name Take() {
    if (!free_.empty()) {
      const uint16_t id = free_.back();
      free_.pop_back();
      return {id, slots_[id].first};
    }
    if (slots_.size() < kFirstFree) slots_.resize(kFirstFree);
    if (slots_.size() > UINT16_MAX) {
      Fatal("there are %zu teams on this node; that is the most",
            slots_.size());
    }
    slots_.emplace_back();
    return {static_cast<uint16_t>(slots_.size() - 1), 1};
  }
  // Gives back an id of Take that got no team.
  void GiveBack(uint16_t id) { free_.push_back(id); }

  // The id is one of Take, or has no team yet.
  Team& Add(Team::Members members) {
    const uint16_t id = members.id;
    if (slots_.size() <= id) slots_.resize(id + size_t{1});
    slots_[id].team = std::make_unique<Team>(std::move(members));
    return *slots_[id].team;
  }
  // Ends a team whose id Take gave.
  void Remove(Team& team) {
    const uint16_t id = team.id();
    // Messages about bases have numbers up to a base, which is the next number
    // at most.
    slots_[id].first = team.next + kWindow;
    slots_[id].has_ended = true;
    slots_[id].team.reset();
    free_.push_back(id);
  }

  // Returns null if there is no such team now.
  Team* Find(uint16_t id) const {
    return id < slots_.size() ? slots_[id].team.get() : nullptr;
  }
  // Returns true for the number of a message of a team that has ended.
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
    bool has_ended = false;  // a team of that id
  };
  static constexpr size_t kFirstFree = 2;

  std::vector<Slot> slots_;
  std::vector<uint16_t> free_;
};

}  // namespace gasnet::coll

#endif  // COLL_TEAM_TABLE_H_
