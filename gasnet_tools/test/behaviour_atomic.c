#include <gasnet_tools.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

#if !GASNETT_HAVE_ATOMIC_CAS || !GASNETT_HAVE_ATOMIC_ADD_SUB || \
    !GASNETT_HAVE_STRONGATOMIC_CAS || !GASNETT_HAVE_STRONGATOMIC_ADD_SUB
#error "every operation exists"
#endif

static const int flag_sets[] = {
    0,
    GASNETT_ATOMIC_ACQ,
    GASNETT_ATOMIC_REL,
    GASNETT_ATOMIC_ACQ | GASNETT_ATOMIC_REL,
    GASNETT_ATOMIC_RMB_PRE,
    GASNETT_ATOMIC_WMB_POST,
    GASNETT_ATOMIC_MB_PRE,
    GASNETT_ATOMIC_MB_POST,
    GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST,
};
enum { kFlagSets = sizeof flag_sets / sizeof flag_sets[0] };

/* Defines one test function for each family. The function uses all operations
   of the family. */
#define CHECK_FAMILY(family, value_t)                         \
  static void check_##family(int fl) {                        \
    static family##_t word = family##_init(5);                \
    const value_t top = ~(value_t)0;                          \
    family##_set(&word, 5, fl);                               \
    CHECK(family##_read(&word, fl) == 5);                     \
    family##_increment(&word, fl);                            \
    CHECK(family##_read(&word, fl) == 6);                     \
    family##_decrement(&word, fl);                            \
    CHECK(family##_swap(&word, 1, fl) == 5);                  \
    CHECK(family##_decrement_and_test(&word, fl) != 0);       \
    CHECK(family##_decrement_and_test(&word, fl) == 0);       \
    CHECK(family##_read(&word, fl) == top);                   \
    CHECK(family##_add(&word, 11, fl) == 10);                 \
    CHECK(family##_subtract(&word, 3, fl) == 7);              \
    CHECK(family##_subtract(&word, 8, fl) == top);            \
    CHECK(family##_compare_and_swap(&word, 7, 1, fl) == 0);   \
    CHECK(family##_read(&word, fl) == top);                   \
    CHECK(family##_compare_and_swap(&word, top, 1, fl) != 0); \
    CHECK(family##_read(&word, fl) == 1);                     \
  }

CHECK_FAMILY(gasnett_atomic, gasnett_atomic_val_t)
CHECK_FAMILY(gasnett_atomic32, uint32_t)
CHECK_FAMILY(gasnett_atomic64, uint64_t)
CHECK_FAMILY(gasnett_strongatomic, gasnett_atomic_val_t)
CHECK_FAMILY(gasnett_strongatomic32, uint32_t)
CHECK_FAMILY(gasnett_strongatomic64, uint64_t)

static void check_initialisers(void) {
  static gasnett_atomic_t a = gasnett_atomic_init(1);
  static gasnett_atomic32_t a32 = gasnett_atomic32_init(2);
  static gasnett_atomic64_t a64 = gasnett_atomic64_init(3);
  static gasnett_strongatomic_t s = gasnett_strongatomic_init(4);
  static gasnett_strongatomic32_t s32 = gasnett_strongatomic32_init(5);
  static gasnett_strongatomic64_t s64 = gasnett_strongatomic64_init(-1);
  CHECK(gasnett_atomic_read(&a, 0) == 1);
  CHECK(gasnett_atomic32_read(&a32, 0) == 2);
  CHECK(gasnett_atomic64_read(&a64, 0) == 3);
  CHECK(gasnett_strongatomic_read(&s, 0) == 4);
  CHECK(gasnett_strongatomic32_read(&s32, 0) == 5);
  CHECK(gasnett_strongatomic64_read(&s64, 0) == UINT64_MAX);
}

static void check_types(void) {
  const gasnett_atomic_sval_t least = GASNETT_ATOMIC_SIGNED_MIN;
  CHECK(sizeof(gasnett_atomic32_t) == 4 && sizeof(gasnett_atomic64_t) == 8);
  CHECK(sizeof(gasnett_strongatomic32_t) == 4);
  CHECK(sizeof(gasnett_strongatomic64_t) == 8);
  CHECK(GASNETT_ATOMIC_MAX == 0xFFFFFFFFu);
  CHECK(gasnett_atomic_signed(GASNETT_ATOMIC_MAX) == -1);
  CHECK(GASNETT_ATOMIC_SIGNED_MAX == 0x7FFFFFFF && least < 0);
  CHECK(gasnett_atomic_signed(0x80000000u) == least);
}

/* Tests operations on scalars of other types with the right size. */
static void check_other_scalars(void) {
  double real = 0.5;
  float small = 0;
  const double expected = 0.25;
  uint64_t bits;
  memcpy(&bits, &expected, sizeof bits);
  gasnett_atomic64_set((gasnett_atomic64_t *)&real, bits, 0);
  CHECK(real == 0.25);
  gasnett_atomic32_set(&small, 0x3F800000u, GASNETT_ATOMIC_REL);
  CHECK(small == 1.0f);
  CHECK(gasnett_strongatomic64_swap(&real, 0, 0) == bits && real == 0);
}

static void check_barriers(void) {
  int plain = 1;
  gasnett_local_wmb();
  plain = 2;
  gasnett_local_rmb();
  gasnett_local_mb();
  gasnett_weak_wmb();
  gasnett_weak_rmb();
  gasnett_weak_mb();
  gasnett_compiler_fence();
  gasnett_spinloop_hint();
  CHECK(plain == 2);
}

static void check_later_names(void) {
  const gasnett_strongatomic_val_t value = GASNETT_ATOMIC_MAX;
  const gasnett_strongatomic_sval_t minus_one =
      gasnett_strongatomic_signed(value);
  CHECK(minus_one == -1 && GASNETT_ATOMIC_NONE == 0);
  CHECK(GASNETT_ATOMIC_REL & GASNETT_ATOMIC_WMB_PRE);
  CHECK(GASNETT_ATOMIC_RMB_POST_IF_TRUE & GASNETT_ATOMIC_RMB_POST);
  CHECK(GASNETT_ATOMIC_RMB_POST_IF_FALSE & GASNETT_ATOMIC_RMB_POST);
  CHECK(GASNETT_ATOMIC_ACQ_IF_TRUE & GASNETT_ATOMIC_ACQ);
  CHECK(GASNETT_ATOMIC_ACQ_IF_FALSE & GASNETT_ATOMIC_ACQ);
}

void check_atomics(void) {
  int i;
  check_later_names();
  for (i = 0; i < kFlagSets; ++i) {
    check_gasnett_atomic(flag_sets[i]);
    check_gasnett_atomic32(flag_sets[i]);
    check_gasnett_atomic64(flag_sets[i]);
    check_gasnett_strongatomic(flag_sets[i]);
    check_gasnett_strongatomic32(flag_sets[i]);
    check_gasnett_strongatomic64(flag_sets[i]);
  }
  check_initialisers();
  check_types();
  check_other_scalars();
  check_barriers();
}
