#include "coll/disagreement.h"

#include <cinttypes>
#include <cstdio>

#include "base/log.h"
#include "coll/kernels/kernels.h"
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
constexpr const char* kTypeNames[kTypes] = {
    "INT8",   "UINT8", "INT16",  "UINT16", "INT32",
    "UINT32", "INT64", "UINT64", "FLOAT",  "DOUBLE"};
constexpr const char* kOpNames[kOps] = {"SUM", "PRODUCT",     "MIN",
                                        "MAX", "AND",         "OR",
                                        "XOR", "LOGICAL_AND", "LOGICAL_OR"};

bool IsReduction(CollectiveKind kind) {
  return kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kReduceAll ||
         kind == CollectiveKind::kPrefixReduce;
}

// Writes Terms as text like "gather with nbytes 8, root 1, IN_MYSYNC,
// OUT_ALLSYNC, LOCAL".
struct Text {
  explicit Text(const Terms& terms) {
    const unsigned in = terms.modes & 3;
    const unsigned out = terms.modes >> 2 & 3;
    char root[32] = "";
    if (HasRoot(terms.kind)) {
      std::snprintf(root, sizeof(root), ", root %u", terms.root);
    }
    char how[48] = "";
    if (IsReduction(terms.kind)) WriteHow(how, sizeof(how), terms);
    const bool exclusive = (terms.modes >> kExclusiveShift & 1) != 0;
    std::snprintf(text, sizeof(text), "%s with nbytes %s%u%s%s%s, %s, %s, %s",
                  kKindNames[static_cast<unsigned>(terms.kind)],
                  terms.nbytes == Terms::kMany ? "at least " : "", terms.nbytes,
                  how, exclusive ? ", EXCLUSIVE" : "", root,
                  in < 3 ? kInNames[in] : "?", out < 3 ? kOutNames[out] : "?",
                  (terms.modes >> 4 & 1) != 0 ? "SINGLE" : "LOCAL");
  }
  // Writes the description of a reduction. The terms may be unchecked data from
  // a peer.
  static void WriteHow(char* to, size_t size, const Terms& terms) {
    const unsigned type = terms.how >> 4;
    const unsigned op = terms.how & 0xf;
    const bool all_bits = !HasRoot(terms.kind);
    if (all_bits ? terms.root == Reduction::kIntoRightName
                 : terms.how == HowOf(Reduction::kIntoRightName)) {
      std::snprintf(to, size, ", a function");
    } else if (terms.how >= kHowFunction) {
      std::snprintf(to, size, ", function %u%s",
                    all_bits ? terms.root & ~Reduction::kFunctionName : op,
                    all_bits ? "" : " (modulo 16)");
    } else {
      WriteOperation(to, size, type, op);
    }
  }
  static void WriteOperation(char* to, size_t size, unsigned type,
                             unsigned op) {
    std::snprintf(to, size, ", %s %s", type < kTypes ? kTypeNames[type] : "?",
                  op < kOps ? kOpNames[op] : "?");
  }

  // Writes a Contribution as text like "reduce_allv of elements of 4 bytes,
  // FLOAT SUM, OUT_MYSYNC".
  explicit Text(const Contribution& terms) {
    char how[64] = "";
    if ((terms.name & Reduction::kFunctionName) != 0) {
      std::snprintf(how, sizeof(how), ", function %u with op_arg %d",
                    terms.name & ~Reduction::kFunctionName, terms.argument);
    } else {
      WriteOperation(how, sizeof(how), terms.name >> 8, terms.name & 0xff);
    }
    const auto out = static_cast<unsigned>(terms.out);
    if (!IsReduction(terms.kind)) {
      std::snprintf(text, sizeof(text), "another collective");
    } else {
      std::snprintf(text, sizeof(text), "%sv of elements of %u bytes%s, %s",
                    kKindNames[static_cast<unsigned>(terms.kind)],
                    terms.elem_size, how, out < 3 ? kOutNames[out] : "?");
    }
  }
  char text[224];
};

}  // namespace

void RefuseTerms(const CollectiveOperation& op, const Envelope& envelope) {
  Fatal(
      "%s: rank %u calls %s; this rank %s; all ranks must call the same "
      "collectives with the same arguments, in the same order",
      op.request->call, envelope.from, Text(envelope.header.terms).text,
      Text(op.terms).text);
}

void RefuseContribution(const char* call, Rank from, const Contribution& theirs,
                        const Contribution& mine) {
  Fatal(
      "%s: rank %u calls %s; this rank %s; all ranks must call the same "
      "collectives with the same arguments, in the same order",
      call, from, Text(theirs).text, Text(mine).text);
}

void RefuseSize(const CollectiveOperation& op, const Envelope& envelope,
                size_t expected) {
  const uint64_t sent = envelope.header.type == MessageType::kOffer
                            ? envelope.header.landing
                            : envelope.nbytes;
  Fatal("%s: rank %u sends %" PRIu64 " bytes where this rank expects %zu",
        op.request->call, envelope.from, sent, expected);
}

void Refuse(const Envelope& envelope, const char* what) {
  Fatal(
      "rank %u sent a message %s collective %u of team %u (%s), which is not "
      "expected now; the ranks call different collectives, or memory or the "
      "network is corrupted",
      envelope.from, what, envelope.header.number, envelope.header.team,
      Text(envelope.header.terms).text);
}

void RefuseNumber(const Team& team, const Envelope& envelope) {
  const CollHeader& header = envelope.header;
  const Terms* const here = team.TermsOfOver(header.number);
  if (here == nullptr) Refuse(envelope, "outside");
  if (*here == header.terms) Refuse(envelope, "after the end of");
  Fatal(
      "rank %u calls %s as collective %u of team %u; this rank called %s, "
      "which is over; all ranks must call the same collectives with the same "
      "arguments, in the same order",
      envelope.from, Text(header.terms).text, header.number, header.team,
      Text(*here).text);
}

void RefuseStranger(Rank from) {
  Fatal("rank %u sent a message of a collective of a team that it is not in",
        from);
}

}  // namespace gasnet::coll
