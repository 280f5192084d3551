// One call of gex_EP_PublishBoundSegment. It makes the segments of the
// endpoints that each member of a team lists known to all members
// (core/further_segments.h). It lives in the frame of the call.
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

  // Adds an endpoint. An endpoint without a segment adds nothing, nor does the
  // primordial one, whose segment all processes know.
  void Add(const gasneti_ep& endpoint);
  // Exchanges the segments. Collective over the team.
  void Publish(Team& team);

 private:
  // A segment, as sent to the members.
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
