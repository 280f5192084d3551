#include "core/network/link.h"

namespace gasnet::network {

absl::Status Link::Start(std::unique_ptr<Network> network,
                         am::Progress& progress) {
  network_ = std::move(network);
  absl::Status started = network_->Start();
  if (started.ok()) started = wake_socket_.Open();
  if (!started.ok()) return started;
  host_.SetWatcher(wake_socket_.name());
  can_ = network_->capabilities();
  max_medium_ = std::min(host_.MaxMedium(), network_->MaxMedium());
  SetMaxLongFar();
  if (can_.has_timers) {
    progress.Activate(
        progress.Add([](void* n) { static_cast<Network*>(n)->ServeTimers(); },
                     network_.get()));
  }
  return absl::OkStatus();
}

}  // namespace gasnet::network
