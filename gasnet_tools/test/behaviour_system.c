#include <gasnet_tools.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "gasnet_tools/test/check.h"

static int backtraces = 0;
static int signals = 0;

static int print_own(int fd) {
  ++backtraces;
  return fd == 7 ? 0 : 1;
}

/* This definition replaces the library's definition of the variable. */
gasnett_backtrace_type_t gasnett_backtrace_user = {"OWN", print_own, 1};

static void on_signal(int signal_number) { signals += signal_number; }

static void check_backtrace(void) {
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "USER");
  CHECK(gasnett_print_backtrace(7) == 0 && backtraces == 1);
  CHECK(gasnett_print_backtrace(8) != 0 && backtraces == 2);
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "unknown,own");
  CHECK(gasnett_print_backtrace(7) == 0 && backtraces == 3);
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "EXECINFO");
  CHECK(gasnett_print_backtrace(1) == 0 && backtraces == 3);
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "USER");
  CHECK(gasnett_print_backtrace_ifenabled(7) != 0 && backtraces == 3);
  gasnett_setenv("GASNET_BACKTRACE", "1");
  CHECK(gasnett_print_backtrace_ifenabled(7) == 0 && backtraces == 4);
  gasnett_unsetenv("GASNET_BACKTRACE");
  gasnett_print_backtrace_ifenabled = print_own;
  CHECK(gasnett_print_backtrace_ifenabled(7) == 0 && backtraces == 5);
}

static volatile int frozen = 0;
static void melt(int signal_number) { frozen = signal_number - SIGALRM; }

static void check_freezing(void) {
  gasnett_sighandlerfn_t before = gasnett_reghandler(SIGALRM, melt);
  gasnett_freezeForDebuggerErr();
  alarm(1);
  gasnett_freezeForDebuggerNow(&frozen, "frozen");
  CHECK(frozen == 0);
  gasnett_reghandler(SIGALRM, before);
}

static void check_location(void) {
  char *location = gasnett_current_loc;
  CHECK(strstr(location, "check_location() at ") == location);
  free(location);
}

static void check_signals(void) {
  gasnett_sighandlerfn_t before = gasnett_reghandler(SIGTERM, on_signal);
  CHECK(before == SIG_DFL);
  raise(SIGTERM);
  raise(SIGTERM);
  CHECK(signals == 2 * SIGTERM);
  CHECK(gasnett_reghandler(SIGTERM, SIG_DFL) == on_signal);
}

static void check_ticks(void) {
  const gasnett_tick_t begin = gasnett_ticks_now();
  const uint64_t wall_begin = gasnett_gettimeofday_us();
  gasnett_tick_t now = begin;
  CHECK(sizeof(gasnett_tick_t) == 8);
  CHECK(begin > GASNETT_TICK_MIN && begin < GASNETT_TICK_MAX);
  while (gasnett_ticks_to_us(now - begin) < 1000) {
    const gasnett_tick_t next = gasnett_ticks_now();
    CHECK(next >= now);
    now = next;
  }
  CHECK(gasnett_ticks_to_ns(now - begin) >= 1000000);
  CHECK(gasnett_gettimeofday_us() > wall_begin);
  CHECK(gasnett_tick_granularityus() > 0);
  CHECK(gasnett_tick_overheadus() > 0);
}

/* One moment on two clocks. The ticks are read just before and just after
   gettimeofday. */
typedef struct {
  gasnett_tick_t before;
  uint64_t wall_us;
  gasnett_tick_t after;
} moment_t;

static moment_t moment(void) {
  moment_t now;
  now.before = gasnett_ticks_now();
  now.wall_us = gasnett_gettimeofday_us();
  now.after = gasnett_ticks_now();
  return now;
}

/* Checks that ticks run at the speed of gettimeofday. Programs tolerate 10 ms
 * in 20 s, one part in 2000. The ticks around each gettimeofday give a lower
 * and an upper bound. Both bounds hold even if this thread is delayed. */
static void check_speed_of_ticks(void) {
  const moment_t begin = moment();
  moment_t end = begin;
  int64_t wall_ns, least_ns, most_ns;
  while (gasnett_ticks_to_us(end.before - begin.after) < 20000) end = moment();
  wall_ns = (int64_t)(end.wall_us - begin.wall_us) * 1000;
  least_ns = (int64_t)gasnett_ticks_to_ns(end.before - begin.after);
  most_ns = (int64_t)gasnett_ticks_to_ns(end.after - begin.before);
  /* Allows one microsecond more, since both results of gettimeofday are
     rounded. */
  CHECK(wall_ns >= least_ns - least_ns / 2000 - 1000);
  CHECK(wall_ns <= most_ns + most_ns / 2000 + 1000);
}

static void check_memory(void) {
  unsigned char *memory = (unsigned char *)gasnett_mmap(GASNETT_PAGESIZE + 1);
  CHECK(memory != NULL && (uintptr_t)memory % 4096 == 0);
  CHECK(memory[0] == 0 && memory[GASNETT_PAGESIZE] == 0);
  memory[GASNETT_PAGESIZE] = 1;
  CHECK(gasnett_getPhysMemSz(0) >= (uint64_t)1 << 20);
  CHECK(gasnett_getPhysMemSz(1) == gasnett_getPhysMemSz(0));
}

static void check_sleep(void) {
  const gasnett_tick_t begin = gasnett_ticks_now();
  CHECK(gasnett_nsleep(1000000) == 0);
  CHECK(gasnett_ticks_to_ns(gasnett_ticks_now() - begin) >= 1000000);
}

void check_system(void) {
  const int one = 1;
  void (*volatile close_streams)(void) = gasnett_close_streams;
  void (*volatile placeless)(const char *, ...) = gasnett_fatalerror_nopos;
  void (*volatile fatal)(const char *, ...) = gasnett_fatalerror;
  CHECK(fatal != NULL && placeless != NULL && close_streams != NULL);
  CHECK(gasnett_cpu_count() >= 1);
  CHECK(strlen(gasnett_gethostname()) > 0);
  CHECK(gasnett_gethostname() == gasnett_gethostname());
  CHECK(GASNETT_SET_AFFINITY_SUPPORT && gasnett_set_affinity(0) == 0);
  CHECK(gasnett_set_affinity(12345) == 0);
  CHECK(gasnett_exe_name()[0] == '/');
  CHECK(gasnett_isLittleEndian() == (*(const char *)&one == 1));
  CHECK(strcmp(gasnett_release_version_str(), "2025.8.0") == 0);
  CHECK(gasnett_release_version() == 2025008000);
  CHECK(gasnett_maximize_rlimit(RLIMIT_CORE, "core") != 0);
  CHECK(gasnett_maximize_rlimits() != 0);
  (void)gasnett_sched_yield();
#ifdef GASNET_DEBUG
  CHECK(strlen(gasnett_performance_warning_str()) > 0);
#else
  CHECK(strcmp(gasnett_performance_warning_str(), "") == 0);
#endif
  check_backtrace();
  check_freezing();
  check_location();
  check_memory();
  check_signals();
  check_ticks();
  check_speed_of_ticks();
  check_sleep();
}
