/* Checks that the header compiles alone as C11. The header must stay the first
   include. */
#include <portals4.h>

#define PTL_ASSERT _Static_assert
#include "portals/include/prototypes_test.inc"
#include "portals/include/values_test.inc"

int main(void) {
  ptl_me_t me = {0}; /* initialised as C programs do */
  ptl_le_t le = {.start = &me, .length = sizeof me, .uid = PTL_UID_ANY};
  ptl_process_t rank = {.rank = 3}, any = {.phys = {PTL_NID_ANY, PTL_PID_ANY}};
  return le.length == sizeof me && rank.rank == 3 && any.phys.pid == 0xffff ? 0
                                                                            : 1;
}
