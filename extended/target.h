// The endpoint whose segment a transfer accesses. In GASNet-1 calls a node
// stands for its endpoint 0.
//
// Messages between endpoints 0 reach the segments of all other endpoints. The
// handlers of these messages access any segment that is bound in their process.
#ifndef EXTENDED_TARGET_H_
#define EXTENDED_TARGET_H_

#include "core/endpoint_index.h"
#include "core/rank.h"

namespace gasnet::extended {

struct Target {
  constexpr Target(Rank rank, EndpointIndex index = 0)  // NOLINT: a rank is one
      : node(rank), endpoint(index) {}

  Rank node;
  EndpointIndex endpoint;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_TARGET_H_
