#include "gasnet_tools/debug_malloc.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <mutex>

#include "base/log.h"
#include "gasnet_tools/src/export.h"

namespace {

constexpr uint64_t kLive = 0x6C69766542C0CA11;
constexpr uint64_t kFreed = 0x6672656564C0CA11;
constexpr unsigned char kNewByte = 0xA5;
constexpr unsigned char kFreedByte = 0xDD;
constexpr unsigned char kGuardByte = 0x5C;
constexpr size_t kGuardBytes = 16;

// Precedes every block. Blocks have the same alignment as malloc's blocks,
// because the header has it.
struct alignas(16) BlockHeader {
  BlockHeader* next;
  BlockHeader* previous;
  size_t size;
  uint64_t state;

  unsigned char* block() { return reinterpret_cast<unsigned char*>(this + 1); }
  unsigned char* guard() { return block() + size; }
};

// The heap: all live blocks in a ring, and the statistics.
struct Heap {
  std::mutex mutex;
  BlockHeader ring = {&ring, &ring, 0, kLive};
  BlockHeader* next_to_check = &ring;
  gasnett_heapstats_t stats = {};
};

Heap& TheHeap() {
  static Heap& heap = *new Heap;
  return heap;
}

BlockHeader* HeaderOf(void* block) {
  return static_cast<BlockHeader*>(block) - 1;
}

void Check(BlockHeader* header, const char* call) {
  void* block = header->block();
  if (header->state == kFreed) {
    gasnet::Fatal("%s: block %p was already freed", call, block);
  }
  if (header->state != kLive) {
    gasnet::Fatal(
        "%s: %p is not a block of this heap, or was overwritten before its "
        "start",
        call, block);
  }
  const bool is_whole =
      std::all_of(header->guard(), header->guard() + kGuardBytes,
                  [](unsigned char byte) { return byte == kGuardByte; });
  if (!is_whole) {
    gasnet::Fatal("%s: block %p of %zu bytes was overwritten past its end",
                  call, block, header->size);
  }
}

void Insert(Heap& heap, BlockHeader* header) {
  header->next = &heap.ring;
  header->previous = heap.ring.previous;
  header->previous->next = header;
  heap.ring.previous = header;
  gasnett_heapstats_t& stats = heap.stats;
  ++stats.live_objects;
  ++stats.allocated_objects;
  stats.live_bytes += header->size;
  stats.allocated_bytes += header->size;
  stats.peak_live_bytes = std::max(stats.peak_live_bytes, stats.live_bytes);
}

void Remove(Heap& heap, BlockHeader* header) {
  if (heap.next_to_check == header) heap.next_to_check = header->next;
  header->previous->next = header->next;
  header->next->previous = header->previous;
  --heap.stats.live_objects;
  ++heap.stats.freed_objects;
  heap.stats.live_bytes -= header->size;
  heap.stats.freed_bytes += header->size;
}

unsigned char* Allocate(size_t size, const char* call) {
  constexpr size_t kOverhead = sizeof(BlockHeader) + kGuardBytes;
  void* memory =
      size <= SIZE_MAX - kOverhead ? malloc(kOverhead + size) : nullptr;
  if (memory == nullptr)
    gasnet::Fatal("%s: no memory for %zu bytes", call, size);
  auto* header = static_cast<BlockHeader*>(memory);
  header->size = size;
  header->state = kLive;
  memset(header->block(), kNewByte, size);
  memset(header->guard(), kGuardByte, kGuardBytes);
  Heap& heap = TheHeap();
  const std::lock_guard hold(heap.mutex);
  Insert(heap, header);
  return header->block();
}

void Free(void* block, const char* call) {
  BlockHeader* header = HeaderOf(block);
  Heap& heap = TheHeap();
  {
    const std::lock_guard hold(heap.mutex);
    Check(header, call);
    Remove(heap, header);
    // Sets the state while the lock is held. If two threads free the same
    // block, the second thread therefore sees kFreed and reports the error.
    header->state = kFreed;
  }
  memset(block, kFreedByte, header->size);
  free(header);
}

size_t SizeOf(void* block, const char* call) {
  const std::lock_guard hold(TheHeap().mutex);
  Check(HeaderOf(block), call);
  return HeaderOf(block)->size;
}

char* CopyText(const char* text, size_t length, const char* call) {
  unsigned char* copy = Allocate(length + 1, call);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return reinterpret_cast<char*>(copy);
}

}  // namespace

GASNETTI_EXPORT void* gasnett_debug_malloc(size_t size) {
  return Allocate(size, "gasnett_debug_malloc");
}

GASNETTI_EXPORT void* gasnett_debug_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return memset(Allocate(bytes, "gasnett_debug_calloc"), 0, bytes);
}

GASNETTI_EXPORT void* gasnett_debug_realloc(void* block, size_t size) {
  constexpr char kCall[] = "gasnett_debug_realloc";
  if (block == nullptr) return Allocate(size, kCall);
  const size_t kept = std::min(size, SizeOf(block, kCall));
  void* moved = Allocate(size, kCall);
  memcpy(moved, block, kept);
  Free(block, kCall);
  return moved;
}

GASNETTI_EXPORT void gasnett_debug_free(void* block) {
  if (block != nullptr) Free(block, "gasnett_debug_free");
}

GASNETTI_EXPORT char* gasnett_debug_strdup(const char* text) {
  return CopyText(text, strlen(text), "gasnett_debug_strdup");
}

GASNETTI_EXPORT char* gasnett_debug_strndup(const char* text, size_t limit) {
  return CopyText(text, strnlen(text, limit), "gasnett_debug_strndup");
}

GASNETTI_EXPORT size_t gasnett_debug_memcheck(void* block) {
  return block == nullptr ? 0 : SizeOf(block, "gasnett_debug_memcheck");
}

GASNETTI_EXPORT void gasnett_debug_memcheck_one() {
  Heap& heap = TheHeap();
  const std::lock_guard hold(heap.mutex);
  if (heap.next_to_check == &heap.ring) heap.next_to_check = heap.ring.next;
  if (heap.next_to_check == &heap.ring) return;
  Check(heap.next_to_check, "gasnett_debug_memcheck_one");
  heap.next_to_check = heap.next_to_check->next;
}

GASNETTI_EXPORT void gasnett_debug_memcheck_all() {
  Heap& heap = TheHeap();
  const std::lock_guard hold(heap.mutex);
  for (BlockHeader* header = heap.ring.next; header != &heap.ring;
       header = header->next) {
    Check(header, "gasnett_debug_memcheck_all");
  }
}

GASNETTI_EXPORT int gasnett_getheapstats(gasnett_heapstats_t* stats) {
  Heap& heap = TheHeap();
  const std::lock_guard hold(heap.mutex);
  *stats = heap.stats;
  return 0;
}
