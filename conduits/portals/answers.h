// Describes the answers and failures of Portals in words.
#ifndef CONDUITS_PORTALS_ANSWERS_H_
#define CONDUITS_PORTALS_ANSWERS_H_

#include "conduits/portals/provider.h"

namespace gasnet::portals_conduit {

// Describes `answer`. A function has returned it instead of PTL_OK.
const char* AnswerText(int answer);

// Describes the failure of an operation whose event has a failure type other
// than PTL_NI_OK.
const char* FailureText(ptl_ni_fail_t failure);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_ANSWERS_H_
