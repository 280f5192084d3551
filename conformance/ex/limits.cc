// Limits of payloads (GASNet-EX, section 11.3):
//
// - A limit is at least 512 bytes, and at least the gex_AM_LUB* value.
// - The gex_AM_LUB* value holds for every peer.
// - Two processes get the same limit for each other.
// - A limit does not grow with the number of arguments.
// - The limit for all peers is the minimum of the limits for each peer.
#include <algorithm>
#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kCompare = 200, kCompared };

struct Limit {
  size_t (*of)(gex_TM_t, gex_Rank_t, const gex_Event_t*, gex_Flags_t, unsigned);
  size_t (*bound)();
};
const Limit kLimits[] = {
    {[](gex_TM_t tm, gex_Rank_t rank, const gex_Event_t* lc, gex_Flags_t flags,
        unsigned n) { return gex_AM_MaxRequestMedium(tm, rank, lc, flags, n); },
     [] { return gex_AM_LUBRequestMedium(); }},
    {[](gex_TM_t tm, gex_Rank_t rank, const gex_Event_t* lc, gex_Flags_t flags,
        unsigned n) { return gex_AM_MaxReplyMedium(tm, rank, lc, flags, n); },
     [] { return gex_AM_LUBReplyMedium(); }},
    {[](gex_TM_t tm, gex_Rank_t rank, const gex_Event_t* lc, gex_Flags_t flags,
        unsigned n) { return gex_AM_MaxRequestLong(tm, rank, lc, flags, n); },
     [] { return gex_AM_LUBRequestLong(); }},
    {[](gex_TM_t tm, gex_Rank_t rank, const gex_Event_t* lc, gex_Flags_t flags,
        unsigned n) { return gex_AM_MaxReplyLong(tm, rank, lc, flags, n); },
     [] { return gex_AM_LUBReplyLong(); }},
};

constexpr gex_Flags_t kFlags[] = {0, GEX_FLAG_IMMEDIATE,
                                  GEX_FLAG_AM_PREPARE_LEAST_CLIENT,
                                  GEX_FLAG_AM_PREPARE_LEAST_ALLOC};
const gex_Event_t* const kOptions[] = {GEX_EVENT_NOW, GEX_EVENT_GROUP, nullptr};

std::atomic<int> compared{0};

void CheckLimit(const Limit& limit, const gex_Event_t* lc, gex_Flags_t flags) {
  const bool is_least = flags > GEX_FLAG_IMMEDIATE;
  size_t of_all = SIZE_MAX;
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    size_t before = SIZE_MAX;
    for (unsigned n = 0; n <= gex_AM_MaxArgs(); ++n) {
      const size_t bytes = limit.of(tm, rank, lc, flags, n);
      CHECK(bytes >= 512);
      CHECK(is_least || bytes >= limit.bound());
      CHECK(bytes <= before);
      CHECK_EQ(bytes, limit.of(tm, rank, lc, flags, n));
      CHECK_EQ(bytes, limit.of(gex_TM_Pair(ep, 0), rank, lc, flags, n));
      before = bytes;
    }
    of_all = std::min(of_all, before);
  }
  CHECK_EQ(limit.of(tm, GEX_RANK_INVALID, lc, flags, gex_AM_MaxArgs()), of_all);
}

// Compares the sender's limits for this process with this process's limits for
// the sender, and with the limits that the token gives.
void Compare(gex_Token_t token, void* buffer, size_t bytes) {
  const size_t* const theirs = static_cast<const size_t*>(buffer);
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  size_t at = 0;
  for (const Limit& limit : kLimits) {
    for (const gex_Flags_t flags : kFlags) {
      CHECK_EQ(theirs[at++], limit.of(tm, info.gex_srcrank, nullptr, flags, 3));
    }
  }
  CHECK_EQ(at * sizeof *theirs, bytes);
  for (const gex_Flags_t flags : kFlags) {
    CHECK_EQ(gex_Token_MaxReplyMedium(token, nullptr, flags, 3),
             gex_AM_MaxReplyMedium(tm, info.gex_srcrank, nullptr, flags, 3));
    CHECK_EQ(
        gex_Token_MaxReplyLong(token, GEX_EVENT_NOW, flags, 3),
        gex_AM_MaxReplyLong(tm, info.gex_srcrank, GEX_EVENT_NOW, flags, 3));
  }
  CHECK_EQ(gex_AM_ReplyShort0(token, kCompared, 0), 0);
}
void Compared(gex_Token_t) { ++compared; }

void LetPeersCompare() {
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    size_t mine[16], count = 0;
    for (const Limit& limit : kLimits) {
      for (const gex_Flags_t flags : kFlags) {
        mine[count++] = limit.of(tm, rank, nullptr, flags, 3);
      }
    }
    CHECK_EQ(gex_AM_RequestMedium0(tm, rank, kCompare, mine,
                                   count * sizeof *mine, GEX_EVENT_NOW, 0),
             0);
  }
  GASNET_BLOCKUNTIL(compared == static_cast<int>(Size()));
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kCompare, Compare, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
    EX_HANDLER(kCompared, Compared, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  static_assert(gex_AM_MaxArgs() >= 2 * sizeof(void*) / sizeof(gex_AM_Arg_t));
  for (const Limit& limit : kLimits) {
    for (const gex_Flags_t flags : kFlags) {
      for (const gex_Event_t* const lc : kOptions) CheckLimit(limit, lc, flags);
    }
  }
  LetPeersCompare();
  return FinishJob();
}
