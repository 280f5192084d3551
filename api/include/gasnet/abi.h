/* What the inline functions of the public headers stand on. Not for clients.
 *
 * The same for every conduit: a mapped peer is reached by loads and stores
 * that inline into the client, everything else is a call to one of the
 * gasneti_* functions declared beside its public face.
 */
#ifndef GASNET_ABI_H_
#define GASNET_ABI_H_

#include "gasnet/types.h"

#ifdef __cplusplus
#define GASNETI_EXTERN_C_BEGIN extern "C" {
#define GASNETI_EXTERN_C_END }
#else
#define GASNETI_EXTERN_C_BEGIN
#define GASNETI_EXTERN_C_END
#endif

#define GASNETI_LIKELY(x) __builtin_expect(!!(x), 1)
#define GASNETI_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define GASNETI_UNUSED __attribute__((unused))
#define GASNETI_COLD __attribute__((cold))
#define GASNETI_INLINE static inline GASNETI_UNUSED

/* Keep a client's earlier stores before, or later loads after, a mapped
 * access. x86 needs to hold back the compiler only. */
#if defined(__x86_64__)
#define GASNETI_RELEASE() __asm__ __volatile__("" ::: "memory")
#define GASNETI_ACQUIRE() __asm__ __volatile__("" ::: "memory")
#else
#define GASNETI_RELEASE() __atomic_thread_fence(__ATOMIC_RELEASE)
#define GASNETI_ACQUIRE() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

GASNETI_EXTERN_C_BEGIN

/* How this process reaches one node's segment: [base, base+size) in that
 * node's address space is [map, map+size) in ours. size is 0 for a node that
 * is not mapped. Written by gasnet_attach, constant afterwards. */
typedef struct {
  uintptr_t base;
  uintptr_t size;
  unsigned char *map;
  uintptr_t reserved; /* 32 bytes: indexing is a shift */
} gasneti_peer_t;

typedef struct {
  const gasneti_peer_t *peers; /* one entry a node; valid from gasnet_attach */
  gasnet_node_t mynode;
  gasnet_node_t nodes;
} gasneti_world_t;

extern gasneti_world_t gasneti_world;

/* Whether this is a debug build, in which every call is checked. */
#ifdef GASNET_DEBUG
#define GASNETI_CHECKED 1
#else
#define GASNETI_CHECKED 0
#endif

/* Answers whether [addr] of [node] is mapped here, and where. In debug builds
 * no access is inlined, so that every argument is checked. */
GASNETI_INLINE int gasneti_mapped(gasnet_node_t node, const void *addr,
                                  unsigned char **local) {
#ifdef GASNET_DEBUG
  (void)node;
  (void)addr;
  *local = NULL;
  return 0;
#else
  const gasneti_peer_t *peer = &gasneti_world.peers[node];
  const uintptr_t offset = (uintptr_t)addr - peer->base;
  *local = peer->map + offset;
  return GASNETI_LIKELY(offset < peer->size);
#endif
}

GASNETI_EXTERN_C_END

#endif /* GASNET_ABI_H_ */
