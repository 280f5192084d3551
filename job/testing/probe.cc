// A rank that runs the actions in its arguments. Tests of jobs start this
// program under the launcher.
//
//   probe [WHO:]ACTION[=PARAMETER] ...
//
// Every rank runs its actions in order. WHO is a rank. !RANK means all ranks
// except RANK. Without WHO, all ranks run the action. A rank joins the job
// before its first action outside kBeforeJoining. It ends by gasnet_exit(0),
// or by an action. The first rank that ends also ends the others, so actions
// that print must precede a barrier.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "job/job.h"
#include "job/testing/sample_statistics.h"
#include "job/wire/handoff.h"

namespace gasnet::job {
namespace {

Job* job = nullptr;
int argument_count;
char** arguments;
volatile int quit_code = 0;

[[noreturn]] void WaitForEver() {
  for (;;) pause();
}

// Prints a line and flushes stdout. Other processes see the line at once.
void Print(const std::string& line) {
  printf("%s\n", line.c_str());
  fflush(stdout);
}

uint32_t Rank() {
  if (job != nullptr) return job->rank();
  const char* text = getenv(Handoff::kVariable);
  if (text == nullptr) return 0;
  const auto handoff = Handoff::FromText(text);
  return handoff.ok() ? handoff->rank : 0;
}

void Join(const std::string& config) {
  const auto started = Job::Start(&argument_count, &arguments, config);
  if (!started.ok()) {
    fprintf(stderr, "probe: %s\n",
            std::string(started.status().message()).c_str());
    exit(77);
  }
  job = *started;
}

void Barrier(const std::string&) {
  if (!job->Barrier().ok()) abort();
}

// Gathers this rank's number, repeated `bytes` times, and checks the result.
void Gather(const std::string& bytes) {
  const size_t each = strtoul(bytes.c_str(), nullptr, 10);
  const std::vector<std::byte> mine(each, std::byte(job->rank()));
  std::vector<std::byte> all(each * job->size());
  const absl::Status status = job->AllGather(mine, all);
  bool right = status.ok();
  for (size_t i = 0; i < all.size(); ++i) {
    right = right && all[i] == std::byte(i / each);
  }
  if (!right) Fatal("gather of %zu bytes is wrong", each);
}

void HandleQuitByExit(const std::string& code) {
  quit_code = atoi(code.c_str());
  signal(SIGQUIT, [](int) { job->Exit(quit_code); });
}

// Installs a SIGQUIT handler that prints "quit" and then waits forever.
void SayQuit(const std::string&) {
  signal(SIGQUIT, [](int) {
    if (write(STDOUT_FILENO, "quit\n", 5) != 5) abort();
    WaitForEver();
  });
  Print("ready");
}

// Prints forever, so that gasnet_exit interrupts stdio.
void PrintForEver(const std::string& text) {
  for (;;) printf("%s\n", text.c_str());
}

void ExitFromThreads(const std::string& count) {
  for (int code = 1; code <= atoi(count.c_str()); ++code) {
    std::thread([code] { job->Exit(code); }).detach();
  }
  WaitForEver();
}

// Calls Exit again in a SIGSEGV handler that interrupts the first call.
void ExitInterruptingExit(const std::string& code) {
  quit_code = atoi(code.c_str());
  signal(SIGSEGV, [](int) { job->Exit(quit_code); });
  setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
  close(STDOUT_FILENO);
  job->Exit(quit_code);
}

void PrintMembership(const std::string&) {
  std::string hosts;
  for (const uint32_t host : job->host_of()) hosts += std::to_string(host);
  Print(std::to_string(job->rank()) + "/" + std::to_string(job->size()) +
        " hosts " + hosts + " host rank " + std::to_string(job->host_rank()) +
        "/" + std::to_string(job->host_size()) + " cpus " +
        std::to_string(job->host_cpus()));
}

// Prints the bytes of each argument, including its final 0.
void PrintArguments(const std::string&) {
  for (int i = 0; i < argument_count; ++i) {
    fwrite(arguments[i], 1, strlen(arguments[i]) + 1, stdout);
  }
  fflush(stdout);
}

void PrintEnvironment(const std::string& name) {
  const char* value = GetEnv(name.c_str());
  Print(value == nullptr ? "(unset)" : "'" + std::string(value) + "'");
}

void PrintLines(const std::string& count) {
  const std::string filler(100, static_cast<char>('a' + Rank() % 26));
  for (int i = 0; i < atoi(count.c_str()); ++i) {
    printf("%u %d %s\n", Rank(), i, filler.c_str());
  }
}

// Forks a descendant that never ends and keeps all inherited descriptors open.
// If `where` is "session", the descendant gets its own session. If not, it
// stays in the rank's process group.
void LeaveDescendant(const std::string& where) {
  if (fork() != 0) return;
  if (where == "session") setsid();
  signal(SIGTERM, SIG_IGN);
  WaitForEver();
}

int CodeOfChild(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) abort();
  return WEXITSTATUS(status);
}

// Calls Exit in a forked child. This must end only the child.
void ExitInChild(const std::string& code) {
  const pid_t child = fork();
  if (child == 0) job->Exit(atoi(code.c_str()));
  if (CodeOfChild(child) != atoi(code.c_str())) abort();
}

// Closes all descriptors above 2, like a program that becomes a daemon. Another
// thread may be in recv() on one of them. The thread sanitizer would report
// close() as a race with recv(), so this function uses the system call.
void CloseAll(const std::string&) {
  for (int fd = 3; fd < 1024; ++fd) syscall(SYS_close, fd);
}

// Starts a thread that reads stdin, and so holds the lock of stdin.
void ReadStdinInThread(const std::string&) {
  std::thread([] { getchar(); }).detach();
  while (ftrylockfile(stdin) == 0) funlockfile(stdin);
}

// Starts a thread that reads a stream of the program's own, and so holds the
// stream's lock.
void ReadStreamInThread(const std::string&) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  FILE* const stream = fdopen(ends[0], "r");
  std::thread([stream] { getc(stream); }).detach();
  while (ftrylockfile(stream) == 0) funlockfile(stream);
}

