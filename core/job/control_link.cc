#include "core/job/control_link.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <climits>

#include "absl/strings/str_cat.h"
#include "base/futex.h"
#include "base/syscall.h"
#include "core/job/signal_mask.h"

namespace gasnet::job {
namespace {

constexpr size_t kReceiveBytes = 16 << 10;

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ControlLink::ControlLink(UniqueFd channel)
    : channel_(std::move(channel)), reader_(LimitsBeforeWelcome()) {}

absl::StatusOr<std::unique_ptr<ControlLink>> ControlLink::Join(
    UniqueFd channel, const Hello& hello, Welcome& welcome) {
  std::unique_ptr<ControlLink> link(new ControlLink(std::move(channel)));
  link->Send(EncodeHello(hello));
  const absl::Status status = link->AwaitWelcome(welcome);
  if (!status.ok()) return status;
  link->reader_.SetLimits(LimitsAfterWelcome());
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
  return absl::DataLossError("the launcher sent a WELCOME that makes no sense");
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
    if (got <= 0) return false;
    reader_.Append({bytes, static_cast<size_t>(got)});
  }
}

// Failure to send is not told: the channel has then ended, which the monitor
// sees, and ends this process.
void ControlLink::Send(std::string_view frame) {
  const BlockAllSignals no_handlers;
  while (sending_.exchange(1, std::memory_order_acquire) != 0) {
    FutexWait(sending_, 1);
  }
  WriteFull(channel_.get(), frame.data(), frame.size());
  sending_.store(0, std::memory_order_release);
  FutexWake(sending_, 1);
}

void ControlLink::SendExit(int code) {
  if (exit_sent_.exchange(true)) return;
  const ExitFrame frame = EncodeExit(code);
  Send({frame.data(), frame.size()});
}

absl::Status ControlLink::Gather(std::span<const std::byte> mine,
                                 std::span<std::byte> all) {
  const uint32_t sequence =
      gathers_begun_.fetch_add(1, std::memory_order_release);
  Send(EncodeGather(FrameType::kGather, {sequence, AsText(mine)}));
  while (gathers_done_.load(std::memory_order_acquire) == sequence) {
    FutexWait(gathers_done_, sequence);
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

}  // namespace gasnet::job
