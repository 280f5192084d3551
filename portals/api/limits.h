// Limits of an interface: what a program asks for, brought into what we can.
#ifndef PORTALS_API_LIMITS_H_
#define PORTALS_API_LIMITS_H_

#include "portals/engine/layout.h"
#include "portals4.h"

namespace gasnet::portals4 {

// `desired` may be null, or hold anything in fields that a program has not set.
// PORTALS4_LIMITS lowers what is possible.
ptl_ni_limits_t ActualLimits(const ptl_ni_limits_t* desired);

Counts CountsOf(const ptl_ni_limits_t& limits);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_LIMITS_H_
