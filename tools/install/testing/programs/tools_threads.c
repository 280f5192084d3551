/* A program that uses gasnet_tools.h alone, in its threaded or unthreaded form:
 * clocks, settings, traces, counters and locks. With threads, the threads share
 * the counters and locks. The program includes no other header of GASNet. */
#include <gasnet_tools.h>

#include "traced.h"

GASNETT_IDENT(tools_threads_ident, "$ToolsThreads: yes $");

#define THREADS 4
#define ROUNDS 1000

static gasnett_atomic_t count = gasnett_atomic_init(0);
static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static long guarded;
GASNETT_THREADKEY_DEFINE(own_count);

GASNETT_FORMAT_PRINTF(complain, 1, 2, static void complain(const char *, ...));
static void complain(const char *format, ...) {
  fprintf(stderr, "%s: %s\n", format, strerror(errno));
  gasnett_killmyprocess(1);
}

static void *count_up(void *ignored) {
  int rounds = 0;
  (void)ignored;
  gasnett_threadkey_set(own_count, &rounds);
  while (rounds < ROUNDS) {
    gasnett_atomic_increment(&count, GASNETT_ATOMIC_REL);
    gasnett_mutex_lock(&mutex);
    ++guarded;
    gasnett_mutex_unlock(&mutex);
    ++*(int *)gasnett_threadkey_get(own_count);
  }
  gasnett_threadkey_set(own_count, NULL);
  return NULL;
}

static void count_in_threads(void) {
  int i;
#if GASNETT_THREAD_SAFE
  pthread_t threads[THREADS];
  for (i = 0; i < THREADS; ++i) {
    if (pthread_create(&threads[i], NULL, count_up, NULL) != 0) {
      complain("pthread_create");
    }
  }
  for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
#else
  for (i = 0; i < THREADS; ++i) count_up(NULL);
#endif
}

int main(int argc, char **argv) {
  const gasnett_tick_t start = gasnett_ticks_now();
  char text[80];
  gasnett_backtrace_init(argc > 0 ? argv[0] : "");
  RT_TRACE(("process %d", (int)getpid()));
  if (rt_silence() != 0) complain("nothing is traced");
  count_in_threads();
  if (gasnett_atomic_read(&count, GASNETT_ATOMIC_ACQ) != THREADS * ROUNDS ||
      guarded != THREADS * ROUNDS || guarded > LONG_MAX / 2) {
    complain("a count is lost");
  }
  if (gasnett_ticks_now() < start) complain("time goes back");
  gasnett_setenv("TOOLS_THREADS", "17");
  if (gasnett_getenv_int_withdefault("TOOLS_THREADS", 3, 0) != 17) {
    complain("a setting is lost");
  }
  gasnett_format_number(1 << 20, text, sizeof(text), 1);
  if (!isdigit((unsigned char)text[0]) ||
      gasnett_parse_int(text, 1) != 1 << 20) {
    complain("a number is lost");
  }
  printf("counted to %d\n", THREADS * ROUNDS);
  return EXIT_SUCCESS;
}
