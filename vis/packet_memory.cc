#include "vis/packet_memory.h"

#include <mutex>
#include <vector>

namespace gasnet::vis {
namespace {

// Never destroyed: handlers may run until the process has ended.
struct Pool {
  std::mutex lock;
  std::vector<std::byte*> idle;
};

Pool& ThePool() {
  static Pool& pool = *new Pool;
  return pool;
}

std::byte* Take(size_t nbytes) {
  Pool& pool = ThePool();
  const std::lock_guard guard(pool.lock);
  if (pool.idle.empty()) return new std::byte[nbytes];
  std::byte* const taken = pool.idle.back();
  pool.idle.pop_back();
  return taken;
}

}  // namespace

PacketMemory::PacketMemory(size_t nbytes) : data_(Take(nbytes)) {}

PacketMemory::~PacketMemory() {
  Pool& pool = ThePool();
  const std::lock_guard guard(pool.lock);
  pool.idle.push_back(data_);
}

}  // namespace gasnet::vis
