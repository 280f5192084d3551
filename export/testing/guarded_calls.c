/* Conditional transfers to a node that may not exist. The program executes some
 * of them and skips others. It exits with 0 if the executed transfers arrived
 * and no other memory was accessed. The file is valid C and C++, and
 * inlined_calls_test.sh links it with the smp library for GASNET_PAR.
 */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 4, kWord = 8 };

/* The arguments of the functions below. The compiler knows none of their
 * values. */
typedef struct {
  gasnet_node_t node;
  unsigned char *remote; /* kWord bytes in the segment of node */
  unsigned char *local;  /* kWord bytes in this process */
  size_t nbytes;
  size_t rounds;
  const unsigned char *flags; /* one a round: nonzero to transfer */
} arguments_t;

typedef void form_t(const arguments_t *arguments);

#define NOT_INLINED __attribute__((noinline))

/* Defines functions that execute `statement` only under a condition. The
 * statement may use node, remote, local and nbytes. The functions are:
 * - name_in_loop: a loop whose condition is a flag of each round
 * - name_in_branch: a branch whose condition is the first flag
 * - name_if_a_node: a loop whose condition depends on node */
#define FORMS(name, statement)                                             \
  static void NOT_INLINED name##_in_loop(const arguments_t *arguments) {   \
    const gasnet_node_t node = arguments->node;                            \
    unsigned char *const remote = arguments->remote;                       \
    unsigned char *const local = arguments->local;                         \
    const size_t nbytes = arguments->nbytes;                               \
    size_t i;                                                              \
    (void)nbytes;                                                          \
    for (i = 0; i < arguments->rounds; ++i)                                \
      if (arguments->flags[i]) statement;                                  \
  }                                                                        \
  static void NOT_INLINED name##_in_branch(const arguments_t *arguments) { \
    const gasnet_node_t node = arguments->node;                            \
    unsigned char *const remote = arguments->remote;                       \
    unsigned char *const local = arguments->local;                         \
    const size_t nbytes = arguments->nbytes;                               \
    (void)nbytes;                                                          \
    if (arguments->flags[0]) statement;                                    \
  }                                                                        \
  static void NOT_INLINED name##_if_a_node(const arguments_t *arguments) { \
    const gasnet_node_t node = arguments->node;                            \
    unsigned char *const remote = arguments->remote;                       \
    unsigned char *const local = arguments->local;                         \
    const size_t nbytes = arguments->nbytes;                               \
    size_t i;                                                              \
    (void)nbytes;                                                          \
    for (i = 0; i < arguments->rounds; ++i)                                \
      if (node < gasnet_nodes()) statement;                                \
  }

static void put_word(unsigned char *to, gasnet_register_value_t value) {
  __builtin_memcpy(to, &value, kWord);
}
static gasnet_register_value_t word_of(const unsigned char *from) {
  gasnet_register_value_t value;
  __builtin_memcpy(&value, from, kWord);
  return value;
}

FORMS(put, gasnet_put(node, remote, local, kWord))
FORMS(put_of_any_size, gasnet_put(node, remote, local, nbytes))
FORMS(put_bulk, gasnet_put_bulk(node, remote, local, nbytes))
FORMS(put_val, gasnet_put_val(node, remote, word_of(local), kWord))
FORMS(memset, gasnet_memset(node, remote, local[0], nbytes))
FORMS(put_nb, gasnet_wait_syncnb(gasnet_put_nb(node, remote, local, kWord)))
FORMS(put_nb_bulk,
      gasnet_wait_syncnb(gasnet_put_nb_bulk(node, remote, local, nbytes)))
FORMS(put_nb_val, gasnet_wait_syncnb(gasnet_put_nb_val(node, remote,
                                                       word_of(local), kWord)))
FORMS(memset_nb,
      gasnet_wait_syncnb(gasnet_memset_nb(node, remote, local[0], kWord)))
FORMS(put_nbi, gasnet_put_nbi(node, remote, local, kWord))
FORMS(put_nbi_bulk, gasnet_put_nbi_bulk(node, remote, local, nbytes))
FORMS(put_nbi_val, gasnet_put_nbi_val(node, remote, word_of(local), kWord))
FORMS(memset_nbi, gasnet_memset_nbi(node, remote, local[0], kWord))

