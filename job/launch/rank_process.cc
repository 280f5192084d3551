#include "job/launch/rank_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/syscall.h"
#include "job/launch/process_status.h"
#include "job/status/rank_status.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

LineSplitter MakeSplitter(const JobPlan& plan, uint32_t rank, Stream stream) {
  return LineSplitter(
      {.tag = plan.tag_output ? absl::StrCat("[", rank, "] ") : "",
       .ends_at_return = plan.to_terminal[stream],
       .passes_partial = plan.size == 1 && !plan.tag_output});
}

UniqueFd Duplicate(int fd) { return UniqueFd(fcntl(fd, F_DUPFD_CLOEXEC, 3)); }

}  // namespace

RankProcess::RankProcess(uint32_t rank, const RankSurroundings& surroundings,
                         RankObserver& observer)
    : rank_(rank),
      surroundings_(surroundings),
      observer_(observer),
      outputs_{{{UniqueFd(), MakeSplitter(surroundings.plan, rank, kStdout)},
                {UniqueFd(), MakeSplitter(surroundings.plan, rank, kStderr)}}} {
}

absl::StatusOr<std::optional<Handoff>> RankProcess::Start(int stdin_fd) {
  ChildEnds ends;
  absl::Status status = OpenChannel(ends);
  for (const Stream stream : kStreams) status.Update(OpenOutput(stream, ends));
  if (!status.ok()) return NotTheProgram(status);
  Handoff handoff = {.rank = rank_,
                     .size = surroundings_.plan.size,
                     .control = ends.control.get(),
                     .secret = surroundings_.secret_fd,
                     .memory = surroundings_.memory_fd,
                     .reached = surroundings_.plan.reached};
  const absl::StatusOr<pid_t> pid = Spawn(ends, stdin_fd, handoff);
  if (!pid.ok()) return pid.status();
  if (*pid == 0) {
    handoff.control = ends.control.Release();
    handoff.secret = Duplicate(handoff.secret).Release();
    handoff.memory = Duplicate(handoff.memory).Release();
    return handoff;
  }
  pid_ = *pid;
  observer_.OnStarted(rank_, pid_);
  WatchChannel();
  for (const Stream stream : kStreams) SetReading(stream, true);
  return std::nullopt;
}

absl::Status RankProcess::OpenChannel(ChildEnds& ends) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    return absl::ErrnoToStatus(errno, "socketpair");
  }
  connection_.emplace(UniqueFd(pair[0]), surroundings_.secret, kHelloNanos,
                      kNever, *this);
  ends.control.Reset(pair[1]);
  return absl::OkStatus();
}

absl::Status RankProcess::OpenOutput(Stream stream, ChildEnds& ends) {
  if (!surroundings_.plan.forward_output) return absl::OkStatus();
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  outputs_[stream].pipe.Reset(pipe[0]);
  ends.streams[stream].Reset(pipe[1]);
  SetNonBlocking(pipe[0]);
  return absl::OkStatus();
}

absl::StatusOr<pid_t> RankProcess::Spawn(const ChildEnds& ends, int stdin_fd,
                                         const Handoff& handoff) {
  const JobPlan& plan = surroundings_.plan;
  const int kept[] = {handoff.control, handoff.secret, handoff.memory};
  SpawnRequest request = {
      .stdin_fd = stdin_fd,
      .stdout_fd = ends.streams[kStdout].get(),
      .stderr_fd = ends.streams[kStderr].get(),
      .kept = kept,
      .cpus = {},
      .group_slot = &surroundings_.offspring.NextSlot(),
      .open_files = surroundings_.offspring.open_files(),
  };
  if (!plan.cpus.empty()) request.cpus = plan.cpus[rank_];
  if (plan.program.empty()) return SpawnByFork(request, surroundings_.mask);
  std::vector<std::string> environment = plan.environment;
  environment.push_back(
      absl::StrCat(Handoff::kVariable, "=", handoff.ToText()));
  return SpawnProgram(request, plan.program, plan.arguments, environment);
}

void RankProcess::WatchChannel() {
  if (connection_->state() == Connection::State::kClosed) return;
  waits_to_write_ = connection_->WantsWrite();
  surroundings_.loop.Watch(connection_->fd(),
                           waits_to_write_ ? EPOLLIN | EPOLLOUT : EPOLLIN,
                           [this] {
                             connection_->Writable();
                             connection_->Readable(NowNanos());
                             if (waits_to_write_ != connection_->WantsWrite())
                               WatchChannel();
                           });
}

void RankProcess::Send(std::shared_ptr<const std::string> frame) {
  connection_->Send(std::move(frame));
  if (waits_to_write_ != connection_->WantsWrite()) WatchChannel();
}

void RankProcess::ReportStatus(uint32_t place) {
  if (!started() || ended()) return;
  const pid_t pid = IsJoinedOneOurs() ? joined_pid_ : joined() ? 0 : pid_;
  observer_.OnStatus(
      rank_, ReadStatus(surroundings_.memory_fd, place, pid, NowNanos()));
}

void RankProcess::SendEnd(std::shared_ptr<const std::string> end) {
  if (joined()) return Send(std::move(end));
  SignalGroup(SIGTERM);
}

