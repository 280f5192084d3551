#include "vis/packet_memory.h"

namespace gasnet::vis {

PacketMemoryPool::Memory PacketMemoryPool::Part::Take(size_t nbytes) {
  const absl::MutexLock lock(&mutex_);
  if (idle_.empty()) return std::make_unique_for_overwrite<std::byte[]>(nbytes);
  Memory taken = std::move(idle_.back());
  idle_.pop_back();
  return taken;
}

void PacketMemoryPool::Part::GiveBack(Memory memory) {
  const absl::MutexLock lock(&mutex_);
  idle_.push_back(std::move(memory));
}

}  // namespace gasnet::vis
