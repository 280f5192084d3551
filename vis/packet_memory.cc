#include "vis/packet_memory.h"

namespace gasnet::vis {

PacketPool::Memory PacketPool::Take(size_t nbytes) {
  const std::lock_guard guard(lock_);
  if (idle_.empty()) return std::make_unique_for_overwrite<std::byte[]>(nbytes);
  Memory taken = std::move(idle_.back());
  idle_.pop_back();
  return taken;
}

void PacketPool::GiveBack(Memory memory) {
  const std::lock_guard guard(lock_);
  idle_.push_back(std::move(memory));
}

}  // namespace gasnet::vis
