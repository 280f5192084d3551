/* Atomic integers of 32 and 64 bits.
 *
 * Every operation is atomic with respect to threads and to processes that share
 * the memory, in both forms of the tools, and never takes a lock. The families
 * gasnett_atomic_*, gasnett_atomic32_* and gasnett_atomic64_* promise this only
 * among the threads that the form supports. gasnett_strongatomic*_* promise it
 * in the sequential form as well. In this implementation all families give the
 * stronger promise.
 *
 * An address may point to the family's type or to any other scalar of the same
 * size, for example a double. It must be aligned to that size.
 *
 * `flags` is 0, which orders nothing, or the OR of
 *   GASNETT_ATOMIC_RMB_PRE, WMB_PRE, MB_PRE     a barrier before the operation
 *   GASNETT_ATOMIC_RMB_POST, WMB_POST, MB_POST  a barrier after it
 *   GASNETT_ATOMIC_REL                          WMB_PRE, as to release a lock
 *   GASNETT_ATOMIC_ACQ                          RMB_POST, as to acquire a lock
 *   ..._POST_IF_TRUE, ..._IF_FALSE              as _POST, for any result
 *   GASNETT_ATOMIC_NONE                         nothing
 * with the meaning of gasnet_tools/membar.h. REL also holds back earlier loads,
 * and ACQ later stores.
 */
#ifndef GASNET_TOOLS_ATOMIC_H_
#define GASNET_TOOLS_ATOMIC_H_

#include <stdint.h>

#include "gasnet/platform.h"
#include "gasnet_tools/annotations.h"

#define GASNETT_ATOMIC_RMB_PRE 0x01
#define GASNETT_ATOMIC_WMB_PRE 0x02
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_WMB_PRE)
#define GASNETT_ATOMIC_RMB_POST 0x04
#define GASNETT_ATOMIC_WMB_POST 0x08
#define GASNETT_ATOMIC_MB_POST \
  (GASNETT_ATOMIC_RMB_POST | GASNETT_ATOMIC_WMB_POST)
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_WMB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_NONE 0
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_ACQ
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_ACQ

/* All operations exist. GASNETT_USING_GENERIC_ATOMICOPS is deliberately never
 * defined. */
#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1

typedef uint32_t gasnett_atomic32_t;
typedef uint64_t gasnett_atomic64_t;
typedef uint32_t gasnett_strongatomic32_t;
typedef uint64_t gasnett_strongatomic64_t;

/* The families of the default size: their types, conversions between a value
 * and the signed number with the same bits, and the limits of both. */
typedef uint32_t gasnett_atomic_t;
typedef uint32_t gasnett_strongatomic_t;
typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
typedef gasnett_atomic_val_t gasnett_strongatomic_val_t;
typedef gasnett_atomic_sval_t gasnett_strongatomic_sval_t;
#define GASNETT_ATOMIC_MAX GASNETI_CAST(gasnett_atomic_val_t, 0xFFFFFFFFu)
#define GASNETT_ATOMIC_SIGNED_MAX \
  GASNETI_CAST(gasnett_atomic_sval_t, 0x7FFFFFFF)
#define GASNETT_ATOMIC_SIGNED_MIN \
  GASNETI_CAST(gasnett_atomic_sval_t, -0x7FFFFFFF - 1)
#define gasnett_atomic_signed(value) GASNETI_CAST(gasnett_atomic_sval_t, value)
#define gasnett_strongatomic_signed(value) gasnett_atomic_signed(value)

/* Initialise static and automatic variables. The initialisation is not
   atomic. */
#define gasnett_atomic_init(value) GASNETI_CAST(uint32_t, value)
#define gasnett_atomic32_init(value) GASNETI_CAST(uint32_t, value)
#define gasnett_atomic64_init(value) GASNETI_CAST(uint64_t, value)
#define gasnett_strongatomic_init(value) GASNETI_CAST(uint32_t, value)
#define gasnett_strongatomic32_init(value) GASNETI_CAST(uint32_t, value)
#define gasnett_strongatomic64_init(value) GASNETI_CAST(uint64_t, value)

typedef uint32_t __attribute__((__may_alias__)) gasnetti_any32_t;
typedef uint64_t __attribute__((__may_alias__)) gasnetti_any64_t;

/* Issue the barriers that the operation's own memory order does not include. */
GASNETT_INLINE(gasnetti_fence_if) void gasnetti_fence_if(int wanted) {
  if (wanted) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

GASNETT_INLINE(gasnetti_before_update) void gasnetti_before_update(int flags) {
  gasnetti_fence_if((flags & GASNETT_ATOMIC_MB_PRE) == GASNETT_ATOMIC_MB_PRE);
}

GASNETT_INLINE(gasnetti_after_update) void gasnetti_after_update(int flags) {
  gasnetti_fence_if((flags & GASNETT_ATOMIC_MB_POST) == GASNETT_ATOMIC_MB_POST);
}

#define GASNETTI_UPDATE_ORDER(flags) \
  ((flags) != 0 ? __ATOMIC_ACQ_REL : __ATOMIC_RELAXED)
#define GASNETTI_LOAD_ORDER(flags) \
  ((flags) != 0 ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED)
#define GASNETTI_STORE_ORDER(flags) \
  ((flags) != 0 ? __ATOMIC_RELEASE : __ATOMIC_RELAXED)

#define GASNETTI_PASTE_(a, b) a##_##b
#define GASNETTI_PASTE(a, b) GASNETTI_PASTE_(a, b)
/* Expands to the full name of an operation of the current family. */
#define GASNETTI_OP(name) GASNETTI_PASTE(GASNETTI_FAMILY, name)

GASNETT_BEGIN_EXTERNC

#define GASNETTI_FAMILY gasnett_atomic
#define GASNETTI_VALUE gasnett_atomic_val_t
#define GASNETTI_ANY gasnetti_any32_t
#include "gasnet_tools/atomic_family.inc"

#define GASNETTI_FAMILY gasnett_atomic32
#define GASNETTI_VALUE uint32_t
#define GASNETTI_ANY gasnetti_any32_t
#include "gasnet_tools/atomic_family.inc"

#define GASNETTI_FAMILY gasnett_atomic64
#define GASNETTI_VALUE uint64_t
#define GASNETTI_ANY gasnetti_any64_t
#include "gasnet_tools/atomic_family.inc"

#define GASNETTI_FAMILY gasnett_strongatomic
#define GASNETTI_VALUE gasnett_atomic_val_t
#define GASNETTI_ANY gasnetti_any32_t
#include "gasnet_tools/atomic_family.inc"

#define GASNETTI_FAMILY gasnett_strongatomic32
#define GASNETTI_VALUE uint32_t
#define GASNETTI_ANY gasnetti_any32_t
#include "gasnet_tools/atomic_family.inc"

#define GASNETTI_FAMILY gasnett_strongatomic64
#define GASNETTI_VALUE uint64_t
#define GASNETTI_ANY gasnetti_any64_t
#include "gasnet_tools/atomic_family.inc"

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_ATOMIC_H_ */
