#include "conduits/portals/answers.h"

namespace gasnet::portals_conduit {

const char* AnswerText(int answer) {
  // This is not a switch, because some implementations of Portals give two
  // answers the same value.
  if (answer == PTL_NO_SPACE) return "no space (PTL_NO_SPACE)";
  if (answer == PTL_ARG_INVALID) return "invalid argument (PTL_ARG_INVALID)";
  if (answer == PTL_PT_IN_USE) return "index in use (PTL_PT_IN_USE)";
  if (answer == PTL_PT_FULL) return "no index left (PTL_PT_FULL)";
  if (answer == PTL_PID_IN_USE) return "process in use (PTL_PID_IN_USE)";
  if (answer == PTL_NO_INIT) return "not initialised (PTL_NO_INIT)";
  if (answer == PTL_FAIL) return "an error of the system (PTL_FAIL)";
  return "an error without a name";
}

const char* FailureText(ptl_ni_fail_t failure) {
  if (failure == PTL_NI_UNDELIVERABLE) return "undeliverable";
  if (failure == PTL_NI_DROPPED) return "dropped by the target";
  if (failure == PTL_NI_PT_DISABLED) return "refused by a disabled entry";
  if (failure == PTL_NI_PERM_VIOLATION) return "not allowed for this user";
  if (failure == PTL_NI_OP_VIOLATION) return "not allowed by the entry";
  if (failure == PTL_NI_SEGV) return "no memory at that address";
  return "a failure without a name";
}

}  // namespace gasnet::portals_conduit
