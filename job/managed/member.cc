#include "job/managed/member.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/log.h"
#include "job/launch/host.h"
#include "job/launch/own_host.h"
#include "job/memory/host_memory.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

constexpr char kTooEarlyEnd[] =
    "the job has ended before all its processes had called gasnet_init";

}  // namespace

Member::Member(uint32_t rank, uint32_t size, const Secret& secret,
               Connect connect)
    : rank_(rank), secret_(secret), connect_(std::move(connect)) {
  plan_.size = size;
  plan_.forward_output = false;
}

absl::StatusOr<std::optional<Handoff>> Member::Start() {
  loop_.Watch(signals_.fd(), EPOLLIN, [this] { TakeSignals(); });
  WatchLauncher();
  const absl::Status placed = AwaitPlace();
  if (!placed.ok()) return placed;
  auto forked = Fork();
  if (!forked.ok()) {
    Say(FrameType::kAgentFailed, EXIT_FAILURE,
        std::string(forked.status().message()));
    stream_->Flush(NowNanos() + kFinalFlushNanos);
    Finish();
  }
  return forked;
}

// Watches the launcher's process, because its death causes no signal here.
// pidfd_open needs Linux 5.3 or later.
void Member::WatchLauncher() {
  launcher_.Reset(
      static_cast<int>(syscall(SYS_pidfd_open, getppid(), /*flags=*/0)));
  if (!launcher_.valid()) return;
  loop_.Watch(launcher_.get(), EPOLLIN, [this] {
    loop_.Unwatch(launcher_.get());
    TakeSignal(SIGTERM);
  });
}

absl::Status Member::Enroll() {
  if (!signals_.valid() || !loop_.valid()) {
    return absl::ErrnoToStatus(errno, "cannot wait for signals");
  }
  auto memory = CreateHostMemory();
  if (!memory.ok()) return memory.status();
  memory_ = *std::move(memory);
  return SayMember();
}

// Connects and sends MEMBER. Retries until this succeeds or no tries are left.
absl::Status Member::SayMember() {
  absl::StatusOr<UniqueFd> stream = absl::DeadlineExceededError("");
  while (tries_ < kHeadTries && absl::IsDeadlineExceeded(stream.status())) {
    stream = connect_(kFirstPatienceMillis << tries_++);
  }
  if (absl::IsDeadlineExceeded(stream.status())) {
    return absl::DeadlineExceededError(
        absl::StrCat(std::string(stream.status().message()), " (tried ",
                     kHeadTries, " times)"));
  }
  if (!stream.ok()) return stream.status();
  is_dropped_ = false;
  stream_.emplace(*std::move(stream), LimitsOfMember(), loop_, *this);
  const std::vector<int> cpus = AllowedCpus();
  stream_->Send(
      EncodeMemberHello({.proof = std::string(secret_.proof()),
                         .rank = rank_,
                         .cpus = {cpus.begin(), cpus.end()},
                         .host = OwnHostIdentity(),
                         .name = OwnHostName(),
                         .pid = static_cast<uint32_t>(getpid()),
                         .memory_fd = static_cast<uint32_t>(memory_.get())}));
  return absl::OkStatus();
}

// Connects again after the head has closed the stream without sending anything.
absl::Status Member::SayMemberAgain() {
  if (tries_ == kHeadTries) {
    return absl::DeadlineExceededError(absl::StrCat(
        "rank ", rank_, " has reached rank 0 ", kHeadTries,
        " times, and was dropped each time before it was identified; does "
        "another program connect to its port all the time?"));
  }
  const int64_t pause_ends = NowNanos() + (kFirstPauseNanos << tries_);
  while (NowNanos() < pause_ends) loop_.Wait(pause_ends);
  const absl::Status said = SayMember();
  // No process listens at the head's port any more.
  if (absl::IsUnavailable(said)) return absl::UnavailableError(kTooEarlyEnd);
  return said;
}

absl::Status Member::AwaitPlace() {
  while (!place_.has_value() && state_ == State::kEnrolling) {
    if (!is_dropped_) {
      Turn();
    } else if (const absl::Status said = SayMemberAgain(); !said.ok()) {
      return said;
    }
  }
  if (state_ == State::kEnrolling) return absl::OkStatus();
  return absl::UnavailableError(kTooEarlyEnd);
}

absl::StatusOr<std::optional<Handoff>> Member::Fork() {
  if (place_->pid != static_cast<uint32_t>(getpid())) {
    auto memory = OpenMemoryOf(place_->pid, place_->memory_fd);
    if (!memory.ok()) return memory.status();
    memory_ = *std::move(memory);
  }
  auto secret_fd = secret_.ToDescriptor();
  if (!secret_fd.ok()) return secret_fd.status();
  secret_fd_ = *std::move(secret_fd);
  auto offspring = Offspring::Create(1);
  if (!offspring.ok()) return offspring.status();
  offspring_ = *std::move(offspring);
  surroundings_.emplace(RankSurroundings{.plan = plan_,
                                         .loop = loop_,
                                         .offspring = *offspring_,
                                         .secret = secret_,
                                         .secret_fd = secret_fd_.get(),
                                         .memory_fd = memory_.get(),
                                         .mask = signals_.mask()});
  process_ = std::make_unique<RankProcess>(rank_, *surroundings_, *this);
  state_ = State::kRunning;
  return process_->Start(/*stdin_fd=*/-1);
}

