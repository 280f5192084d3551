#include "portals/memory/life.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "portals/memory/presence.h"

namespace gasnet::portals4 {
namespace {

// Maps the page as private memory, and copies it by a store. Does not call the
// C library: a sanitizer replaces its function, and takes the call for a write
// that races with other threads. Returns false on failure.
bool TakePage(RegionHeader& header, int file) {
  constexpr long kAccess = PROT_READ | PROT_WRITE;
  constexpr long kFlags = MAP_PRIVATE | MAP_FIXED;
  if (syscall(SYS_mmap, &header, kFirstPage, kAccess, kFlags, long{file}, 0L) ==
      -1) {
    return false;
  }
  header.state.store(RegionHeader::kGone, std::memory_order_release);
  return true;
}

// Returns true if the word at `address` exists and is the link `wanted`. The
// lowest bit of a link is a flag.
bool IsLink(uintptr_t address, uintptr_t wanted) {
  uintptr_t found = 0;
  if (!internal::LookForMemory(address, sizeof found, Access::kWrite)) {
    return false;
  }
  std::memcpy(&found, reinterpret_cast<const void*>(address), sizeof found);
  return (found & ~uintptr_t{1}) == wanted;
}

// Returns true if the neighbours of the mutex in the list name the mutex. Every
// link is the address of the field `__next` of a neighbour.
bool IsListed(const pthread_mutex_t& life) {
  const auto& links = life.__data.__list;
  using Links = std::remove_cvref_t<decltype(links)>;
  const auto address = [](const auto* link) {
    return reinterpret_cast<uintptr_t>(link) & ~uintptr_t{1};
  };
  const uintptr_t here = address(&links.__next);
  return IsLink(address(links.__prev), here) &&
         IsLink(address(links.__next) - offsetof(Links, __next) +
                    offsetof(Links, __prev),
                here);
}

// Returns true if `life` is as `held`, apart from its links.
bool IsStillHeld(const pthread_mutex_t& life, const pthread_mutex_t& held) {
  pthread_mutex_t now = life;
  now.__data.__list = held.__data.__list;
  return std::memcmp(&now, &held, sizeof now) == 0;
}

}  // namespace

pthread_mutex_t HoldLife(pthread_mutex_t& life) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&life, &attributes);
  pthread_mutexattr_destroy(&attributes);
  // The mutex is free, so this succeeds. Analyses of lock orders ignore a try.
  // They must ignore this lock: it is held for good.
  pthread_mutex_trylock(&life);
  return life;
}

bool ReleaseLife(RegionHeader& header, int file, const pthread_mutex_t& held) {
  return held.__data.__owner == gettid() && TakePage(header, file) &&
         IsStillHeld(header.life, held) && IsListed(header.life) &&
         pthread_mutex_unlock(&header.life) == 0;
}

}  // namespace gasnet::portals4
