#include "bench/limits/child.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace gasnet::bench {
namespace {

[[noreturn]] void Die(const char* what) {
  perror(what);
  exit(1);
}

}  // namespace

SharedBlock::SharedBlock(size_t nbytes) : nbytes_(nbytes) {
  data_ = mmap(nullptr, nbytes, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (data_ == MAP_FAILED) Die("mmap");
}

SharedBlock::~SharedBlock() { munmap(data_, nbytes_); }

bool Children::Fork() {
  const pid_t pid = fork();
  if (pid < 0) Die("fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return true;
  }
  pids_.push_back(pid);
  return false;
}

// _exit(), because exit() would run the parent's exit handlers.
void Children::Finish() { _exit(0); }

Children::~Children() {
  for (const pid_t pid : pids_) waitpid(pid, nullptr, 0);
}

void BindChild(int cpu, int parents_cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); ++i) {
    if (cpu < 0 ? i != parents_cpu : i == cpu)
      CPU_SET(static_cast<int>(i), &set);
  }
  sched_setaffinity(0, sizeof(set), &set);
}

}  // namespace gasnet::bench
