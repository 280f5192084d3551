// The endpoint whose segment a transfer accesses. The functions of GASNet-1
// name a node, which stands for its endpoint 0.
//
// The segments of other endpoints are reached by messages between endpoints 0,
// whose handlers access any segment that is bound in their process.
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
