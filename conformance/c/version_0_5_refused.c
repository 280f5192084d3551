// The arguments that gasnet_init of version 0.5 must refuse: handlers below
// 200, indices given twice, impossible sizes.
#include <gasnet_0_5.h>
#include <string.h>

#include "conformance/harness.h"

static void Handler(gasnet_token_t token) { (void)token; }

int main(int argc, char** argv) {
  gasnet_handlerentry_t table[] = {{200, (void (*)())Handler},
                                   {201, (void (*)())Handler}};
  uintptr_t size = GASNET_PAGESIZE;
  int expected = GASNET_ERR_BAD_ARG;
  // argv[1] is still valid after gasnet_init: there are no arguments that
  // gasnet_init would remove.
  const char* const which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "reserved") == 0) table[0].index = 199;
  if (strcmp(which, "duplicate") == 0) table[0].index = 201;
  if (strcmp(which, "part_of_a_page") == 0) size = 100;
  if (strcmp(which, "everything") == 0) size = GASNET_SEGSIZE_EVERYTHING;
  if (strcmp(which, "too_much") == 0) {
    size = (uintptr_t)1 << 60;
    expected = GASNET_ERR_RESOURCE;
  }
  CHECK_EQ(gasnet_init(&argc, &argv, table, 2, GASNET_SEGBASE_ANY, size, 0),
           expected);
  printf("refused\n");
  gasnet_exit(0);
  return 0;
}
