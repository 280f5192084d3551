/* Uses every public name; see every_name.py. */
#include <gasnet_tools.h>
#include <stddef.h>
#include <stdio.h>

typedef void (*anything)(void);

struct entry {
  const char *name;
  anything address;
};

static void something(void) {}

#include "gasnet_tools/test/every_name.inc"

int main(void) {
  const size_t count = sizeof every_name / sizeof every_name[0];
  size_t missing = 0;
  size_t i;
  something();
  for (i = 0; i < count; ++i) {
    if (every_name[i].address == NULL) {
      printf("FAILED: %s has no address\n", every_name[i].name);
      ++missing;
    }
  }
  return count < 100 || missing != 0;
}
