/* Tests that a compiler does not conclude from a transfer of zero bytes that
 * the transfer's pointers are not null. The file is valid C and C++, and
 * inlined_calls_test.sh links it with the smp library for GASNET_PAR.
 */
#include <gasnet.h>
#include <stdio.h>

static unsigned char *segment;

/* Set by a function below that finds its pointer null. */
static volatile int is_null;

/* Defines two functions that use `pointer` in a transfer of nbytes bytes, and
 * then test if `pointer` is null. In the second function nbytes is the constant
 * 0. */
#define LOOKS_AFTER(name, statement)             \
  static void __attribute__((noinline))          \
  after_##name(void *pointer, size_t nbytes) {   \
    statement;                                   \
    if (pointer == NULL) is_null = 1;            \
  }                                              \
  static void __attribute__((noinline))          \
  after_no_##name(void *pointer, size_t given) { \
    const size_t nbytes = 0;                     \
    (void)given;                                 \
    statement;                                   \
    if (pointer == NULL) is_null = 1;            \
  }

LOOKS_AFTER(put, gasnet_put(0, segment, pointer, nbytes))
LOOKS_AFTER(put_there, gasnet_put(0, pointer, segment, nbytes))
LOOKS_AFTER(put_bulk, gasnet_put_bulk(0, segment, pointer, nbytes))
LOOKS_AFTER(put_nb,
            gasnet_wait_syncnb(gasnet_put_nb(0, segment, pointer, nbytes)))
LOOKS_AFTER(put_nb_bulk,
            gasnet_wait_syncnb(gasnet_put_nb_bulk(0, segment, pointer, nbytes)))
LOOKS_AFTER(put_nbi, gasnet_put_nbi(0, segment, pointer, nbytes))
LOOKS_AFTER(put_nbi_bulk, gasnet_put_nbi_bulk(0, segment, pointer, nbytes))
LOOKS_AFTER(get, gasnet_get(pointer, 0, segment, nbytes))
LOOKS_AFTER(get_from, gasnet_get(segment, 0, pointer, nbytes))
LOOKS_AFTER(get_bulk, gasnet_get_bulk(pointer, 0, segment, nbytes))
LOOKS_AFTER(get_nb,
            gasnet_wait_syncnb(gasnet_get_nb(pointer, 0, segment, nbytes)))
LOOKS_AFTER(get_nb_bulk,
            gasnet_wait_syncnb(gasnet_get_nb_bulk(pointer, 0, segment, nbytes)))
LOOKS_AFTER(get_nbi, gasnet_get_nbi(pointer, 0, segment, nbytes))
LOOKS_AFTER(get_nbi_bulk, gasnet_get_nbi_bulk(pointer, 0, segment, nbytes))
LOOKS_AFTER(memset, gasnet_memset(0, pointer, 1, nbytes))
LOOKS_AFTER(memset_nb,
            gasnet_wait_syncnb(gasnet_memset_nb(0, pointer, 1, nbytes)))
LOOKS_AFTER(memset_nbi, gasnet_memset_nbi(0, pointer, 1, nbytes))

typedef struct {
  const char *name;
  void (*functions[2])(void *pointer, size_t nbytes);
} case_t;

#define CASE(name)                           \
  {                                          \
#name, { after_##name, after_no_##name } \
  }
static const case_t kCases[] = {
    CASE(put),          CASE(put_there),    CASE(put_bulk),
    CASE(put_nb),       CASE(put_nb_bulk),  CASE(put_nbi),
    CASE(put_nbi_bulk), CASE(get),          CASE(get_from),
    CASE(get_bulk),     CASE(get_nb),       CASE(get_nb_bulk),
    CASE(get_nbi),      CASE(get_nbi_bulk), CASE(memset),
    CASE(memset_nb),    CASE(memset_nbi),
};

static int passes(const case_t *called) {
  int i;
  for (i = 0; i < 2; ++i) {
    is_null = 0;
    called->functions[i](NULL, 0);
    if (is_null) continue;
    fprintf(stderr, "FAILED: after gasnet_%s of nothing, null is not null\n",
            called->name);
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  gasnet_seginfo_t info;
  int failed = 0;
  size_t i;
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK ||
      gasnet_getSegmentInfo(&info, 1) != GASNET_OK)
    return 2;
  segment = GASNETI_CAST(unsigned char *, info.addr);
  for (i = 0; i < sizeof(kCases) / sizeof(*kCases); ++i)
    failed |= !passes(&kCases[i]);
  gasnet_wait_syncnbi_all();
  if (!failed) puts("PASSED");
  gasnet_exit(failed);
  return 0;
}
