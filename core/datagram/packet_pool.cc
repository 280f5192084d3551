#include "core/datagram/packet_pool.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/cache_line.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "base/round_up.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {
namespace {

std::byte* Map(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    Fatal("cannot allocate %zu bytes for the packets of the network%s", bytes,
          DescribeMemory().text);
  }
  return static_cast<std::byte*>(memory);
}

}  // namespace

PacketPool::PacketPool(size_t bytes, size_t max_datagram, Counts least) {
  const size_t large = RoundUp(max_datagram, kCacheLine);
  const bool two_sizes = large > kSmallBytes;
  const size_t least_small = std::max(least.small, least.large);
  const size_t least_large = two_sizes ? least.large : least_small;
  const size_t for_large = two_sizes ? bytes - bytes / kSmallShare : bytes;
  const size_t count = std::max(for_large / large, 4 * least_large);
  classes_[kLarge].Init(large, count, std::max(count / 4, least_large));
  if (two_sizes) {
    const size_t small = std::max((bytes - for_large) / kSmallBytes,
                                  4 * std::max(least_small, size_t{2}));
    classes_[0].Init(kSmallBytes, small, small / 4);
  }
}

PacketPool::~PacketPool() {
  for (const Class& c : classes_) {
    if (c.memory != nullptr) munmap(c.memory, c.bytes * c.count);
  }
}

void PacketPool::Class::Init(size_t buffer_bytes, size_t buffers,
                             size_t for_replies) {
  bytes = buffer_bytes;
  count = buffers;
  reserve = for_replies;
  memory = Map(bytes * count);
  packets.reset(new Packet[count]);
}

Packet* PacketPool::Class::Acquire(uint8_t own_index) {
  Packet* packet = idle;
  if (packet != nullptr) {
    idle = packet->next;
  } else {
    packet = &packets[touched];
    packet->bytes = memory + bytes * touched;
    packet->capacity = static_cast<uint32_t>(bytes);
    packet->size_class = own_index;
    ++touched;
  }
  ++used;
  packet->next = nullptr;
  packet->length = 0;
  packet->lent = nullptr;
  packet->lent_bytes = 0;
  packet->readers = nullptr;
  packet->transmissions = 0;
  packet->next_piece = 0;
  packet->padded = false;
  packet->state = Packet::State::kUnsent;
  return packet;
}

Packet* PacketPool::Acquire(size_t bytes, Lane lane) {
  const uint8_t wanted = ClassOf(bytes);
  if (classes_[wanted].Available(lane) == 0) return nullptr;
  return classes_[wanted].Acquire(wanted);
}

void PacketPool::Release(Packet* packet) {
  if (packet->readers != nullptr) {
    packet->readers->fetch_sub(1, std::memory_order_release);
  }
  Class& c = classes_[packet->size_class];
  packet->next = c.idle;
  c.idle = packet;
  --c.used;
}

}  // namespace gasnet::datagram
