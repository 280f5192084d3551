// Detects children that a rank's process forks. A forked child has a copy of
// GASNet's state, but no part in the job. If it received messages, they would
// be lost to the rank. If it sent messages, they would repeat the sequence
// numbers that protect the rank's own messages. So GASNet refuses all calls in
// a forked child.
//
// The kernel marks the children, whether made by fork or by a plain clone: it
// fills the pages given to WipeInChildren with zeros in the child. A child of
// vfork, posix_spawn, system or popen shares its parent's memory until it calls
// exec. It sees the pages unchanged, and changes nothing.
#ifndef BASE_FORKED_H_
#define BASE_FORKED_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Alignment of wiped ranges: the processor's largest ordinary page.
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

// Begins the watch. IsForkedChild returns true in children that are forked from
// here on. Called while no other thread uses the watch.
void BeginForkWatch();
// Ends the watch. IsForkedChild returns false in children that are forked from
// here on, unless the watch begins again. It still returns true in earlier
// children.
void EndForkWatch();

// Fills the `bytes` bytes from `begin` on with zeros in children that are
// forked later. `begin` and `bytes` are multiples of kWipeUnit. The memory is
// private and anonymous. Meant for a few ranges in a process. The same range
// may be given repeatedly.
void WipeInChildren(void* begin, size_t bytes);

// Returns true if this process was forked, directly or not, from a process that
// had called BeginForkWatch. May be called by any thread at any time, also in
// signal handlers.
bool IsForkedChild();

// Ends a forked child with a message that names `call`.
inline void RequireNotForked(const char* call) {
  if (internal::fork_mark.is_node == 0) [[unlikely]]
    internal::RefuseIfForked(call);
}

}  // namespace gasnet

#endif  // BASE_FORKED_H_