void PrintHostMemory(const std::string&) {
  char target[256] = "";
  const std::string path =
      "/proc/self/fd/" + std::to_string(job->host_memory_fd());
  if (readlink(path.c_str(), target, sizeof target - 1) < 0) abort();
  Print(target);
}

// Checks the memory that only the ranks of this host share. The host's first
// rank sets the size of the memory, and each rank writes its own number there.
void ShareHostMemory(const std::string&) {
  const int fd = job->host_memory_fd();
  std::vector<char> expected;
  for (uint32_t rank = 0; rank < job->size(); ++rank) {
    if (job->host_of()[rank] == job->host_of()[job->rank()]) {
      expected.push_back(static_cast<char>(rank + 1));
    }
  }
  if (job->host_rank() == 0 && ftruncate(fd, job->host_size()) != 0) abort();
  Barrier("");
  const char mine = static_cast<char>(job->rank() + 1);
  if (pwrite(fd, &mine, 1, job->host_rank()) != 1) abort();
  Barrier("");
  std::vector<char> all(job->host_size());
  if (pread(fd, all.data(), all.size(), 0) !=
      static_cast<ssize_t>(all.size())) {
    abort();
  }
  if (all != expected) Fatal("the memory of this host is wrong");
}

void SendToLauncher(const std::string& bytes) {
  const auto handoff = Handoff::FromText(getenv(Handoff::kVariable));
  if (send(handoff->control, bytes.data(), bytes.size(), 0) < 0) abort();
}

// Prints the blocked and ignored signals, as the kernel reports them.
void PrintSignals(const std::string&) {
  FILE* status = fopen("/proc/self/status", "re");
  char line[256];
  while (fgets(line, sizeof line, status) != nullptr) {
    if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0) {
      fputs(line, stdout);
    }
  }
  fclose(status);
}

// Prints the numbers of all open descriptors.
void PrintDescriptors(const std::string&) {
  std::string open_fds;
  for (int fd = 0; fd < 256; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) open_fds += " " + std::to_string(fd);
  }
  Print("open" + open_fds);
}

// Reads a line from the terminal without echo, like getpass.
void AskTerminal(const std::string& prompt) {
  FILE* const terminal = fopen("/dev/tty", "r+e");
  termios shown;
  if (terminal == nullptr || tcgetattr(fileno(terminal), &shown) != 0) abort();
  termios hidden = shown;
  hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(fileno(terminal), TCSAFLUSH, &hidden);
  fputs(prompt.c_str(), terminal);
  fflush(terminal);
  char line[256] = "";
  if (fgets(line, sizeof line, terminal) == nullptr) abort();
  tcsetattr(fileno(terminal), TCSAFLUSH, &shown);
  fclose(terminal);
  Print("asked " + std::string(line, strcspn(line, "\n")));
}

using Action = std::function<void(const std::string&)>;

// Actions that do not need the rank to join first.
const std::map<std::string, Action> kBeforeJoining = {
    {"join", Join},
    {"plain-exit", [](const std::string& code) { exit(atoi(code.c_str())); }},
    {"plain-wait", [](const std::string&) { WaitForEver(); }},
    {"plain-kill",
     [](const std::string& number) { raise(atoi(number.c_str())); }},
    {"plain-print", Print},
    {"close-channel",
     [](const std::string&) {
       close(Handoff::FromText(getenv(Handoff::kVariable))->control);
     }},
    {"descriptors", PrintDescriptors},
    {"send", SendToLauncher},
    {"signals", PrintSignals},
    {"thread",
     [](const std::string&) { std::thread([] { WaitForEver(); }).detach(); }},
};

