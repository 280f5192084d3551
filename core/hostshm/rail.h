// A rail: the rings between an endpoint of this rank and one endpoint of each
// co-located rank. There is a ring for requests and a ring for replies in each
// direction. Two threads on two rails write no cache line in common. The rails
// of a link are in rails.h.
#ifndef CORE_HOSTSHM_RAIL_H_
#define CORE_HOSTSHM_RAIL_H_

#include <atomic>
#include <cstdint>
#include <span>

#include "base/cache_line.h"
#include "base/line_array.h"
#include "core/am/message.h"
#include "core/hostshm/consumer.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/producer.h"

namespace gasnet::hostshm {

class Rail {
 public:
  // Starts the rail. out, in: the memory of the rings to and from the peers, in
  // the given layout.
  void Init(unsigned char* out, unsigned char* in, const Layout& layout,
            uint32_t host_rank);

  Producer& To(uint32_t host_rank, am::Lane lane) const {
    return producers_[host_rank * am::kLanes + static_cast<unsigned>(lane)];
  }
  Consumer& From(uint32_t host_rank, am::Lane lane) const {
    return consumers_[host_rank * am::kLanes + static_cast<unsigned>(lane)];
  }

  // Returns true if a message waits. The answer may be stale.
  bool HasMessages() const {
    return layout_.direct_poll() ? HasMessagesInRings() : HasPending();
  }
  [[gnu::always_inline]] bool HasMessagesInRings() const {
    const Consumer* const own = &consumers_[me_ * am::kLanes];
    const Consumer* const end = &consumers_[layout_.ranks() * am::kLanes];
    for (const Consumer* rings = &consumers_[0]; rings != end;
         rings += am::kLanes) {
      if (rings == own) continue;
      if (rings[0].Ready() || rings[1].Ready()) return true;
    }
    return false;
  }
  // Returns true if a message waits that is not a request for this handler.
  [[gnu::always_inline]] bool HasMessagesInRingsBut(uint8_t handler) const {
    constexpr auto kRequest = static_cast<unsigned>(am::Lane::kRequest);
    const Consumer* const own = &consumers_[me_ * am::kLanes];
    const Consumer* const end = &consumers_[layout_.ranks() * am::kLanes];
    for (const Consumer* rings = &consumers_[0]; rings != end;
         rings += am::kLanes) {
      if (rings == own) continue;
      if (rings[kRequest].HasOther(handler) || rings[1 - kRequest].Ready()) {
        return true;
      }
    }
    return false;
  }

  // Sets the peer's bit for the ring from this rank. The bits mark rings with
  // messages, and are used only if there are many ranks.
  void SetPending(uint32_t host_rank, am::Lane lane) const;
  bool HasPending() const;
  std::span<std::atomic<uint64_t>> OwnPending(am::Lane lane) const {
    return PendingOf(in_, me_, lane);
  }

  // Returns true if the peer knows that it must poll this rail.
  bool IsKnownTo(uint32_t host_rank) const {
    return known_to_[host_rank].load(std::memory_order_relaxed);
  }
  void SetKnownTo(uint32_t host_rank) const {
    known_to_[host_rank].store(true, std::memory_order_relaxed);
  }

  // Counts a poll. Called for polls that take messages, and with several rails
  // for every poll. Concurrent polls may count as one.
  void CountPoll() {
    polls_.store(polls_.load(std::memory_order_relaxed) + 1,
                 std::memory_order_relaxed);
  }
  uint32_t polls() const { return polls_.load(std::memory_order_relaxed); }

  // Returns the thread that polls this rail in place of its own threads; 0 if
  // there is no such thread.
  uint32_t server() const { return server_.load(std::memory_order_relaxed); }
  void SetServer(uint32_t thread) {
    server_.store(thread, std::memory_order_relaxed);
  }

 private:
  // Returns the pending bits of the rank `host_rank` as a receiver, in the ring
  // memory `rings`.
  std::span<std::atomic<uint64_t>> PendingOf(unsigned char* rings,
                                             uint32_t host_rank,
                                             am::Lane lane) const;

  Layout layout_{1};
  unsigned char* out_ = nullptr;
  unsigned char* in_ = nullptr;
  uint32_t me_ = 0;
  // There are two producers and two consumers for each peer. They are small,
  // and a test limits their size.
  LineArray<Producer> producers_;
  LineArray<Consumer> consumers_;
  LineArray<std::atomic<bool>> known_to_;  // indexed by host rank
  // These words are alone on a cache line: the threads that poll the rail write
  // them.
  alignas(kCacheLine) std::atomic<uint32_t> polls_{0};
  std::atomic<uint32_t> server_{0};
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_RAIL_H_
