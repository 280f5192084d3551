/* A program for Portals 4 that uses no other library. */
#include <portals4.h>
#include <stdio.h>

int main(void) {
  ptl_handle_ni_t ni;
  ptl_process_t id;
  if (PtlInit() != PTL_OK ||
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                PTL_PID_ANY, NULL, NULL, &ni) != PTL_OK ||
      PtlGetPhysId(ni, &id) != PTL_OK || PtlNIFini(ni) != PTL_OK) {
    return 1;
  }
  PtlFini();
  puts("portals");
  return 0;
}
