#include "job/launch/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/signal_mask.h"
#include "base/syscall.h"
#include "job/tuning.h"

// Turns sanitizers off for functions that run in the CLONE_VM child. Sanitizers
// do not know that the child uses this process's memory.
#define GASNET_NO_SANITIZE \
  __attribute__((no_sanitize("address"), no_sanitize("thread")))

namespace gasnet::job {
// clone(2) under another name. Newer thread sanitizers treat a call of the
// usual name as a fork with separate memory.
extern "C" int CloneUnseen(int (*run)(void*), void* stack, int flags,
                           void* argument, ...) __asm__("__clone");

namespace {

class CpuMask {
 public:
  explicit CpuMask(std::span<const int> cpus) {
    if (cpus.empty()) return;
    const int count = *std::max_element(cpus.begin(), cpus.end()) + 1;
    bytes_ = CPU_ALLOC_SIZE(count);
    mask_ = CPU_ALLOC(count);
    CPU_ZERO_S(bytes_, mask_);
    for (const int cpu : cpus) CPU_SET_S(cpu, bytes_, mask_);
  }
  ~CpuMask() {
    if (mask_ != nullptr) CPU_FREE(mask_);
  }
  CpuMask(const CpuMask&) = delete;
  CpuMask& operator=(const CpuMask&) = delete;

  // Binds the calling process to the CPUs. Ignores errors, since a CPU may have
  // gone offline.
  void Apply() const {
    if (mask_ != nullptr) sched_setaffinity(0, bytes_, mask_);
  }

 private:
  cpu_set_t* mask_ = nullptr;
  size_t bytes_ = 0;
};

// The functions from here to RunExec run in the new process. They must be
// async-signal-safe.

GASNET_NO_SANITIZE void MoveStdio(int from, int to) {
  if (from >= 0) dup2(from, to);
}

GASNET_NO_SANITIZE void BecomeRank(const SpawnRequest& request,
                                   const CpuMask& cpus, pid_t launcher) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // If the launcher died before the prctl, no death signal will come.
  if (getppid() != launcher) _exit(EXIT_FAILURE);
  request.group_slot->store(getpid());
  cpus.Apply();
  MoveStdio(request.stdin_fd, STDIN_FILENO);
  MoveStdio(request.stdout_fd, STDOUT_FILENO);
  MoveStdio(request.stderr_fd, STDERR_FILENO);
  setrlimit(RLIMIT_NOFILE, &request.open_files);
}

// Ignores SIGTTOU. A forked rank writes directly to the launcher's terminal,
// but is in its own process group. After `stty tostop`, the terminal would stop
// the rank's group on a write.
void WriteToTheTerminal() {
  struct sigaction action;
  sigaction(SIGTTOU, nullptr, &action);
  if (action.sa_handler == SIG_DFL) signal(SIGTTOU, SIG_IGN);
}

GASNET_NO_SANITIZE void ResetSignals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    sigaction(number, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

struct ExecCall {
  const SpawnRequest& request;
  const CpuMask& cpus;
  const char* program;
  char* const* arguments;
  char* const* environment;
  pid_t launcher;
  int error;  // Written by the new process if exec fails.
};

GASNET_NO_SANITIZE int RunExec(void* argument) {
  ExecCall& call = *static_cast<ExecCall*>(argument);
  BecomeRank(call.request, call.cpus, call.launcher);
  for (const int fd : call.request.kept) SetCloseOnExec(fd, false);
  ResetSignals();
  execve(call.program, call.arguments, call.environment);
  call.error = errno;
  _exit(EXIT_FAILURE);
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& text : strings) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

// Starts a child that executes `call`. Works like vfork: the child uses this
// process's memory, but has its own stack. This process waits until the child
// has called exec or ended.
pid_t CloneForExec(ExecCall& call) {
  void* stack = mmap(nullptr, kChildStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -1;
  const BlockAllSignals no_handler_runs_in_the_child;
  const pid_t pid =
      CloneUnseen(RunExec, static_cast<char*>(stack) + kChildStackBytes,
                  CLONE_VM | CLONE_VFORK | SIGCHLD, &call);
  const int error = errno;
  munmap(stack, kChildStackBytes);
  errno = error;
  return pid;
}

absl::Status CannotStart() {
  return NotTheProgram(absl::ErrnoToStatus(errno, "cannot start a process"));
}

}  // namespace

absl::Status NotTheProgram(const absl::Status& failure) {
  return failure.ok() ? failure : absl::InternalError(failure.message());
}

absl::StatusOr<pid_t> SpawnProgram(
    const SpawnRequest& request, const std::string& program,
    const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment) {
  const CpuMask cpus(request.cpus);
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(environment);
  ExecCall call = {.request = request,
                   .cpus = cpus,
                   .program = program.c_str(),
                   .arguments = argv.data(),
                   .environment = envp.data(),
                   .launcher = getpid(),
                   .error = 0};
  const pid_t pid = CloneForExec(call);
  if (pid < 0) return CannotStart();
  // Stores the id again, because the child may have been killed before it
  // stored the id.
  request.group_slot->store(pid);
  if (call.error == 0) return pid;
  request.group_slot->store(0);
  RetryOnEintr([&] { return waitpid(pid, nullptr, 0); });
  // If the program itself exists, ENOENT means that its interpreter is missing.
  const bool lacks_another =
      call.error == ENOENT && access(program.c_str(), F_OK) == 0;
  return absl::PermissionDeniedError(absl::StrCat(
      "cannot run '", program, "': ",
      lacks_another ? "the interpreter that it names (in its first line, or as "
                      "the loader of its libraries) does not exist"
                    : strerror(call.error)));
}

absl::StatusOr<pid_t> SpawnByFork(const SpawnRequest& request,
                                  const sigset_t& mask) {
  const CpuMask cpus(request.cpus);
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid < 0) return CannotStart();
  if (pid > 0) {
    // Both parent and child call setpgid, in either order. A signal to the
    // group may arrive before the child has run at all.
    setpgid(pid, pid);
    request.group_slot->store(pid);
    return pid;
  }
  BecomeRank(request, cpus, launcher);
  WriteToTheTerminal();
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  return 0;
}

}  // namespace gasnet::job
