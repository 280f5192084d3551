// Computes the limits of an interface from the limits that a program requests.
#ifndef PORTALS_API_LIMITS_H_
#define PORTALS_API_LIMITS_H_

#include "portals/engine/layout.h"
#include "portals4.h"

namespace gasnet::portals4 {

// Returns the actual limits. `desired` may be null. Its fields may have
// arbitrary values if the program has not set them. PORTALS4_LIMITS lowers the
// greatest possible limits.
ptl_ni_limits_t ActualLimits(const ptl_ni_limits_t* desired);

Counts CountsOf(const ptl_ni_limits_t& limits);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_LIMITS_H_
