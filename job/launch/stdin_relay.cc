#include "job/launch/stdin_relay.h"

#include <unistd.h>

#include <utility>

namespace gasnet::job {

std::unique_ptr<StdinRelay> StdinRelay::For(int terminal, EventLoop& loop,
                                            std::function<void()> on_refused) {
  if (!isatty(terminal)) return nullptr;
  std::unique_ptr<StdinRelay> relay(
      new StdinRelay(terminal, loop, std::move(on_refused)));
  return relay->pipe_.valid() ? std::move(relay) : nullptr;
}

StdinRelay::StdinRelay(int terminal, EventLoop& loop,
                       std::function<void()> on_refused)
    : pipe_(loop, [this] { Resume(); }),
      source_(
          terminal, loop, [this](std::string_view bytes) { Take(bytes); },
          std::move(on_refused)) {}

void StdinRelay::Resume() {
  pipe_.CloseRankEnd();
  if (pipe_.HasRoom()) source_.Want();
}

void StdinRelay::Take(std::string_view bytes) {
  if (bytes.empty()) return pipe_.Close();
  pipe_.Write(bytes);
}

}  // namespace gasnet::job
