// Memory for one packet, from a pool that grows to the most packets at any one
// time: each thread has one that it fills or sends, and one that its handler
// answers. Not a thread's own memory, since handlers also run in the code of a
// thread that ends.
#ifndef VIS_PACKET_MEMORY_H_
#define VIS_PACKET_MEMORY_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace gasnet::vis {

class PacketPool {
 public:
  using Memory = std::unique_ptr<std::byte[]>;

  // Returns memory for nbytes bytes, the same number each time.
  Memory Take(size_t nbytes);
  void GiveBack(Memory memory);

 private:
  absl::Mutex mutex_;
  std::vector<Memory> idle_ ABSL_GUARDED_BY(mutex_);
};

class PacketMemory {
 public:
  PacketMemory(PacketPool& pool, size_t nbytes)
      : pool_(pool), memory_(pool.Take(nbytes)) {}
  ~PacketMemory() { pool_.GiveBack(std::move(memory_)); }
  PacketMemory(const PacketMemory&) = delete;
  PacketMemory& operator=(const PacketMemory&) = delete;

  std::byte* data() const { return memory_.get(); }

 private:
  PacketPool& pool_;
  PacketPool::Memory memory_;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_MEMORY_H_
