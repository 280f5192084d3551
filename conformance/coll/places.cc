#include "conformance/coll/places.h"

#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>

namespace conformance {
namespace {

constexpr size_t kArena = size_t{12} << 20;
constexpr size_t kStaticArena = size_t{3} << 20;
constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kAttempts = 100;

alignas(64) char static_arena[kStaticArena];

struct Arena {
  char* start = nullptr;
  size_t size = 0;
  size_t used = 0;
};
Arena arenas[kPlaces];

Arena& ArenaOf(Place place) { return arenas[static_cast<int>(place)]; }

char* Map(void* at, int flags) {
  void* const mapped =
      mmap(at, kArena, kProtection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char*>(mapped);
}

// The leader's proposal of an address, and whether any node refused it. The
// reserved part of segments stores it.
struct Proposal {
  uint64_t address;
  uint64_t refused;
};

void Send(gasnet_node_t node, size_t offset, uint64_t value) {
  gasnet_put_val(node, SharedMemory(node) + offset, value, sizeof(value));
}

// Maps memory at an address that is free on all nodes. The leader maps memory
// and proposes its address. If that address is taken on another node, the
// leader proposes the address of a new mapping.
char* MapEverywhere() {
  const auto* const mine =
      reinterpret_cast<volatile Proposal*>(SharedMemory(gasnet_mynode()));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    char* mapped = nullptr;
    if (gasnet_mynode() == 0) {
      mapped = Map(nullptr, 0);
      for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
        Send(node, offsetof(Proposal, address),
             reinterpret_cast<uintptr_t>(mapped));
        Send(node, offsetof(Proposal, refused), 0);
      }
    }
    Barrier();
    if (gasnet_mynode() != 0) {
      void* const wanted = reinterpret_cast<void*>(mine->address);
      mapped = Map(wanted, MAP_FIXED_NOREPLACE);
      for (gasnet_node_t node = 0; mapped == nullptr && node < gasnet_nodes();
           ++node) {
        Send(node, offsetof(Proposal, refused), 1);
      }
    }
    Barrier();
    if (mine->refused == 0) return mapped;
    Barrier();
  }
  FailCheck("an address that is free on all nodes", __FILE__, __LINE__);
  return nullptr;
}

}  // namespace

void OpenPlaces() {
  ArenaOf(Place::kSegment) = {SharedMemory(gasnet_mynode()), kSegmentBytes, 0};
  ArenaOf(Place::kFixed) = {MapEverywhere(), kArena, 0};
  ArenaOf(Place::kHeap) = {new char[kArena], kArena, 0};
  ArenaOf(Place::kStatic) = {static_arena, kStaticArena, 0};
  ArenaOf(Place::kPages) = {Map(nullptr, 0), kArena, 0};
  for (const Arena& arena : arenas) CHECK(arena.start != nullptr);
  EmptyPlaces();
}

void EmptyPlaces() {
  const Arena& pages = ArenaOf(Place::kPages);
  CHECK_EQ(mprotect(pages.start, pages.size, kProtection), 0);
  for (Arena& arena : arenas) arena.used = 0;
  ArenaOf(Place::kSegment).used = kReserved;
}

bool Reserve(Place place, size_t bytes, size_t misalign, size_t* offset) {
  Arena& arena = ArenaOf(place);
  const size_t unit = place == Place::kPages ? GASNET_PAGESIZE : 64;
  const size_t start = (arena.used + unit - 1) / unit * unit;
  const size_t end = start + 64 + misalign + bytes + kGuard;
  if (end > arena.size) return false;
  arena.used = end;
  *offset = start + 64 + misalign;
  return true;
}

char* AddressIn(Place place, size_t offset) {
  return ArenaOf(place).start + offset;
}

char* AddressOn(gasnet_node_t node, Place place, size_t offset) {
  if (place == Place::kSegment) return SharedMemory(node) + offset;
  return AddressIn(place, offset);
}

void ProtectPages(size_t offset, size_t bytes, int protection) {
  const size_t page = GASNET_PAGESIZE;
  const size_t from = (offset - kGuard) / page * page;
  const size_t to = (offset + bytes + kGuard + page - 1) / page * page;
  char* const start = ArenaOf(Place::kPages).start;
  CHECK_EQ(mprotect(start + from, to - from, protection), 0);
}

}  // namespace conformance
