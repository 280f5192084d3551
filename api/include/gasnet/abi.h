/* Declarations under the inline functions of the public headers. Not for
 * clients.
 *
 * The same for every conduit: a mapped peer is reached by loads and stores
 * that inline into the client, everything else is a call to one of the
 * gasneti_* functions declared beside its public face.
 */
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
/* Spelled as strict C90 knows it too. */
#define GASNETI_INLINE static __inline__ GASNETI_UNUSED

/* Keep a client's earlier stores before, or later loads after, a mapped
 * access. x86 needs to hold back the compiler only. */
#if defined(__x86_64__)
#define GASNETI_RELEASE() __asm__ __volatile__("" ::: "memory")
#define GASNETI_ACQUIRE() __asm__ __volatile__("" ::: "memory")
#else
#define GASNETI_RELEASE() __atomic_thread_fence(__ATOMIC_RELEASE)
#define GASNETI_ACQUIRE() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

/* Makes earlier puts of this thread visible to all before anything later of it
 * is performed. On x86 a locked instruction that changes nothing takes half the
 * time of mfence; the word on the stack may be anything, the red zone included.
 */
#if defined(__x86_64__)
#define GASNETI_FENCE()                                                  \
  __asm__ __volatile__("lock {orq $0, (%%rsp)|or QWORD PTR [rsp], 0}" :: \
                           : "memory", "cc")
#else
#define GASNETI_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

/* The handle of puts that are stored and may not be visible to all yet: a fence
 * syncs them. GASNET_INVALID_HANDLE would say that they are complete. */
#define GASNETI_STORED_HANDLE \
  GASNETI_BIT_CAST(gasnet_handle_t, GASNETI_CAST(uintptr_t, 1))

GASNETI_EXTERN_C_BEGIN

typedef struct {
  gasnet_node_t mynode;
  gasnet_node_t nodes;
} gasneti_world_t;

extern gasneti_world_t gasneti_world;

/* By node: 1 + what has to be added to an address in that node's segment to
 * reach it in this process; 0 where the segment is not mapped, for nodes that
 * do not exist, and before gasnet_attach writes it. An array and not a pointer
 * to one: a put is one load less where the library is in the program, and one
 * that compilers may move out of loops elsewhere. It has an entry for every
 * value of 16 bits, so that no index leads out of it. */
extern uintptr_t gasneti_displacement[]; /* 65536 */

/* Whether this is a debug build, in which every call is checked. */
#ifdef GASNET_DEBUG
#define GASNETI_CHECKED 1
#else
#define GASNETI_CHECKED 0
#endif

/* The entry of [node]. Compilers may move this load out of loops and over other
 * memory accesses, gasnet_attach included: an entry changes once, and one that
 * is read too early is 0, which leads to a call that looks again. They also
 * move it in front of the condition under which a client transfers anything,
 * where [node] may be any value: its low 16 bits are the index. Spelled as an
 * instruction, since C has no word for that; each in both syntaxes.
 *
 * Where the array is, is asked of the global offset table, also by code that is
 * not position-independent: if that named the array itself, a program that
 * links the shared library would have all of it copied into itself before main,
 * which takes longer than the rest of its start. Linkers make a constant of it
 * in a program that contains the archive. */
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

/* Answers whether [addr] in the segment of [node] is mapped here, and where.
 * That it lies in the segment is the caller's word; in debug builds no access
 * is inlined, so that every argument is checked. */
GASNETI_INLINE int gasneti_mapped(gasnet_node_t node, const void *addr,
                                  unsigned char **local) {
#ifdef GASNET_DEBUG
  (void)node;
  (void)addr;
  *local = NULL;
  return 0;
#else
  const uintptr_t displacement = gasneti_displacement_of(node);
  /* Behind the test, where it becomes a part of the access. */
  *local = NULL;
  if (!GASNETI_LIKELY(displacement != 0)) return 0;
  *local = GASNETI_BIT_CAST(
      unsigned char *, GASNETI_BIT_CAST(uintptr_t, addr) + displacement - 1);
  return 1;
#endif
}

GASNETI_EXTERN_C_END

#endif /* GASNET_ABI_H_ */
