// Memory for one packet, from a pool that is as large as there were ever
// packets at a time: of each thread one that it fills or sends, and one that
// its handler answers. Not a thread's own, since handlers also run in what a
// thread does when it ends.
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

  // nbytes: the same each time.
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
