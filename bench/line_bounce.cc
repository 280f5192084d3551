#include "bench/line_bounce.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "base/cpu.h"

namespace gasnet::bench {
namespace {

using Line = std::atomic<uint32_t>;

[[noreturn]] void Die(const char* what) {
  perror(what);
  exit(1);
}

// The parent is bound to one processor; the child takes any other.
void LeaveProcessorOfParent() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int mine = sched_getcpu();
  for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); ++cpu) {
    if (cpu != mine) CPU_SET(static_cast<int>(cpu), &set);
  }
  sched_setaffinity(0, sizeof(set), &set);
}

[[noreturn]] void Echo(Line& line, uint32_t rounds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  LeaveProcessorOfParent();
  for (uint32_t i = 0; i < rounds; ++i) {
    while (line.load(std::memory_order_acquire) != 2 * i + 1) {
    }
    line.store(2 * i + 2, std::memory_order_release);
  }
  _exit(0);
}

int64_t Bounce(Line& line, uint32_t first, uint32_t end) {
  const int64_t start = NowNanos();
  for (uint32_t i = first; i < end; ++i) {
    line.store(2 * i + 1, std::memory_order_release);
    while (line.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  return NowNanos() - start;
}

}  // namespace

double LineBounceNanos(int rounds) {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) Die("mmap");
  Line& line = *new (page) Line(0);
  const auto warm_up = static_cast<uint32_t>(rounds / 10 + 1);
  const uint32_t end = warm_up + static_cast<uint32_t>(rounds);
  const pid_t child = fork();
  if (child < 0) Die("fork");
  if (child == 0) Echo(line, end);
  Bounce(line, 0, warm_up);
  const int64_t nanos = Bounce(line, warm_up, end);
  waitpid(child, nullptr, 0);
  munmap(page, 4096);
  return static_cast<double>(nanos) / rounds;
}

}  // namespace gasnet::bench
