// Nodes that call different collectives, or the same one with arguments that
// should be alike, would wait for each other for ever, or read what is not
// theirs: the job ends with a message that names both.
#ifndef COLL_DISAGREEMENT_H_
#define COLL_DISAGREEMENT_H_

#include <cstddef>

#include "coll/inbox.h"
#include "coll/operation.h"

namespace gasnet::coll {

// The arguments that all nodes must give alike, as messages carry them.
Terms TermsOf(const Request& request);

[[noreturn]] void RefuseTerms(const Operation& op, const Envelope& envelope);
inline void RequireSameTerms(const Operation& op, const Envelope& envelope) {
  if (envelope.header.terms == op.terms) [[likely]]
    return;
  RefuseTerms(op, envelope);
}

// A part of another size than is expected here.
[[noreturn]] void RefuseSize(const Operation& op, const Envelope& envelope,
                             size_t expected);
// A message that cannot come now; what: of which kind, before its number.
[[noreturn]] void Refuse(const Envelope& envelope, const char* what);
[[noreturn]] void RefuseStranger(Rank from);

}  // namespace gasnet::coll

#endif  // COLL_DISAGREEMENT_H_
