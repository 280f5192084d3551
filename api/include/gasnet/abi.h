/* Declarations that the inline functions of the public headers use. Not for
 * clients.
 *
 * The declarations are the same for every conduit. An access to a mapped peer
 * is inlined into the client as a load or store. Everything else calls a
 * gasneti_* function. Each header declares the gasneti_* functions that it
 * calls. */
#ifndef GASNET_ABI_H_
#define GASNET_ABI_H_

#include "gasnet/platform.h"
#include "gasnet/types.h"

#ifdef __cplusplus
#define GASNETI_EXTERN_C_BEGIN extern "C" {
#define GASNETI_EXTERN_C_END }
#else
#define GASNETI_EXTERN_C_BEGIN
#define GASNETI_EXTERN_C_END
#endif

#define GASNETI_LIKELY(x) GASNETI_CAST(int, __builtin_expect(!!(x), 1))
#define GASNETI_UNLIKELY(x) GASNETI_CAST(int, __builtin_expect(!!(x), 0))
#define GASNETI_UNUSED __attribute__((unused))
#define GASNETI_COLD __attribute__((cold))
/* Marks a function whose result must not be ignored. */
#define GASNETI_MUST_USE __attribute__((warn_unused_result))
/* __inline__ is valid in strict C90 too; plain "inline" is not. */
#define GASNETI_INLINE static __inline__ GASNETI_UNUSED
/* Declares a function that must be inlined, because it tests which of its
   arguments are constants. */
#define GASNETI_ALWAYS_INLINE GASNETI_INLINE __attribute__((__always_inline__))

/* GASNETI_RELEASE keeps the client's earlier stores before a mapped access.
 * GASNETI_ACQUIRE keeps the client's later loads after a mapped access. On x86
 * a compiler barrier is enough for both. */
#if defined(__x86_64__)
#define GASNETI_RELEASE() __asm__ __volatile__("" ::: "memory")
#define GASNETI_ACQUIRE() __asm__ __volatile__("" ::: "memory")
#else
#define GASNETI_RELEASE() __atomic_thread_fence(__ATOMIC_RELEASE)
#define GASNETI_ACQUIRE() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

/* Makes this thread's earlier puts visible to all threads before its later
 * operations take effect. On x86 a locked OR of a word with 0 takes half the
 * time of mfence. The word is the one at the stack pointer; its value does not
 * change. */
#if defined(__x86_64__)
#define GASNETI_FENCE()                                                  \
  __asm__ __volatile__("lock {orq $0, (%%rsp)|or QWORD PTR [rsp], 0}" :: \
                           : "memory", "cc")
#else
#define GASNETI_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

/* The handle of puts whose data is stored but perhaps not yet visible to all
 * threads; a fence syncs the puts. GASNET_INVALID_HANDLE would mean that the
 * puts are complete. */
#define GASNETI_STORED_HANDLE \
  GASNETI_BIT_CAST(gasnet_handle_t, GASNETI_CAST(uintptr_t, 1))

GASNETI_EXTERN_C_BEGIN

typedef struct {
  gasnet_node_t mynode;
  gasnet_node_t nodes;
} gasneti_world_t;

extern gasneti_world_t gasneti_world;

/* Displacements of mapped segments, indexed by node. Adding (entry i) - 1 to an
 * address in the segment of node i gives the corresponding address in this
 * process. Entry i is 0 if the segment is not mapped, if the node does not
 * exist, and before gasnet_attach writes the entry.
 *
 * There is an entry for every 16-bit value, so that no index is out of bounds.
 * The symbol is an array and not a pointer to one. In a program that is linked
 * with the static library, this saves a put one load. With the shared library,
 * compilers may move the load of the array's address out of loops. */
extern uintptr_t gasneti_displacement[]; /* 65536 */

/* 1 in a debug build, in which every call is checked. */
#ifdef GASNET_DEBUG
#define GASNETI_CHECKED 1
#else
#define GASNETI_CHECKED 0
#endif
/* 1 if the client calls the library for every operation, including those that
 * headers could inline. The value is 1 in a debug build. It is also 1 in a
 * client that is compiled with GASNET_TRACE, because the library's statistics
 * and traces see only calls. */
#if defined(GASNET_DEBUG) || defined(GASNET_TRACE)
#define GASNETI_CALLS 1
#else
#define GASNETI_CALLS 0
#endif

/* Returns the displacement of [node]. The load is written in assembly (in AT&T
 * and Intel syntax) so that compilers may move it out of loops and across other
 * memory accesses, even across gasnet_attach. That is safe: an entry changes
 * once, and an entry that is read too early is 0. The access then calls the
 * library, which reads the entry again. Compilers also move the load ahead of a
 * condition that the client tests before a transfer. [node] may then have any
 * value, so only its low 16 bits are the index.
 *
 * The array's address comes from the global offset table, even in code that is
 * not position-independent. If such code named the array itself, a program that
 * links the shared library would get a copy of the whole array before main. The
 * copy takes longer than the rest of the program's start. In a program that
 * links the archive, linkers turn the load of the address into a constant. */
GASNETI_INLINE uintptr_t gasneti_displacement_of(gasnet_node_t node) {
  const uint16_t index = GASNETI_CAST(uint16_t, node);
#if defined(__x86_64__) && !defined(__ILP32__)
  const uintptr_t *displacements;
  uintptr_t displacement;
  __asm__(
      "{movq gasneti_displacement@GOTPCREL(%%rip), %0|"
      "mov %0, QWORD PTR gasneti_displacement@GOTPCREL[rip]}"
      : "=r"(displacements));
  __asm__("{movq (%1,%2,8), %0|mov %0, QWORD PTR [%1+%2*8]}"
          : "=r"(displacement)
          : "r"(displacements), "r"(GASNETI_CAST(uintptr_t, index)));
  return displacement;
#else
  return gasneti_displacement[index];
#endif
}

/* If [addr], an address in the segment of [node], is mapped in this process,
 * returns 1 and sets *local to its address in this process. Otherwise returns
 * 0. The caller guarantees that [addr] lies in the segment. With GASNETI_CALLS
 * the function always returns 0, so that no access is inlined. */
GASNETI_INLINE int gasneti_mapped(gasnet_node_t node, const void *addr,
                                  unsigned char **local) {
#if GASNETI_CALLS
  (void)node;
  (void)addr;
  *local = NULL;
  return 0;
#else
  const uintptr_t displacement = gasneti_displacement_of(node);
  /* The addition follows the test, so that compilers can fold it into the
     client's access. */
  *local = NULL;
  if (!GASNETI_LIKELY(displacement != 0)) return 0;
  *local = GASNETI_BIT_CAST(
      unsigned char *, GASNETI_BIT_CAST(uintptr_t, addr) + displacement - 1);
  return 1;
#endif
}

GASNETI_EXTERN_C_END

#endif /* GASNET_ABI_H_ */
