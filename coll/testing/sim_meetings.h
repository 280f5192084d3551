// Meetings in shared memory for a simulated world. The nodes meet there instead
// of sending messages.
#ifndef COLL_TESTING_SIM_MEETINGS_H_
#define COLL_TESTING_SIM_MEETINGS_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "core/rank.h"

namespace gasnet::coll::testing {

class SimMeetings {
 public:
  // Enters a meeting. Returns false if the node has already entered this
  // meeting.
  bool Come(Rank node, unsigned which, uint32_t number) {
    return come_[{which, number}].insert(node).second;
  }
  // Returns true if all nodes below `nodes` have entered. Advances `seen` to
  // the first node that has not entered.
  bool HaveAllCome(Rank nodes, unsigned which, uint32_t number, Rank& seen) {
    const std::set<Rank>& come = come_[{which, number}];
    while (seen < nodes && come.contains(seen)) ++seen;
    return seen == nodes;
  }

 private:
  std::map<std::pair<unsigned, uint32_t>, std::set<Rank>> come_;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_SIM_MEETINGS_H_
