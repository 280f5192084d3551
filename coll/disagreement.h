// Detects nodes that call different collectives, or the same collective with
// different values of an argument that must be equal. If not detected, these
// nodes would wait for each other forever or access wrong memory. So the job
// ends with a message that names the calls of both nodes.
#ifndef COLL_DISAGREEMENT_H_
#define COLL_DISAGREEMENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "coll/inbox.h"
#include "coll/kernels/kernels.h"
#include "coll/operation.h"
#include "coll/request.h"
#include "core/rank.h"

namespace gasnet::coll {

inline bool HasRoot(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kReduce:
    case CollectiveKind::kScatterV:
    case CollectiveKind::kGatherV:
      return true;
    default:
      return false;
  }
}

// HowOf packs the name of a reduction into a byte. The byte holds only the low
// 4 bits of a function's index, so rooted reductions by functions 0 and 16 look
// the same.
inline constexpr uint8_t kHowFunction = 0xf0;
static_assert(kTypes <= kHowFunction >> 4 && kOps <= 16);
inline uint8_t HowOf(uint32_t name) {
  return static_cast<uint8_t>((name & Reduction::kFunctionName) != 0
                                  ? kHowFunction | (name & 0xf)
                                  : (name >> 8 << 4) | (name & 0xf));
}

inline constexpr unsigned kExclusiveShift = 5;

// Returns the arguments that must be the same on all nodes, in the form that
// messages carry.
inline Terms TermsOf(const CollectiveRequest& request) {
  return {.kind = request.kind,
          .modes = static_cast<uint8_t>(
              static_cast<unsigned>(request.in) |
              static_cast<unsigned>(request.out) << 2 |
              static_cast<unsigned>(request.single) << 4 |
              static_cast<unsigned>(request.reduction.exclusive)
                  << kExclusiveShift),
          .how = HowOf(request.reduction.name),
          .root = HasRoot(request.kind) ? request.root_name
                                        : request.reduction.name,
          .nbytes = static_cast<uint32_t>(
              std::min<size_t>(request.nbytes, Terms::kMany))};
}

// Arguments of a reduction of unequal contributions (unequal.h) that must be
// the same on all nodes but do not fit in Terms. Each node's contribution
// carries them.
struct Contribution {
  uint32_t name = 0;  // as Reduction::name
  int32_t argument = 0;
  uint32_t elem_size = 0;
  CollectiveKind kind = CollectiveKind::kBarrier;  // the kind of the reduction
  SyncMode out = SyncMode::kAll;
  uint8_t elements = 0;  // 1 or 0 elements; may differ among nodes
  uint8_t unused = 0;
};
inline bool HasSameTerms(const Contribution& a, const Contribution& b) {
  return a.name == b.name && a.argument == b.argument &&
         a.elem_size == b.elem_size && a.kind == b.kind && a.out == b.out;
}
[[noreturn]] void RefuseContribution(const char* call, Rank from,
                                     const Contribution& theirs,
                                     const Contribution& mine);

[[noreturn]] void RefuseTerms(const CollectiveOperation& op,
                              const Envelope& envelope);
inline void RequireSameTerms(const CollectiveOperation& op,
                             const Envelope& envelope) {
  if (envelope.header.terms == op.terms) [[likely]]
    return;
  RefuseTerms(op, envelope);
}

// Ends the job because a part's size differs from the size expected here.
[[noreturn]] void RefuseSize(const CollectiveOperation& op,
                             const Envelope& envelope, size_t expected);
// Ends the job because the message is impossible now. `what` describes the
// message and is printed before the message's number.
[[noreturn]] void Refuse(const Envelope& envelope, const char* what);
// Ends the job because a message belongs to a collective that is over here, or
// that cannot have begun.
[[noreturn]] void RefuseNumber(const Team& team, const Envelope& envelope);
[[noreturn]] void RefuseStranger(Rank from);

}  // namespace gasnet::coll

#endif  // COLL_DISAGREEMENT_H_
