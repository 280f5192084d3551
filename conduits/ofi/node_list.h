// A set of nodes of a job, in the format of GASNET_OFI_LIST_DEVICES_NODES:
// numbers and ranges separated by commas ("0,2-4"), or "*" for all nodes. Nodes
// that the job does not have are ignored, so one list serves jobs of any size.
#ifndef CONDUITS_OFI_NODE_LIST_H_
#define CONDUITS_OFI_NODE_LIST_H_

#include <optional>
#include <string_view>
#include <vector>

#include "core/rank.h"

namespace gasnet::ofi {

class NodeList {
 public:
  // Parses a list. Returns nullopt if the text has other characters, or a range
  // that ends below its beginning.
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