bool RankProcess::OnHello(const Hello& hello) {
  if (hello.rank != rank_) return false;
  joined_pid_ = static_cast<pid_t>(hello.pid);
  observer_.OnHello(rank_, hello);
  return true;
}

void RankProcess::OnGather(const GatherPart& part) {
  observer_.OnGather(rank_, part);
}

void RankProcess::OnExit(int code) { observer_.OnExit(rank_, code); }

void RankProcess::OnStatistics(const RankStatistics& statistics) {
  observer_.OnStatistics(rank_, statistics);
}

void RankProcess::OnClosed(const std::string& why) {
  surroundings_.loop.Unwatch(connection_->fd());
  waits_to_write_ = false;
  ReportClosed(why);
}

void RankProcess::ReportClosed(const std::string& why) {
  if (ended_) return;
  if (why.empty() && IsEndingToo()) {
    next_look_ = NowNanos() + kLostNanos;
  } else {
    observer_.OnChannelClosed(rank_, why);
  }
}

bool RankProcess::IsEndingToo() const {
  return joined() && IsEnding(joined_pid_);
}

void RankProcess::Expire(int64_t now) {
  if (connection_.has_value()) connection_->Expire(now);
  for (const Stream stream : kStreams) {
    if (now >= outputs_[stream].pass_at) PassPartial(stream);
  }
  if (now < next_look_) return;
  next_look_ = kNever;
  ReportClosed("");
}

int64_t RankProcess::deadline() const {
  const int64_t hello =
      connection_.has_value() ? connection_->deadline() : kNever;
  return std::min({hello, next_look_, outputs_[kStdout].pass_at,
                   outputs_[kStderr].pass_at});
}

void RankProcess::SignalGroup(int signal_number) const {
  if (pid_ > 0) kill(-pid_, signal_number);
}

void RankProcess::SignalRank(int signal_number) const {
  if (ended_ || pid_ == 0) return;
  kill(IsJoinedOneOurs() ? joined_pid_ : pid_, signal_number);
}

// Checks the process group, because the rank itself reported the process id.
// The id may belong to another process namespace.
bool RankProcess::IsJoinedOneOurs() const {
  return joined_pid_ > 0 && getpgid(joined_pid_) == pid_;
}

void RankProcess::Poll() {
  if (ended_ || pid_ == 0) return;
  const std::optional<int> status = PeekStatus(pid_);
  if (!status.has_value()) return;
  ended_ = true;
  connection_->Readable(NowNanos());
  ReadOutput();
  observer_.OnEnded(rank_, *status);
}

int RankProcess::TakeStop() const {
  siginfo_t info = {};
  if (ended_ || pid_ == 0 ||
      waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG) != 0) {
    return 0;
  }
  return info.si_status;
}

void RankProcess::Reap() {
  if (pid_ > 0) RetryOnEintr([&] { return waitpid(pid_, nullptr, 0); });
  pid_ = 0;
}

void RankProcess::CleanUp() {
  SignalGroup(SIGKILL);
  ReadOutput();
  CloseOutput();
  Reap();
}

void RankProcess::SetReading(Stream stream, bool on) {
  const int pipe = outputs_[stream].pipe.get();
  if (pipe < 0) return;
  if (!on) return surroundings_.loop.Unwatch(pipe);
  surroundings_.loop.Watch(pipe, EPOLLIN, [this, stream] { ReadSome(stream); });
}

bool RankProcess::ReadSome(Stream stream) {
  Output& output = outputs_[stream];
  if (!output.pipe.valid()) return false;
  static char bytes[kReadBytes];  // static: large, and only one thread uses it
  const ssize_t got = RetryOnEintr(
      [&] { return read(output.pipe.get(), bytes, sizeof bytes); });
  if (got > 0) {
    observer_.OnOutput(rank_, stream,
                       output.lines.Take({bytes, static_cast<size_t>(got)}));
    const bool prompts =
        surroundings_.plan.to_terminal[stream] && output.lines.HasPartial();
    output.pass_at = prompts ? NowNanos() + kPartialLineNanos : kNever;
    return true;
  }
  if (got == 0 || errno != EAGAIN) CloseStream(stream);
  return false;
}

void RankProcess::ReadOutput() {
  for (const Stream stream : kStreams) {
    for (int i = 0; i < kReadsToEmpty && ReadSome(stream); ++i) {
    }
  }
}

bool RankProcess::HasOpenOutput() const {
  return outputs_[kStdout].pipe.valid() || outputs_[kStderr].pipe.valid();
}

void RankProcess::CloseStream(Stream stream) {
  Output& output = outputs_[stream];
  if (!output.pipe.valid()) return;
  surroundings_.loop.Unwatch(output.pipe.get());
  output.pipe.Reset();
  output.pass_at = kNever;
  observer_.OnOutput(rank_, stream, output.lines.Finish());
}

void RankProcess::PassPartial(Stream stream) {
  outputs_[stream].pass_at = kNever;
  observer_.OnOutput(rank_, stream, outputs_[stream].lines.Pass());
}

void RankProcess::CloseOutput() {
  for (const Stream stream : kStreams) CloseStream(stream);
}

}  // namespace gasnet::job