int Member::Run() {
  for (const auto& [type, payload] : std::exchange(early_, {})) {
    if (state_ != State::kOver) TakeRequest(type, payload);
  }
  while (state_ != State::kOver) Turn();
  return code_;
}

void Member::Turn() {
  loop_.Wait(process_ == nullptr ? kNever : process_->deadline());
  if (process_ != nullptr) process_->Expire(NowNanos());
}

void Member::Report(FrameType type, const Note& note) {
  stream_->Send(EncodeNote(type, note));
}

void Member::Say(FrameType type, uint32_t value, std::string_view bytes) {
  Report(type, {.rank = rank_, .value = value, .bytes = bytes});
}

void Member::OnFrame(const Frame& frame) {
  if (frame.type == FrameType::kPlace) return TakePlace(frame);
  if (state_ != State::kEnrolling) {
    TakeRequest(frame.type, frame.payload);
  } else if (place_.has_value()) {
    // Keeps the frame for later: the job may end before this member forks.
    early_.emplace_back(frame.type, frame.payload);
  } else {
    OnStreamEnd(FrameStream::End::kGarbage);
  }
}

void Member::TakeRequest(FrameType type, std::string_view payload) {
  Note note;
  if (process_ == nullptr || !DecodeNote(payload, note)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  TakeNote(type, note);
}

void Member::TakePlace(const Frame& frame) {
  SharedMemoryPlace place;
  if (place_.has_value() || !DecodePlace(frame.payload, place)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  place_ = place;
}

void Member::TakeNote(FrameType type, const Note& note) {
  const int signal_number = static_cast<int>(note.value & 0x7f);
  switch (type) {
    case FrameType::kToRanks:
      if (!process_->joined()) return;
      return process_->Send(std::make_shared<const std::string>(note.bytes));
    case FrameType::kEndRank:
      return process_->SendEnd(std::make_shared<const std::string>(note.bytes));
    case FrameType::kSignalGroups:
      return process_->SignalGroup(signal_number);
    case FrameType::kSignalRanks:
      return process_->SignalRank(signal_number);
    case FrameType::kAskStatus:
      return process_->ReportStatus(note.value);
    case FrameType::kFinish:
      Finish();
      return Say(FrameType::kFinished, 0);
    case FrameType::kRelease:
      Finish();
      code_ = static_cast<int>(note.value & 0xff);
      state_ = State::kOver;
      return;
    default:
      return OnStreamEnd(FrameStream::End::kGarbage);
  }
}

void Member::OnStreamEnd(FrameStream::End end) {
  if (state_ == State::kOver) return;
  const bool was_heard = state_ != State::kEnrolling || place_.has_value();
  if (!was_heard && end == FrameStream::End::kClosed) {
    is_dropped_ = true;
    return;
  }
  if (state_ != State::kEnrolling) {
    Warn(
        "rank %u: the process that supervises the job, a child of rank 0's, "
        "is gone; this rank is killed",
        rank_);
  }
  Finish();
  code_ = EXIT_FAILURE;
  state_ = State::kOver;
}

void Member::TakeSignals() {
  while (const std::optional<int> signal_number = signals_.Next()) {
    TakeSignal(*signal_number);
  }
}

// Ends this process at once, because it has no rank yet. Stops the process on
// SIGTSTP. Ignores SIGCHLD and SIGCONT.
void Member::TakeSignalWhileEnrolling(int signal_number) {
  switch (signal_number) {
    case SIGCHLD:
    case SIGCONT:
      return;
    case SIGTSTP:
      signals_.StopProcess();
      return;
    default:
      _exit(128 + signal_number);
  }
}

void Member::TakeSignal(int signal_number) {
  if (process_ == nullptr) return TakeSignalWhileEnrolling(signal_number);
  switch (signal_number) {
    case SIGCHLD:
      process_->Poll();
      return offspring_->ReapOrphans();
    case SIGTSTP:
      process_->SignalGroup(SIGSTOP);
      signals_.StopProcess();
      return;
    case SIGCONT:
      return process_->SignalGroup(SIGCONT);
    case SIGUSR1:
    case SIGUSR2:
      return process_->SignalRank(signal_number);
    default:
      Say(FrameType::kMemberSignal, static_cast<uint32_t>(signal_number));
  }
}

void Member::Finish() {
  if (state_ == State::kFinished || state_ == State::kOver) return;
  state_ = State::kFinished;
  if (process_ != nullptr) process_->CleanUp();
  if (offspring_ != nullptr) offspring_->CleanUp();
}

}  // namespace gasnet::job
