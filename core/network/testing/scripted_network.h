// A network whose messages come from a test. Its descriptor is readable while
// messages wait.
#ifndef CORE_NETWORK_TESTING_SCRIPTED_NETWORK_H_
#define CORE_NETWORK_TESTING_SCRIPTED_NETWORK_H_

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/network/network.h"
#include "core/segment.h"

namespace gasnet::network {

inline constexpr uint8_t kNote = am::kFirstClientHandler;

class ScriptedNetwork : public Network {
 public:
  absl::Status Start() override { return start_status; }
  Capabilities capabilities() const override { return can; }
  am::Post Send(Rank peer, am::Lane, const am::Message&) override {
    sent_to.push_back(peer);
    return am::Post::kDone;
  }
  Polled Poll(am::Lanes, am::Dispatcher& dispatcher, bool again) override {
    ++polls;
    if (again) ++polls_again;
    if (on_poll) on_poll();
    uint64_t arrived = 0;
    if (read(fd_.get(), &arrived, sizeof arrived) < 0) return {};
    receipts_.fetch_add(1);
    if (messages_of_nothing) return {.handled = 0, .took_in = true};
    for (uint64_t i = 0; i < arrived; ++i) {
      dispatcher.Deliver({.source = kFar, .handler = kNote});
    }
    return {.handled = static_cast<unsigned>(arrived), .took_in = true};
  }
  size_t MaxMedium() const override { return 700; }
  size_t WholeMedium(Rank) const override { return 650; }
  size_t MaxLong() const override { return 5000; }
  void ServeTimers() override { ++timers_served; }
  int64_t NextDeadline() const override { return deadline; }
  std::span<const int> fds() const override {
    if (!has_fd) return {};
    return {hides_events ? &never_number_ : &number_, 1};
  }
  absl::StatusOr<Exposed> Expose(EndpointIndex, const Segment&) override {
    return Exposed();
  }
  void Drain(bool) override {}

  // Returns the number of polls that received a message.
  uint32_t receipts() const { return receipts_; }

  // Injects a message from another host; any thread.
  void Bring() {
    const uint64_t one = 1;
    ASSERT_EQ(write(fd_.get(), &one, sizeof one), ssize_t{sizeof one});
  }

  static constexpr Rank kFar = 2;
  Capabilities can = {.lands = true, .has_timers = true};
  absl::Status start_status = absl::OkStatus();
  std::vector<Rank> sent_to;
  std::atomic<int> polls{0};
  int polls_again = 0;
  std::atomic<int> timers_served{0};
  std::function<void()> on_poll;
  std::atomic<int64_t> deadline{kNever};
  bool has_fd = true;
  bool hides_events = false;         // the descriptor is never readable
  bool messages_of_nothing = false;  // arriving messages only make room to send

 private:
  UniqueFd fd_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  UniqueFd never_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  const int number_ = fd_.get();
  const int never_number_ = never_.get();
  std::atomic<uint32_t> receipts_{0};
};
}  // namespace gasnet::network

#endif  // CORE_NETWORK_TESTING_SCRIPTED_NETWORK_H_
