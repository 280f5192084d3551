/* A program that uses the GASNet tools alone, compiled as C and as C++. */
#include <gasnet_tools.h>
#include <stdio.h>

int main(void) {
  gasnett_atomic_t counter = gasnett_atomic_init(1);
  const gasnett_tick_t start = gasnett_ticks_now();
  gasnett_atomic_increment(&counter, 0);
  if (gasnett_atomic_read(&counter, 0) != 2) return 1;
  if (gasnett_ticks_now() < start) return 2;
  printf("counted to 2\n");
  return 0;
}
