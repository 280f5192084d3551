// The steps that a link has begun of a message that takes it several: a Long
// whose payload goes ahead by remote memory access, and whose header follows.
//
// The sender keeps it, zero at first, from one call of Send for the message
// that answered kRetry to the next, until one answers kDone (am/link.h,
// LinkSendsInSteps). So nothing is begun twice, and Send never waits.
#ifndef CORE_RMA_JOURNEY_H_
#define CORE_RMA_JOURNEY_H_

#include <cstddef>

#include "core/rma/under_way.h"

namespace gasnet::am {

struct Journey {
  size_t posted = 0;  // of the payload's first bytes
  rma::UnderWay sources;
  rma::UnderWay complete;
  void* held = nullptr;  // the link's
};

}  // namespace gasnet::am

#endif  // CORE_RMA_JOURNEY_H_
