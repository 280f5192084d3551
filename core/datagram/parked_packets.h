// Packets that arrived while no thread of the client polled, and that were not
// handled. They are acknowledged. Called under the lock of the endpoint, except
// for IsFullForClient().
#ifndef CORE_DATAGRAM_PARKED_PACKETS_H_
#define CORE_DATAGRAM_PARKED_PACKETS_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/am/assembly.h"
#include "core/datagram/port.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::datagram {

// A copy of a packet, or an assembled request.
struct ParkedPacket {
  ParkedPacket(Rank from, Lane in, uint64_t number, ConstBytes packet)
      : source(from),
        lane(in),
        sequence(number),
        length(packet.size()),
        // operator new[] aligns for any type.
        memory(new std::byte[length]) {
    std::copy(packet.begin(), packet.end(), memory.get());
  }
  explicit ParkedPacket(am::Assembly& request)
      : source(request.message.source), assembly(&request) {}

  MutableBytes bytes() const { return {memory.get(), length}; }

  Rank source;
  Lane lane = Lane::kRequest;
  uint64_t sequence = 0;
  size_t length = 0;
  std::unique_ptr<std::byte[]> memory;
  // The offsets of the records that are left. Empty: the whole packet is left.
  std::vector<size_t> records = {};
  am::Assembly* assembly = nullptr;
};

class ParkedPackets {
 public:
  enum class Queue : uint8_t {
    kReplies,   // for a thread of the client
    kRequests,  // for a thread of the client
    // Unattended requests whose replies found no room. Any thread may serve
    // them again.
    kUnanswered,
  };

  // Makes an empty store. It has room for `limit` bytes for the client, and for
  // as much in unanswered requests.
  explicit ParkedPackets(size_t limit) : limit_(limit) {}

  // Adds a packet behind the others. Never fails: the caller looks for room
  // before it receives.
  void Add(Queue queue, ParkedPacket packet) {
    Grow(queue, packet.length);
    ++count_;
    Of(queue).push_back(std::move(packet));
  }
  // Removes and returns the oldest packet of a queue that is not empty.
  ParkedPacket Next(Queue queue) {
    ParkedPacket packet = std::move(Of(queue).front());
    Of(queue).pop_front();
    Grow(queue, -packet.length);
    --count_;
    return packet;
  }
  size_t Count(Queue queue) const {
    return queues_[static_cast<size_t>(queue)].size();
  }
  bool Empty() const { return count_ == 0; }
  // Returns true if only polls of the client make room. Needs no lock.
  bool IsFullForClient() const {
    return client_bytes_.load(kRelaxed) >= limit_;
  }
  // Returns true if there are too many unanswered requests, counting `owed`
  // bytes of replies. Acknowledgements make room.
  bool IsFullOfUnanswered(size_t owed) const {
    return unanswered_bytes_ + owed >= limit_;
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  std::deque<ParkedPacket>& Of(Queue queue) {
    return queues_[static_cast<size_t>(queue)];
  }

  void Grow(Queue queue, size_t bytes) {
    if (queue == Queue::kUnanswered) {
      unanswered_bytes_ += bytes;
    } else {
      client_bytes_.store(client_bytes_.load(kRelaxed) + bytes, kRelaxed);
    }
  }

  const size_t limit_;
  std::array<std::deque<ParkedPacket>, 3> queues_;
  size_t count_ = 0;
  size_t unanswered_bytes_ = 0;
  // Relaxed: a hint without the lock.
  std::atomic<size_t> client_bytes_{0};
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PARKED_PACKETS_H_
