/* Atomic integers of 32 and 64 bits.
 *
 * Every operation is atomic towards threads and towards processes that share
 * the memory, in both forms of the tools, and never takes a lock. The families
 * gasnett_atomic_*, gasnett_atomic32_* and gasnett_atomic64_* promise this
 * among the threads that the form supports; gasnett_strongatomic*_* promise it
 * in the sequential form as well. Here they are the same.
 *
 * The address may be that of the family's type or of any other scalar of the
 * same size, double included, aligned to its size.
 *
 * `flags` is 0, and orders nothing, or the OR of
 *   GASNETT_ATOMIC_RMB_PRE, WMB_PRE, MB_PRE     a barrier before the operation
 *   GASNETT_ATOMIC_RMB_POST, WMB_POST, MB_POST  a barrier after it
 *   GASNETT_ATOMIC_REL                          WMB_PRE, as to release a lock
 *   GASNETT_ATOMIC_ACQ                          RMB_POST, as to acquire one
 * with the meaning of gasnet_tools/membar.h. REL also holds back earlier loads,
 * and ACQ later stores.
 */
#ifndef GASNET_TOOLS_ATOMIC_H_
#define GASNET_TOOLS_ATOMIC_H_

#include <stdint.h>

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

/* All operations exist. Deliberately never defined:
 * GASNETT_USING_GENERIC_ATOMICOPS. */
#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1

typedef uint32_t gasnett_atomic32_t;
typedef uint64_t gasnett_atomic64_t;
typedef uint32_t gasnett_strongatomic32_t;
typedef uint64_t gasnett_strongatomic64_t;

/* The default size: what gasnett_atomic_t and gasnett_strongatomic_t hold, the
 * same bits as a signed number, and the limits of both. */
typedef uint32_t gasnett_atomic_t;
typedef uint32_t gasnett_strongatomic_t;
typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
#define GASNETT_ATOMIC_MAX ((gasnett_atomic_val_t)0xFFFFFFFFu)
#define GASNETT_ATOMIC_SIGNED_MAX ((gasnett_atomic_sval_t)0x7FFFFFFF)
#define GASNETT_ATOMIC_SIGNED_MIN ((gasnett_atomic_sval_t)(-0x7FFFFFFF - 1))
#define gasnett_atomic_signed(value) ((gasnett_atomic_sval_t)(value))

/* Initialisers of static and automatic variables; not atomic. */
#define gasnett_atomic_init(value) ((uint32_t)(value))
#define gasnett_atomic32_init(value) ((uint32_t)(value))
#define gasnett_atomic64_init(value) ((uint64_t)(value))
#define gasnett_strongatomic_init(value) ((uint32_t)(value))
#define gasnett_strongatomic32_init(value) ((uint32_t)(value))
#define gasnett_strongatomic64_init(value) ((uint64_t)(value))

typedef uint32_t __attribute__((__may_alias__)) gasnetti_any32_t;
typedef uint64_t __attribute__((__may_alias__)) gasnetti_any64_t;

