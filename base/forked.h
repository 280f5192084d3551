// Children that a node forks. Such a child has a copy of GASNet's state, and no
// part in the job. Messages that it received would be lost to the node, and
// messages that it sent would repeat the numbers that protect the node's own.
// So GASNet is dead in it.
//
// The kernel marks them, whether fork made them or clone by itself: it fills
// the pages that are named here with zeros in them. A child that shares the
// memory of its parent until it calls exec (vfork, posix_spawn, system, popen)
// sees the pages unchanged, and changes nothing.
//
// Other parts of GASNet ask here: IsForkedChild.
#ifndef BASE_FORKED_H_
#define BASE_FORKED_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Wiped ranges begin and end at multiples of this, the processor's largest page
// of ordinary memory.
#if defined(__x86_64__)
inline constexpr size_t kWipeUnit = 4096;
#else
inline constexpr size_t kWipeUnit = 65536;
#endif

namespace internal {
struct alignas(kWipeUnit) ForkMark {
  uint32_t is_node;
};
extern ForkMark fork_mark;
[[gnu::cold]] void RefuseIfForked(const char* call);
}  // namespace internal

// Begins the watch: children that this process forks from here on know that
// they are forked. Called while there is only one thread that cares.
void BeginForkWatch();
// Ends the watch: children that are forked from here on do not know, until it
// begins anew. Those forked before still know.
void EndForkWatch();

// Makes `bytes` bytes from `begin` 0 in children that are forked later. Both
// are multiples of kWipeUnit, in private anonymous memory. Meant for a few
// places in a process, each as often as you like.
void WipeInChildren(void* begin, size_t bytes);

// Returns true if this process was forked, directly or not, from one that had
// called BeginForkWatch. Any thread, any time, signal handlers included.
bool IsForkedChild();

// Ends a forked child with a message that names `call`.
inline void RequireNotForked(const char* call) {
  if (internal::fork_mark.is_node == 0) [[unlikely]]
    internal::RefuseIfForked(call);
}

}  // namespace gasnet

#endif  // BASE_FORKED_H_
