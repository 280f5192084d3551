#include "job/control_link.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/signal_mask.h"
#include "base/syscall.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

// Returns the inode of a descriptor, or 0 if the descriptor does not exist.
ino_t InodeOf(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 ? info.st_ino : 0;
}

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ControlLink::ControlLink(UniqueFd channel)
    : channel_(std::move(channel)),
      channel_inode_(InodeOf(channel_.get())),
      reader_(LimitsBeforeWelcome()) {}

absl::StatusOr<std::unique_ptr<ControlLink>> ControlLink::Join(
    UniqueFd channel, const Hello& hello, Welcome& welcome) {
  std::unique_ptr<ControlLink> link(new ControlLink(std::move(channel)));
  link->Send(EncodeHello(hello));
  const absl::Status status = link->AwaitWelcome(welcome);
  if (!status.ok()) return status;
  link->reader_.SetLimits(LimitsAfterWelcome());
  link->has_left_ = std::vector<std::atomic<bool>>(welcome.host_of.size());
  return link;
}

absl::Status ControlLink::AwaitWelcome(Welcome& welcome) {
  Frame frame;
  if (!Receive(frame)) {
    return absl::UnavailableError(
        "the launcher closed the control channel before the job began");
  }
  if (frame.type == FrameType::kEnd) {
    End end;
    _exit(DecodeEnd(frame.payload, end) ? end.code : EXIT_FAILURE);
  }
  if (DecodeWelcome(frame.payload, welcome)) return absl::OkStatus();
  return absl::DataLossError("the launcher sent an invalid WELCOME");
}

bool ControlLink::Receive(Frame& frame) {
  for (;;) {
    const FrameReader::Result result = reader_.Next(frame);
    if (result != FrameReader::Result::kNeedMore) {
      return result == FrameReader::Result::kFrame;
    }
    char bytes[kReceiveBytes];
    const ssize_t got = RetryOnEintr(
        [&] { return recv(channel_.get(), bytes, sizeof bytes, 0); });
    if (got < 0) RequireOwnChannel();
    if (got <= 0) return false;
    reader_.Append({bytes, static_cast<size_t>(got)});
  }
}

// Ends this process if the client has closed the channel's descriptor. The
// descriptor's number may now belong to a file of the client. The monitor
// thread does not notice the close while it is blocked in a read.
void ControlLink::RequireOwnChannel() const {
  if (InodeOf(channel_.get()) == channel_inode_) return;
  Fatal(
      "this program has closed descriptor %d, which GASNet had opened to talk "
      "to the launcher; a program must close only its own",
      channel_.get());
}

// Sends a frame in two parts. A failed send is not reported, because it means
// that the channel has ended. The monitor thread then ends this process.
void ControlLink::Send(std::string_view header, std::string_view payload) {
  RequireOwnChannel();
  const BlockAllSignals no_handlers;
  while (sending_.exchange(1, std::memory_order_acquire) != 0) {
    FutexWait(sending_, 1);
  }
  WriteFull(channel_.get(), header.data(), header.size());
  WriteFull(channel_.get(), payload.data(), payload.size());
  sending_.store(0, std::memory_order_release);
  FutexWake(sending_, 1);
}

void ControlLink::SendExit(int code) {
  if (exit_sent_.exchange(true)) return;
  // Sends only the low eight bits, like a process's exit status. A code of 256
  // becomes 0, which means success.
  SendCode(code & 0xff);
}

void ControlLink::SendCode(int32_t code) {
  const ExitFrame frame = EncodeExit(code);
  Send({frame.data(), frame.size()});
}

void ControlLink::SendStatistics(std::string_view encoded) {
  const FrameHeader header =
      EncodeFrameHeader(FrameType::kStatistics, encoded.size());
  Send({header.data(), header.size()}, encoded);
}

void ControlLink::Contribute(std::span<const std::byte> mine) {
  const uint32_t sequence =
      gathers_begun_.fetch_add(1, std::memory_order_release);
  Send(EncodeGather(FrameType::kGather, {sequence, AsText(mine)}));
}

absl::Status ControlLink::Collect(std::span<std::byte> all) {
  while (!IsGathered()) {
    FutexWait(gathers_done_, gathers_begun_.load() - 1);
  }
  if (gathered_.size() != all.size()) {
    return absl::InternalError(absl::StrCat("the launcher gathered ",
                                            gathered_.size(), " bytes where ",
                                            all.size(), " were expected"));
  }
  if (!all.empty()) memcpy(all.data(), gathered_.data(), all.size());
  return absl::OkStatus();
}

void ControlLink::DeliverGathered(const GatherPart& result) {
  const uint32_t done = gathers_done_.load(std::memory_order_relaxed);
  const uint32_t begun = gathers_begun_.load(std::memory_order_acquire);
  if (done == begun || result.sequence != done) return;
  gathered_.assign(result.bytes);
  gathers_done_.store(result.sequence + 1, std::memory_order_release);
  FutexWake(gathers_done_, INT_MAX);
}

void ControlLink::NoteLeft(const std::vector<uint32_t>& ranks) {
  for (const uint32_t rank : ranks) {
    if (rank >= has_left_.size()) continue;
    has_left_[rank].store(true, std::memory_order_relaxed);
  }
}

void ControlLink::SetOnQuestion(OnQuestion on_question) {
  const absl::MutexLock lock(&ask_mutex_);
  on_question_ = std::move(on_question);
}

void ControlLink::Ask(Question question) {
  const absl::MutexLock lock(&ask_mutex_);
  if (on_question_ != nullptr) on_question_(question);
}

}  // namespace gasnet::job
