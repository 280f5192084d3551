// A network from one rank to itself, for tests. Messages wait in a bag and
// leave it in a seeded random order. Sends are refused at random, and any
// number of threads may poll. The network keeps the promises of core/am/link.h
// and no others.
#ifndef EXTENDED_TESTING_LOOPBACK_NETWORK_H_
#define EXTENDED_TESTING_LOOPBACK_NETWORK_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/network/network.h"
#include "core/rma/testing/fake_rma.h"
#include "core/segment.h"

namespace gasnet::extended::testing {

class LoopbackNetwork final : public network::Network {
 public:
  static constexpr size_t kMaxMedium = 512;
  static constexpr size_t kMaxLong = 2048;

  absl::Status Start() override { return absl::OkStatus(); }
  network::Capabilities capabilities() const override {
    return {.sends_in_steps = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override;
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override { return kMaxMedium; }
  size_t MaxLong() const override { return kMaxLong; }
  // Returns the present time while messages are in flight. Without any event, a
  // retried send may succeed and a message may leave the bag, so waits must
  // retry.
  int64_t NextDeadline() const override;
  absl::StatusOr<network::Exposed> Expose(EndpointIndex,
                                          const Segment&) override {
    return network::Exposed();
  }
  void Drain(bool) override {}

  // Interface for tests.

  void Seed(uint64_t seed);
  // Pauses or resumes the network. While paused, it delivers nothing and has
  // room for any number of messages.
  void Pause(bool paused) { paused_.store(paused); }
  // Sets the rank that messages appear to come from.
  void SetSource(Rank source) { source_.store(source); }
  size_t InFlight() const;
  // Sets the fake RMA. The polls of this network deliver its completions.
  void SetRma(rma::testing::FakeRma* rma) { rma_ = rma; }
  // Returns how many messages of this category have been sent.
  unsigned sent(am::Category category) const {
    return sent_[static_cast<size_t>(category)].load();
  }
  // The largest number of messages of a lane that may wait at once. Further
  // sends are refused.
  static constexpr size_t kCapacity = 64;

 private:
  struct Stored {
    am::Category category;
    uint8_t handler;
    std::vector<int32_t> args;
    // Made of units that are aligned for any type.
    std::vector<std::max_align_t> payload;
    size_t nbytes;
    void* dest_addr;
    EndpointIndex endpoint;
    EndpointIndex across;
  };
  using Bag = std::vector<Stored>;

  static Stored Copy(const am::Message& message);
  bool Take(am::Lanes lanes, Stored& taken, am::Lane& lane);
  void Deliver(Stored& stored, am::Lane lane, am::Dispatcher& dispatcher);
  unsigned PollRma();

  mutable absl::Mutex mutex_;  // guards bags_ and random_
  std::array<Bag, am::kLanes> bags_;
  std::mt19937_64 random_;
  std::array<std::atomic<unsigned>, 3> sent_{};
  std::atomic<bool> paused_{false};
  std::atomic<Rank> source_{0};
  rma::testing::FakeRma* rma_ = nullptr;
};

}  // namespace gasnet::extended::testing

#endif  // EXTENDED_TESTING_LOOPBACK_NETWORK_H_