const std::map<std::string, Action> kAfterJoining = {
    {"abort", [](const std::string&) { abort(); }},
    {"args", PrintArguments},
    {"ask-terminal", AskTerminal},
    {"barrier", Barrier},
    {"cpus",
     [](const std::string&) {
       std::string cpus;
       for (const int cpu : AllowedCpus()) cpus += " " + std::to_string(cpu);
       Print(std::to_string(job->rank()) + " on" + cpus);
     }},
    {"close-all", CloseAll},
    {"descendant", LeaveDescendant},
    {"env", PrintEnvironment},
    {"exit", [](const std::string& code) { job->Exit(atoi(code.c_str())); }},
    {"exit-in-exit", ExitInterruptingExit},
    {"exit-from-threads", ExitFromThreads},
    {"exit-in-child", ExitInChild},
    {"fatal", [](const std::string& text) { Fatal("%s", text.c_str()); }},
    {"forget-quit", [](const std::string&) { signal(SIGQUIT, [](int) {}); }},
    {"gather", Gather},
    {"handle-quit", HandleQuitByExit},
    {"handle-quit-say", SayQuit},
    {"hang-on-quit",
     [](const std::string&) { signal(SIGQUIT, [](int) { WaitForEver(); }); }},
    {"ignore-quit", [](const std::string&) { signal(SIGQUIT, SIG_IGN); }},
    {"kill", [](const std::string& number) { raise(atoi(number.c_str())); }},
    {"lines", PrintLines},
    {"members", PrintMembership},
    {"memory", PrintHostMemory},
    {"partial", [](const std::string& text) { fputs(text.c_str(), stdout); }},
    {"pid",
     [](const std::string&) { Print("pid " + std::to_string(getpid())); }},
    {"print", Print},
    {"print-error",
     [](const std::string& text) { fprintf(stderr, "%s\n", text.c_str()); }},
    {"print-for-ever", PrintForEver},
    {"progress",
     [](const std::string& text) {
       fputs(text.c_str(), stdout);
       fflush(stdout);
     }},
    {"read-line",
     [](const std::string&) {
       char line[256] = "(end)\n";
       if (fgets(line, sizeof line, stdin) == nullptr) strcpy(line, "(end)\n");
       Print("read " + std::string(line, strcspn(line, "\n")));
     }},
    {"read-stdin-in-thread", ReadStdinInThread},
    {"read-stream-in-thread", ReadStreamInThread},
    {"return", [](const std::string& code) { exit(atoi(code.c_str())); }},
    {"share-memory", ShareHostMemory},
    {"silent-return",
     [](const std::string& code) { _exit(atoi(code.c_str())); }},
    {"statistics", [](const std::string& how) { SendSample(*job, how); }},
    {"usr1",
     [](const std::string&) { signal(SIGUSR1, [](int) { job->Exit(55); }); }},
    {"wait", [](const std::string&) { WaitForEver(); }},
};

bool IsMine(const std::string& who) {
  const bool negated = who.starts_with('!');
  const bool is_named =
      who.empty() || Rank() == strtoul(who.c_str() + negated, nullptr, 10);
  return is_named != negated;
}

void Do(const std::string& step) {
  const std::string subject = step.substr(0, step.find('='));
  const size_t colon = subject.find(':');
  const std::string who =
      colon == std::string::npos ? "" : subject.substr(0, colon);
  const std::string name =
      colon == std::string::npos ? subject : subject.substr(colon + 1);
  const std::string parameter =
      subject.size() == step.size() ? "" : step.substr(subject.size() + 1);
  const bool is_early = kBeforeJoining.contains(name);
  // Joins before reading `who`: a process may get its rank only when it joins.
  if (!is_early && job == nullptr) Join("probe");
  if (!IsMine(who)) return;
  const auto& actions = is_early ? kBeforeJoining : kAfterJoining;
  const auto action = actions.find(name);
  if (action == actions.end()) {
    fprintf(stderr, "probe: unknown action '%s'\n", name.c_str());
    exit(76);
  }
  action->second(parameter);
}

}  // namespace
}  // namespace gasnet::job

int main(int argc, char** argv) {
  using gasnet::job::job;
  gasnet::job::argument_count = argc;
  gasnet::job::arguments = argv;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--") == 0) break;
    gasnet::job::Do(argv[i]);
  }
  if (job == nullptr) gasnet::job::Join("probe");
  job->Exit(0);
}
