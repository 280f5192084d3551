// Buffers of packets, each with its bookkeeping. The pool limits the number of
// packets that a process has in flight. If the network's datagrams are large,
// small messages and packets with a lent payload get small buffers. A lent
// payload itself stays in place. Buffers of one size are contiguous.
//
// Memory that was never used is never touched. Buffers are reused last in,
// first out.
#ifndef CORE_DATAGRAM_PACKET_POOL_H_
#define CORE_DATAGRAM_PACKET_POOL_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/datagram/port.h"
#include "core/lane.h"

namespace gasnet::datagram {

// A packet. Its owner links it into a list.
struct Packet {
  enum class State : uint8_t { kUnsent, kInFlight, kLost };

  Packet* next;
  std::byte* bytes;
  // the end of the packet, if it is lent and not in `bytes`
  const std::byte* lent;
  // The loan's count of packets that read the lent bytes, or null if nothing is
  // lent.
  std::atomic<uint64_t>* readers;
  uint32_t length;  // used part of `bytes`, with the header
  uint32_t lent_bytes;
  uint32_t capacity;
  uint64_t sequence;
  uint64_t order;   // number of the last transmission in the lane
  int64_t sent_at;  // time of the last transmission
  uint16_t transmissions;
  // next piece to hand over; the port took the pieces before
  uint16_t next_piece;
  State state;
  uint8_t size_class;
  bool padded;  // the last transmission was padded

  // Returns the bytes that are in the packet's own buffer.
  MutableBytes head() const { return {bytes, length}; }
  Outgoing outgoing() const { return {head(), {lent, lent_bytes}}; }
  uint32_t size() const { return length + lent_bytes; }

  // Makes lent bytes the end of the packet, without a copy. `counts` includes
  // this packet until the packet is back in the pool. Until then the lent bytes
  // may be read.
  void Borrow(std::atomic<uint64_t>& counts, ConstBytes end) {
    readers = &counts;
    readers->fetch_add(1, std::memory_order_relaxed);
    lent = end.data();
    lent_bytes = static_cast<uint32_t>(end.size());
  }
};

class PacketPool {
 public:
  // The number of buffers of each size.
  struct Counts {
    size_t small = 0;
    size_t large = 0;
  };

  // Creates buffers with a total size of `bytes`, and at least `least` buffers
  // for each lane. A quarter of all buffers is reserved for replies. A message
  // with a lent payload takes as many small buffers as it would take large
  // ones.
  PacketPool(size_t bytes, size_t max_datagram, Counts least);
  ~PacketPool();
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  // Returns an empty buffer for `bytes` bytes, or null if the lane has no
  // buffer left. `bytes` is at most the size of a datagram.
  Packet* Acquire(size_t bytes, Lane lane);
  void Release(Packet* packet);

  // Returns true if `count` buffers for `bytes` bytes each are available.
  bool Has(size_t count, size_t bytes, Lane lane) const {
    return classes_[ClassOf(bytes)].Available(lane) >= count;
  }
  // Returns the number of buffers in use.
  size_t used() const { return classes_[0].used + classes_[kLarge].used; }
  // Returns the number of all buffers, in use or not.
  size_t size() const { return classes_[0].count + classes_[kLarge].count; }

 private:
  static constexpr uint8_t kLarge = 1;

  struct Class {
    std::byte* memory = nullptr;
    std::unique_ptr<Packet[]> packets;
    Packet* idle = nullptr;
    size_t bytes = 0;  // size of each buffer
    size_t count = 0;
    size_t touched = 0;
    size_t used = 0;
    size_t reserve = 0;  // buffers only for replies

    void Init(size_t buffer_bytes, size_t buffers, size_t for_replies);
    size_t Available(Lane lane) const {
      const size_t free = count - used;
      const size_t kept_back = lane == Lane::kReply ? 0 : reserve;
      return free > kept_back ? free - kept_back : 0;
    }
    Packet* Acquire(uint8_t own_index);
  };

  uint8_t ClassOf(size_t bytes) const {
    return bytes <= classes_[0].bytes ? 0 : kLarge;
  }

  std::array<Class, 2> classes_;  // [0] is small, [1] is large
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_POOL_H_
