// Checks that the header compiles alone as C++17. The header must stay the
// first include.
#include <portals4.h>

#include <type_traits>

#define PTL_ASSERT static_assert
extern "C" {
#include "portals/include/prototypes_test.inc"
}
#include "portals/include/values_test.inc"

static_assert(std::is_trivially_copyable_v<ptl_event_t>);
static_assert(std::is_standard_layout_v<ptl_ni_limits_t>);

int main() {
  // Existing programs use the constants in loops and in conditional expressions
  // like these.
  unsigned kinds = 0;
  for (ptl_op_t operation = PTL_MIN; operation < PTL_OP_LAST; ++operation)
    ++kinds;
  const ptl_ack_req_t ack = kinds > 0 ? PTL_ACK_REQ : PTL_NO_ACK_REQ;
  return kinds == 18 && ack == 1 ? 0 : 1;
}
