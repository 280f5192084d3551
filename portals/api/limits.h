// Limits of an interface, computed from those that a program asks for.
#ifndef PORTALS_API_LIMITS_H_
#define PORTALS_API_LIMITS_H_

#include "portals/engine/layout.h"
#include "portals4.h"

namespace gasnet::portals4 {

// Returns the actual limits. `desired` may be null, and have arbitrary values
// in fields that a program has not set. PORTALS4_LIMITS lowers the possible
// limits.
ptl_ni_limits_t ActualLimits(const ptl_ni_limits_t* desired);

Counts CountsOf(const ptl_ni_limits_t& limits);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_LIMITS_H_
