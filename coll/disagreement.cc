#include "coll/disagreement.h"

#include <cinttypes>
#include <cstdio>

#include "base/log.h"
#include "coll/team.h"

namespace gasnet::coll {
namespace {

constexpr const char* kKindNames[kKinds] = {
    "broadcast", "scatter",  "gather",     "gather_all",
    "exchange",  "reduce",   "reduce_all", "prefix_reduce",
    "permute",   "scatterv", "gatherv",    "gather_allv",
    "exchangev", "put",      "get",        "barrier"};
constexpr const char* kInNames[] = {"IN_NOSYNC", "IN_MYSYNC", "IN_ALLSYNC"};
constexpr const char* kOutNames[] = {"OUT_NOSYNC", "OUT_MYSYNC", "OUT_ALLSYNC"};

// "a gather of nbytes 8, root 1, IN_MYSYNC, OUT_ALLSYNC, LOCAL".
struct Text {
  explicit Text(const Terms& terms) {
    const unsigned in = terms.modes & 3;
    const unsigned out = terms.modes >> 2 & 3;
    char root[32] = "";
    if (HasRoot(terms.kind)) {
      std::snprintf(root, sizeof(root), ", root %u", terms.root);
    }
    std::snprintf(text, sizeof(text), "%s with nbytes %s%u%s, %s, %s, %s",
                  kKindNames[static_cast<unsigned>(terms.kind)],
                  terms.nbytes == Terms::kMany ? "at least " : "", terms.nbytes,
                  root, in < 3 ? kInNames[in] : "?",
                  out < 3 ? kOutNames[out] : "?",
                  (terms.modes >> 4 & 1) != 0 ? "SINGLE" : "LOCAL");
  }
  char text[160];
};

}  // namespace

void RefuseTerms(const Operation& op, const Envelope& envelope) {
  Fatal(
      "%s: rank %u calls %s; this rank %s; all ranks must give the same, in "
      "the same order",
      op.request->call, envelope.from, Text(envelope.header.terms).text,
      Text(op.terms).text);
}

void RefuseSize(const Operation& op, const Envelope& envelope,
                size_t expected) {
  const uint64_t sent = envelope.header.type == MessageType::kOffer
                            ? envelope.header.landing
                            : envelope.nbytes;
  Fatal("%s: rank %u sends %" PRIu64 " bytes where this rank expects %zu",
        op.request->call, envelope.from, sent, expected);
}

void Refuse(const Envelope& envelope, const char* what) {
  Fatal(
      "rank %u sent a message %s collective %u of team %u (%s), which cannot "
      "come now; the ranks call different collectives, or memory or the "
      "network "
      "is corrupted",
      envelope.from, what, envelope.header.number, envelope.header.team,
      Text(envelope.header.terms).text);
}

void RefuseNumber(const Team& team, const Envelope& envelope) {
  const Header& header = envelope.header;
  const Terms* const here = team.TermsOfOver(header.number);
  if (here == nullptr) Refuse(envelope, "outside");
  if (*here == header.terms) Refuse(envelope, "behind");
  Fatal(
      "rank %u calls %s as collective %u of team %u; this rank called %s, "
      "which "
      "is over; all ranks must give the same, in the same order",
      envelope.from, Text(header.terms).text, header.number, header.team,
      Text(*here).text);
}

void RefuseStranger(Rank from) {
  Fatal("rank %u sent a message of a collective of a team that it is not in",
        from);
}

}  // namespace gasnet::coll
