// A choice of nodes of a job, as GASNET_OFI_LIST_DEVICES_NODES writes it:
// numbers and ranges with commas between them ("0,2-4"), or "*", all nodes.
// Numbers that a job does not have are no mistake, so that one list serves jobs
// of any size.
#ifndef CONDUITS_OFI_NODE_LIST_H_
#define CONDUITS_OFI_NODE_LIST_H_

#include <optional>
#include <string_view>
#include <vector>

#include "core/rank.h"

namespace gasnet::ofi {

class NodeList {
 public:
  // Nothing but these characters, a range no lower at its end than at its
  // beginning; else empty.
  static std::optional<NodeList> Parse(std::string_view text);

  bool Has(Rank node) const;

 private:
  struct Range {
    Rank first;
    Rank last;
  };
  static std::optional<Range> ParseRange(std::string_view text);

  std::vector<Range> ranges_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NODE_LIST_H_
