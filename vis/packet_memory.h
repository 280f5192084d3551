// Memory for one packet. The memory comes from a pool that grows to the largest
// number of packets in use at any one time. A thread may use two: one that it
// fills or sends, and one that its handler answers. Thread-local memory would
// not do: handlers may still run while a thread ends. The pool has parts, so
// that few threads share a lock.
#ifndef VIS_PACKET_MEMORY_H_
#define VIS_PACKET_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/cache_line.h"
#include "vis/tuning.h"

namespace gasnet::vis {

class PacketMemoryPool {
 public:
  using Memory = std::unique_ptr<std::byte[]>;

  // A part of the pool, on cache lines of its own.
  class alignas(kCacheLine) Part {
   public:
    // Returns memory for `nbytes` bytes. Each call must have the same `nbytes`.
    Memory Take(size_t nbytes);
    void GiveBack(Memory memory);

   private:
    absl::Mutex mutex_;
    std::vector<Memory> idle_ ABSL_GUARDED_BY(mutex_);
  };

  // Returns the part for a thread. `thread` is the index of the calling thread.
  Part& PartOf(uint32_t thread) { return parts_[thread % parts_.size()]; }

 private:
  std::array<Part, kPacketPoolParts> parts_;
};

class PacketMemory {
 public:
  PacketMemory(PacketMemoryPool& pool, uint32_t thread, size_t nbytes)
      : part_(pool.PartOf(thread)), memory_(part_.Take(nbytes)) {}
  ~PacketMemory() { part_.GiveBack(std::move(memory_)); }
  PacketMemory(const PacketMemory&) = delete;
  PacketMemory& operator=(const PacketMemory&) = delete;

  std::byte* data() const { return memory_.get(); }

 private:
  PacketMemoryPool::Part& part_;
  PacketMemoryPool::Memory memory_;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_MEMORY_H_
