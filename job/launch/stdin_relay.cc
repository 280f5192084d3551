#include "job/launch/stdin_relay.h"

#include <unistd.h>

namespace gasnet::job {

std::unique_ptr<StdinRelay> StdinRelay::For(int terminal, EventLoop& loop) {
  if (!isatty(terminal)) return nullptr;
  std::unique_ptr<StdinRelay> relay(new StdinRelay(terminal, loop));
  return relay->pipe_.valid() ? std::move(relay) : nullptr;
}

StdinRelay::StdinRelay(int terminal, EventLoop& loop)
    : pipe_(loop, [this] { Resume(); }),
      source_(terminal, loop, [this](std::string_view bytes) { Take(bytes); }) {
}

void StdinRelay::Resume() {
  pipe_.CloseRankEnd();
  if (pipe_.HasRoom()) source_.Want();
}

void StdinRelay::Take(std::string_view bytes) {
  if (bytes.empty()) return pipe_.Close();
  pipe_.Write(bytes);
}

}  // namespace gasnet::job
