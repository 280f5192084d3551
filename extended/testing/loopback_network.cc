#include "extended/testing/loopback_network.h"

#include <cstring>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "core/am/payload.h"

namespace gasnet::extended::testing {
namespace {

// On average one in this many sends is refused although there is room.
constexpr unsigned kRefusals = 4;

size_t Units(size_t nbytes) {
  return (nbytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
}

}  // namespace

void LoopbackNetwork::Seed(uint64_t seed) {
  const absl::MutexLock lock(&mutex_);
  random_.seed(seed);
  if (rma_ != nullptr) rma_->Seed(seed);
}

size_t LoopbackNetwork::InFlight() const {
  const absl::MutexLock lock(&mutex_);
  return bags_[0].size() + bags_[1].size();
}

am::Post LoopbackNetwork::Send(Rank, am::Lane lane,
                               const am::Message& message) {
  {
    const absl::MutexLock lock(&mutex_);
    Bag& bag = bags_[static_cast<size_t>(lane)];
    const bool room = paused_.load() || bag.size() < kCapacity;
    if (!room || random_() % kRefusals == 0) return am::Post::kRetry;
    bag.push_back(Copy(message));
  }
  sent_[static_cast<size_t>(message.category)].fetch_add(1);
  return am::Post::kDone;
}

LoopbackNetwork::Stored LoopbackNetwork::Copy(const am::Message& message) {
  Stored stored = {.category = message.category,
                   .handler = message.handler,
                   .args = {message.args, message.args + message.num_args},
                   .payload = {},
                   .nbytes = message.nbytes,
                   .dest_addr = message.dest_addr,
                   .endpoint = message.endpoint,
                   .across = message.across};
  stored.payload.resize(Units(message.nbytes));
  am::WritePayload(stored.payload.data(), message);
  return stored;
}

network::Polled LoopbackNetwork::Poll(am::Lanes lanes,
                                      am::Dispatcher& dispatcher, bool) {
  unsigned handled = PollRma();
  Stored stored;
  am::Lane lane = am::Lane::kReply;
  while (!paused_.load() && Take(lanes, stored, lane)) {
    Deliver(stored, lane, dispatcher);
    ++handled;
  }
  return {.handled = handled, .took_in = handled > 0};
}

unsigned LoopbackNetwork::PollRma() {
  if (rma_ == nullptr || paused_.load()) return 0;
  return rma_->Poll();
}

bool LoopbackNetwork::Take(am::Lanes lanes, Stored& taken, am::Lane& lane) {
  const absl::MutexLock lock(&mutex_);
  // Replies can always be taken. If both lanes have messages and both are
  // allowed, the choice between them is random.
  const bool requests_first =
      lanes == am::Lanes::kAll && random_() % 2 == 0 && !bags_[0].empty();
  lane = requests_first || bags_[1].empty() ? am::Lane::kRequest
                                            : am::Lane::kReply;
  if (lane == am::Lane::kRequest && lanes == am::Lanes::kReplies) return false;
  Bag& bag = bags_[static_cast<size_t>(lane)];
  // At random, behaves as if no message had arrived yet.
  if (bag.empty() || random_() % 8 == 0) return false;
  std::swap(bag[random_() % bag.size()], bag.back());
  taken = std::move(bag.back());
  bag.pop_back();
  return true;
}

void LoopbackNetwork::Deliver(Stored& stored, am::Lane lane,
                              am::Dispatcher& dispatcher) {
  void* payload = stored.payload.data();
  if (stored.category == am::Category::kLong) {
    std::memcpy(stored.dest_addr, payload, stored.nbytes);
    payload = stored.dest_addr;
  }
  dispatcher.Route({.source = source_.load(),
                    .lane = lane,
                    .category = stored.category,
                    .handler = stored.handler,
                    .num_args = static_cast<uint8_t>(stored.args.size()),
                    .args = stored.args.data(),
                    .payload = payload,
                    .nbytes = stored.nbytes,
                    .endpoint = stored.endpoint,
                    .across = stored.across});
}

int64_t LoopbackNetwork::NextDeadline() const {
  const bool waits = InFlight() > 0 || (rma_ != nullptr && rma_->NeedsPolls());
  return waits ? NowNanos() : kNever;
}

}  // namespace gasnet::extended::testing