FORMS(get, gasnet_get(local, node, remote, kWord))
FORMS(get_of_any_size, gasnet_get(local, node, remote, nbytes))
FORMS(get_bulk, gasnet_get_bulk(local, node, remote, nbytes))
FORMS(get_val, put_word(local, gasnet_get_val(node, remote, kWord)))
FORMS(get_nb, gasnet_wait_syncnb(gasnet_get_nb(local, node, remote, kWord)))
FORMS(get_nb_bulk,
      gasnet_wait_syncnb(gasnet_get_nb_bulk(local, node, remote, nbytes)))
FORMS(get_nb_val,
      put_word(local, gasnet_wait_syncnb_valget(gasnet_get_nb_val(node, remote,
                                                                  kWord))))
FORMS(get_nbi, gasnet_get_nbi(local, node, remote, kWord))
FORMS(get_nbi_bulk, gasnet_get_nbi_bulk(local, node, remote, nbytes))

typedef struct {
  const char *name;
  int is_get;
  form_t *forms[3];
} kind_t;

#define KIND(name, is_get)                                                \
  {                                                                       \
#name, is_get, { name##_in_loop, name##_in_branch, name##_if_a_node } \
  }
static const kind_t kKinds[] = {
    KIND(put, 0),
    KIND(put_of_any_size, 0),
    KIND(put_bulk, 0),
    KIND(put_val, 0),
    KIND(memset, 0),
    KIND(put_nb, 0),
    KIND(put_nb_bulk, 0),
    KIND(put_nb_val, 0),
    KIND(memset_nb, 0),
    KIND(put_nbi, 0),
    KIND(put_nbi_bulk, 0),
    KIND(put_nbi_val, 0),
    KIND(memset_nbi, 0),
    KIND(get, 1),
    KIND(get_of_any_size, 1),
    KIND(get_bulk, 1),
    KIND(get_val, 1),
    KIND(get_nb, 1),
    KIND(get_nb_bulk, 1),
    KIND(get_nb_val, 1),
    KIND(get_nbi, 1),
    KIND(get_nbi_bulk, 1),
};

/* Values that a node variable may hold if no transfer is executed: no node, a
 * number beyond any job's last node, or garbage. */
static const gasnet_node_t kNoNodes[] = {GASNETI_CAST(gasnet_node_t, -1),
                                         0x80000000u,
                                         0x7fffffffu,
                                         0x12345678u,
                                         GASNET_MAXNODES,
                                         GASNET_MAXNODES + 1u};

static unsigned char *segment;
static gasnet_register_value_t here;

static int arrived(const kind_t *kind) {
  return kind->is_get ? here == 0x5555555555555555u
                      : word_of(segment) == 0x3333333333333333u;
}

/* Calls one form of a kind of transfer. Checks that it executes the transfer if
 * `execute` is true, and skips it otherwise.
 */
static void call(const kind_t *kind, int form, gasnet_node_t node,
                 int execute) {
  static volatile size_t nbytes = kWord, rounds = kRounds;
  unsigned char flags[kRounds] = {0, 0, 0, 0};
  arguments_t arguments;
  flags[0] = flags[kRounds - 1] = GASNETI_CAST(unsigned char, execute);
  here = 0x3333333333333333u;
  put_word(segment, 0x5555555555555555u);
  arguments.node = node;
  arguments.remote = segment;
  arguments.local = GASNETI_BIT_CAST(unsigned char *, &here);
  arguments.nbytes = nbytes;
  arguments.rounds = rounds;
  arguments.flags = flags;
  kind->forms[form](&arguments);
  gasnet_wait_syncnbi_all();
  if (arrived(kind) == execute) return;
  fprintf(stderr, "FAILED: gasnet_%s, form %d, node %u: %s\n", kind->name, form,
          node, execute ? "nothing arrived" : "a transfer was made");
  exit(1);
}

int main(int argc, char **argv) {
  gasnet_seginfo_t info;
  size_t i, j;
  int form;
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK ||
      gasnet_getSegmentInfo(&info, 1) != GASNET_OK)
    return 2;
  segment = GASNETI_CAST(unsigned char *, info.addr);
  for (i = 0; i < sizeof(kKinds) / sizeof(*kKinds); ++i) {
    for (form = 0; form < 3; ++form) {
      call(&kKinds[i], form, 0, 1);
      for (j = 0; j < sizeof(kNoNodes) / sizeof(*kNoNodes); ++j)
        call(&kKinds[i], form, kNoNodes[j], 0);
    }
  }
  puts("PASSED");
  gasnet_exit(0);
  return 0;
}
