// One call of gex_EP_PublishBoundSegment. Each member of a team lists
// endpoints, and the call makes the endpoints' segments known to all members
// (core/further_segments.h). The object lives for the duration of the call.
#ifndef EX_PUBLICATION_H_
#define EX_PUBLICATION_H_

#include <cstdint>
#include <vector>

#include "core/rank.h"
#include "ex/endpoint.h"
#include "ex/team.h"

namespace gasnet::ex {

class Publication {
 public:
  explicit Publication(const char* call) : call_(call) {}

  // Adds an endpoint to this member's list. Ignores endpoints without a
  // segment. Also ignores the primordial endpoint, since all processes know its
  // segment.
  void Add(const gasneti_ep& endpoint);
  // Exchanges the segments. Collective over the team.
  void Publish(ExTeam& team);

 private:
  // A bound segment, in the form that is sent to the members.
  struct Entry {
    uint64_t base;
    uint64_t size;
    uint32_t index;
    uint32_t zero;
  };

  void Note(Rank from, const Entry& entry) const;

  const char* const call_;
  std::vector<Entry> mine_;
};

}  // namespace gasnet::ex

#endif  // EX_PUBLICATION_H_
