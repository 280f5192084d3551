#include "tools/gasnet_trace/losses.h"

#include "absl/strings/str_cat.h"
#include "tools/gasnet_trace/printable.h"

namespace gasnet::trace {

std::string RingLosses(const RankTrace& rank, const RingCursor& ring) {
  const std::string subject =
      absl::StrCat("rank ", rank.rank(), ", thread ", ring.thread(), ": ");
  std::string lines;
  if (ring.lost() > 0) {
    absl::StrAppend(&lines, subject, "the oldest ", Grouped(ring.lost()),
                    " of ", Grouped(ring.count()), " events are gone\n");
  }
  if (ring.damaged() > 0) {
    absl::StrAppend(&lines, subject, Grouped(ring.damaged()), " of ",
                    Grouped(ring.count()),
                    " events are damaged and left out\n");
  }
  return lines;
}

std::string ThreadLosses(const RankTrace& rank) {
  const uint64_t threads = rank.header().threads_without_ring;
  if (threads == 0) return "";
  return absl::StrCat("rank ", rank.rank(), ": ", Grouped(threads),
                      threads == 1 ? " thread was" : " threads were",
                      " not traced, since all rings were in use\n");
}

}  // namespace gasnet::trace
