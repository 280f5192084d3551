// Children that a node forks. Such a child has a copy of all that GASNet knows,
// and no part in the job: what it received would be lost to the node, and what
// it sent would repeat the numbers that protect the node's own messages. So in
// it GASNet is dead.
//
// The kernel tells them, whatever has made them: fork, or clone by itself. It
// fills the pages that are named here with zeros in them. A child that shares
// the memory of its parent until it calls exec (vfork, posix_spawn, system,
// popen) sees them as they are, and changes nothing.
//
// This is where a part of GASNet learns of it: IsForkedChild.
#ifndef BASE_FORKED_H_
#define BASE_FORKED_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Wiped ranges begin and end at multiples of this, the largest page that the
// processor has for ordinary memory.
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

// From here on children that this process forks find that they are. While there
// is one thread that cares.
void BeginForkWatch();
// From here on children do not, until it begins anew. Those that were forked
// before still know.
void EndForkWatch();

// In children that are forked later `bytes` bytes from `begin` are 0; both are
// multiples of kWipeUnit, in private memory that no file stands behind. For a
// few places in a process, each as often as you like.
void WipeInChildren(void* begin, size_t bytes);

// Whether this process was forked, directly or not, from one that had called
// BeginForkWatch. Any thread, any time, signal handlers included.
bool IsForkedChild();

// Ends such a process with a message that names `call`.
inline void RequireNotForked(const char* call) {
  if (internal::fork_mark.is_node == 0) [[unlikely]]
    internal::RefuseIfForked(call);
}

}  // namespace gasnet

#endif  // BASE_FORKED_H_
