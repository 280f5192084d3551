#include "vis/packet_check.h"

#include <cinttypes>

#include "base/log.h"

namespace gasnet::vis {

void RefusePacket(const VisPacket::Refusal& refusal, Rank source,
                  const char* what) {
  if (refusal.nbytes == 0) {
    Fatal(
        "rank %u sent an invalid %s in pieces: %s; its memory or the network "
        "is corrupted",
        source, what, refusal.why);
  }
  Fatal("rank %u asked for a %s in pieces of %s: %" PRIu64
        " bytes at 0x%" PRIxPTR,
        source, what, refusal.why, refusal.nbytes, refusal.address);
}

}  // namespace gasnet::vis
