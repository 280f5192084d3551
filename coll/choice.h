// Declares all algorithms, and chooses one for an operation. The choice depends
// only on values that are the same on all nodes. All algorithms of a reduction
// give results with the same bits (combine.h).
#ifndef COLL_CHOICE_H_
#define COLL_CHOICE_H_

#include "coll/algorithm.h"
#include "coll/operation.h"
#include "coll/phase.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"

namespace gasnet::coll {

namespace algorithms {

extern const Algorithm& kClaims;

extern const Algorithm& kBroadcast;
extern const Algorithm& kScatter;
extern const Algorithm& kLedScatter;
extern const Algorithm& kGather;
extern const Algorithm& kLedGather;
extern const Algorithm& kGatherAll;
extern const Algorithm& kRingGatherAll;
extern const Algorithm& kBruckGatherAll;
extern const Algorithm& kCentralGatherAll;
extern const Algorithm& kExchange;
extern const Algorithm& kBruckExchange;
extern const Algorithm& kCentralExchange;

extern const Algorithm& kFlatReduce;
extern const Algorithm& kTreeReduce;
extern const Algorithm& kSlicedReduce;
extern const Algorithm& kFlatReduceAll;
extern const Algorithm& kCentralReduceAll;
extern const Algorithm& kTreeReduceAll;
extern const Algorithm& kSlicedReduceAll;
extern const Algorithm& kFlatPrefix;
extern const Algorithm& kChainPrefix;
extern const Algorithm& kSklanskyPrefix;
extern const Algorithm& kSlicedPrefix;

extern const Algorithm& kPermute;
extern const Algorithm& kScatterV;
extern const Algorithm& kGatherV;
extern const Algorithm& kGatherAllV;
extern const Algorithm& kExchangeV;
extern const Algorithm& kPartners;
extern const Algorithm& kFlatBarrier;
extern const Algorithm& kCentralBarrier;
extern const Algorithm& kDissemination;

}  // namespace algorithms

// Returns the algorithm for a request.
const Algorithm& Choose(const Team& team, const CollectiveRequest& request,
                        const CollSettings& settings);

// Returns the algorithm of the operation's current phase. If nodes claim their
// blocks, the first phase has the algorithm kClaims.
inline const Algorithm& AlgorithmOf(const CollectiveOperation& op) {
  return op.phase == 0 && ClaimsFirst(*op.request) ? algorithms::kClaims
                                                   : *op.algorithm;
}
inline unsigned PhasesOf(const CollectiveOperation& op) {
  return op.algorithm->Phases(*op.team) + (ClaimsFirst(*op.request) ? 1 : 0);
}

}  // namespace gasnet::coll

#endif  // COLL_CHOICE_H_
