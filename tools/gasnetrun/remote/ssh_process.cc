#include "tools/gasnetrun/remote/ssh_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "base/env.h"
#include "base/own_env.h"
#include "base/syscall.h"
#include "job/launch/process_status.h"
#include "job/launch/spawn.h"
#include "tools/gasnetrun/find_program.h"
#include "tools/gasnetrun/remote/pipe.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {

SshProcess::SshProcess(job::EventLoop& loop, job::Offspring& offspring,
                       LineTaker on_line)
    : loop_(loop),
      offspring_(offspring),
      on_line_(std::move(on_line)),
      splitter_({}) {}

SshProcess::~SshProcess() { CloseErrors(); }

void SshProcess::CloseErrors() {
  if (errors_.valid()) loop_.Unwatch(errors_.get());
  errors_.Reset();
}

absl::Status SshProcess::Start(const std::vector<std::string>& words) {
  const char* const path = OwnEnv("PATH");
  const auto program = FindProgram(words.front(), path == nullptr ? "" : path);
  if (!program.ok()) return program.status();
  auto in = MakePipe(), out = MakePipe(), err = MakePipe();
  for (const auto* pipe : {&in, &out, &err}) {
    if (!pipe->ok()) return pipe->status();
  }
  const job::SpawnRequest request = {.stdin_fd = in->read.get(),
                                     .stdout_fd = out->write.get(),
                                     .stderr_fd = err->write.get(),
                                     .kept = {},
                                     .cpus = {},
                                     .group_slot = &offspring_.NextSlot(),
                                     .open_files = offspring_.open_files()};
  const auto pid =
      job::SpawnProgram(request, *program, words, ProcessEnvironment());
  if (!pid.ok()) return pid.status();
  pid_ = *pid;
  input_ = std::move(in->write);
  output_ = std::move(out->read);
  errors_ = std::move(err->read);
  SetNonBlocking(errors_.get());
  Watch();
  return absl::OkStatus();
}

void SshProcess::Watch() {
  loop_.Watch(errors_.get(), EPOLLIN, [this] { ReadLines(); });
}

void SshProcess::SetReading(bool on) {
  if (!errors_.valid()) return;
  if (on) return Watch();
  loop_.Unwatch(errors_.get());
}

bool SshProcess::ReadLines() {
  if (!errors_.valid()) return false;
  char bytes[kSshReadBytes];
  const ssize_t got =
      RetryOnEintr([&] { return read(errors_.get(), bytes, sizeof bytes); });
  if (got < 0 && errno == EAGAIN) return false;
  if (got > 0) {
    ReportLines(splitter_.Take({bytes, static_cast<size_t>(got)}));
    return true;
  }
  CloseErrors();
  ReportLines(splitter_.Finish());
  return false;
}

void SshProcess::ReportLines(std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    std::string_view line = lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) on_line_(line);
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
  }
}

std::optional<int> SshProcess::Poll() {
  if (pid_ == 0) return std::nullopt;
  const std::optional<int> status = job::PeekStatus(pid_);
  if (!status.has_value()) return std::nullopt;
  // Another process may keep the pipe open and write for ever, so the number of
  // reads is limited.
  for (int i = 0; i < 32 && ReadLines(); ++i) {
  }
  ReportLines(splitter_.Finish());
  return status;
}

void SshProcess::Kill() {
  if (pid_ > 0) kill(-pid_, SIGKILL);
}

void SshProcess::Reap() {
  if (pid_ > 0) RetryOnEintr([&] { return waitpid(pid_, nullptr, 0); });
  pid_ = 0;
}

}  // namespace gasnet::gasnetrun
