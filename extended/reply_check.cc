#include "extended/reply_check.h"

#include "base/log.h"

namespace gasnet::extended {

void RefuseReply(Rank source, TransferId id, const char* why) {
  Fatal(
      "rank %u answered operation %u (generation %u) of this rank, but %s; "
      "its memory or the network is corrupted",
      source, id.index, id.generation, why);
}

void RefuseReplyLength(Rank source, TransferId id, size_t expected,
                       size_t arrived) {
  Fatal(
      "rank %u answered operation %u (generation %u) of this rank with %zu "
      "bytes where %zu were asked for; its memory or the network is "
      "corrupted",
      source, id.index, id.generation, arrived, expected);
}

}  // namespace gasnet::extended