/* The barriers that the memory order of the operation itself does not give. */
GASNETT_INLINE(gasnetti_fence_if) void gasnetti_fence_if(int wanted) {
  if (wanted) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

GASNETT_INLINE(gasnetti_before_update) void gasnetti_before_update(int flags) {
  gasnetti_fence_if((flags & GASNETT_ATOMIC_MB_PRE) == GASNETT_ATOMIC_MB_PRE);
}

GASNETT_INLINE(gasnetti_after_update) void gasnetti_after_update(int flags) {
  gasnetti_fence_if((flags & GASNETT_ATOMIC_MB_POST) == GASNETT_ATOMIC_MB_POST);
}

/* What each family has, with its value type:
 *
 *   value read(const p, flags)        the value
 *   void set(p, value, flags)         stores the value
 *   void increment(p, flags)          adds 1
 *   void decrement(p, flags)          subtracts 1
 *   int decrement_and_test(p, flags)  subtracts 1; nonzero if it is 0 now
 *   int compare_and_swap(p, expected, value, flags)
 *                                     stores the value if *p is `expected`;
 *                                     nonzero if it was; never fails otherwise
 *   value swap(p, value, flags)       stores the value; answers the OLD one
 *   value add(p, value, flags)        adds; answers the NEW value
 *   value subtract(p, value, flags)   subtracts; answers the NEW value
 *
 * Arithmetic wraps around.
 */
#define GASNETTI_UPDATE_ORDER(flags) \
  ((flags) != 0 ? __ATOMIC_ACQ_REL : __ATOMIC_RELAXED)

#define GASNETTI_ATOMIC_ACCESS(family, value_t, any_t)                         \
  GASNETT_INLINE(family##_read)                                                \
  value_t family##_read(const volatile void *p, int flags) {                   \
    value_t result;                                                            \
    gasnetti_fence_if(flags & GASNETT_ATOMIC_MB_PRE);                          \
    result = __atomic_load_n((const volatile any_t *)p,                        \
                             flags != 0 ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED);\
    gasnetti_after_update(flags);                                              \
    return result;                                                             \
  }                                                                            \
  GASNETT_INLINE(family##_set)                                                 \
  void family##_set(volatile void *p, value_t value, int flags) {              \
    gasnetti_before_update(flags);                                             \
    __atomic_store_n((volatile any_t *)p, value,                               \
                     flags != 0 ? __ATOMIC_RELEASE : __ATOMIC_RELAXED);        \
    gasnetti_fence_if(flags & GASNETT_ATOMIC_MB_POST);                         \
  }                                                                            \
  GASNETT_INLINE(family##_swap)                                                \
  value_t family##_swap(volatile void *p, value_t value, int flags) {          \
    value_t result;                                                            \
    gasnetti_before_update(flags);                                             \
    result = __atomic_exchange_n((volatile any_t *)p, value,                   \
                                 GASNETTI_UPDATE_ORDER(flags));                \
    gasnetti_after_update(flags);                                              \
    return result;                                                             \
  }                                                                            \
  GASNETT_INLINE(family##_compare_and_swap)                                    \
  int family##_compare_and_swap(volatile void *p, value_t expected,            \
                                value_t value, int flags) {                    \
    int result;                                                                \
    gasnetti_before_update(flags);                                             \
    result = __atomic_compare_exchange_n(                                      \
        (volatile any_t *)p, &expected, value, 0,                              \
        GASNETTI_UPDATE_ORDER(flags),                                          \
        flags != 0 ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED);                     \
    gasnetti_after_update(flags);                                              \
    return result;                                                             \
  }

#define GASNETTI_ATOMIC_ARITHMETIC(family, value_t, any_t)                     \
  GASNETT_INLINE(family##_add)                                                 \
  value_t family##_add(volatile void *p, value_t value, int flags) {           \
    value_t result;                                                            \
    gasnetti_before_update(flags);                                             \
    result = __atomic_add_fetch((volatile any_t *)p, value,                    \
                                GASNETTI_UPDATE_ORDER(flags));                 \
    gasnetti_after_update(flags);                                              \
    return result;                                                             \
  }                                                                            \
  GASNETT_INLINE(family##_subtract)                                            \
  value_t family##_subtract(volatile void *p, value_t value, int flags) {      \
    return family##_add(p, 0 - value, flags);                                  \
  }                                                                            \
  GASNETT_INLINE(family##_increment)                                           \
  void family##_increment(volatile void *p, int flags) {                       \
    (void)family##_add(p, 1, flags);                                           \
  }                                                                            \
  GASNETT_INLINE(family##_decrement)                                           \
  void family##_decrement(volatile void *p, int flags) {                       \
    (void)family##_subtract(p, 1, flags);                                      \
  }                                                                            \
  GASNETT_INLINE(family##_decrement_and_test)                                  \
  int family##_decrement_and_test(volatile void *p, int flags) {               \
    return family##_subtract(p, 1, flags) == 0;                                \
  }

#define GASNETTI_ATOMIC_FAMILY(family, value_t, any_t) \
  GASNETTI_ATOMIC_ACCESS(family, value_t, any_t)       \
  GASNETTI_ATOMIC_ARITHMETIC(family, value_t, any_t)

GASNETT_BEGIN_EXTERNC

GASNETTI_ATOMIC_FAMILY(gasnett_atomic, gasnett_atomic_val_t, gasnetti_any32_t)
GASNETTI_ATOMIC_FAMILY(gasnett_atomic32, uint32_t, gasnetti_any32_t)
GASNETTI_ATOMIC_FAMILY(gasnett_atomic64, uint64_t, gasnetti_any64_t)
GASNETTI_ATOMIC_FAMILY(gasnett_strongatomic, gasnett_atomic_val_t,
                       gasnetti_any32_t)
GASNETTI_ATOMIC_FAMILY(gasnett_strongatomic32, uint32_t, gasnetti_any32_t)
GASNETTI_ATOMIC_FAMILY(gasnett_strongatomic64, uint64_t, gasnetti_any64_t)

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_ATOMIC_H_ */
