#include "base/forked.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/log.h"

namespace gasnet {
namespace internal {

ForkMark fork_mark;

}  // namespace internal

namespace {

// True after BeginForkWatch. Children keep this value, but fork_mark is wiped
// in children. A process is a forked child if this is true and fork_mark is
// wiped.
bool is_watched = false;

struct WipedRange {
  void* begin;
  size_t bytes;
};

// The ranges that WipeHere wipes in children. Used only if the kernel is older
// than 4.14 and cannot wipe ranges itself. Then only children of fork() are
// wiped.
std::array<WipedRange, 4> places;
size_t places_used = 0;

void WipeHere() {
  for (size_t i = 0; i < places_used; ++i) {
    std::memset(places[i].begin, 0, places[i].bytes);
  }
}

}  // namespace

namespace internal {

void RefuseIfForked(const char* call) {
  if (!is_watched) return;
  Fatal(
      "%s called in a process that was forked from a node: only the process "
      "that called gasnet_init can use GASNet (gasnet_exit ends this one)",
      call);
}

}  // namespace internal

void BeginForkWatch() {
  WipeInChildren(&internal::fork_mark, sizeof internal::fork_mark);
  internal::fork_mark.is_node = 1;
  is_watched = true;
}

void EndForkWatch() {
  if (IsForkedChild()) return;
  is_watched = false;
}

void WipeInChildren(void* begin, size_t bytes) {
  if (madvise(begin, bytes, MADV_WIPEONFORK) == 0) return;
  const std::span used(places.data(), places_used);
  const auto is_place = [begin](const WipedRange& each) {
    return each.begin == begin;
  };
  if (std::ranges::any_of(used, is_place)) return;
  if (places_used == places.size()) Fatal("too many places to wipe on fork");
  if (places_used == 0) pthread_atfork(nullptr, nullptr, &WipeHere);
  places[places_used++] = {begin, bytes};
}

bool IsForkedChild() { return is_watched && internal::fork_mark.is_node == 0; }

}  // namespace gasnet
