// Tests that gasnet.h alone provides the names of gasnet_coll.h. Uses the names
// that programs need first, and checks that all other names exist.
#include <string.h>

#include "conformance/harness.h"

#ifdef __cplusplus
using namespace conformance;  // NOLINT(build/namespaces)
#endif

static void Add(void* results, size_t result_count, const void* left,
                size_t left_count, const void* right, size_t elem_size,
                int flags, int arg) {
  (void)left_count;
  (void)elem_size;
  (void)flags;
  (void)arg;
  for (size_t i = 0; i < result_count; ++i) {
    ((int*)results)[i] = ((const int*)left)[i] + ((const int*)right)[i];
  }
}

static void CheckFlags(void) {
  CHECK_EQ(GASNET_COLL_IN_NOSYNC, 1 << 0);
  CHECK_EQ(GASNET_COLL_IN_MYSYNC, 1 << 1);
  CHECK_EQ(GASNET_COLL_IN_ALLSYNC, 1 << 2);
  CHECK_EQ(GASNET_COLL_OUT_NOSYNC, 1 << 3);
  CHECK_EQ(GASNET_COLL_OUT_MYSYNC, 1 << 4);
  CHECK_EQ(GASNET_COLL_OUT_ALLSYNC, 1 << 5);
  CHECK_EQ(GASNET_COLL_SINGLE, 1 << 6);
  CHECK_EQ(GASNET_COLL_LOCAL, 1 << 7);
  CHECK_EQ(GASNET_COLL_DST_IN_SEGMENT, 1 << 10);
  CHECK_EQ(GASNET_COLL_SRC_IN_SEGMENT, 1 << 11);
}

static void CheckSynonyms(void) {
  const gasnet_all_handle_t none = GASNET_ALL_INVALID_HANDLE;
  const gasnet_coll_fn_handle_t first = 0;
  CHECK(none == GASNET_COLL_INVALID_HANDLE);
  CHECK_EQ(first, 0);
  CHECK_EQ(GASNET_ALL_IN_NOSYNC, GASNET_COLL_IN_NOSYNC);
  CHECK_EQ(GASNET_ALL_IN_MYSYNC, GASNET_COLL_IN_MYSYNC);
  CHECK_EQ(GASNET_ALL_IN_ALLSYNC, GASNET_COLL_IN_ALLSYNC);
  CHECK_EQ(GASNET_ALL_OUT_NOSYNC, GASNET_COLL_OUT_NOSYNC);
  CHECK_EQ(GASNET_ALL_OUT_MYSYNC, GASNET_COLL_OUT_MYSYNC);
  CHECK_EQ(GASNET_ALL_OUT_ALLSYNC, GASNET_COLL_OUT_ALLSYNC);
  CHECK_EQ(GASNET_ALL_SINGLE, GASNET_COLL_SINGLE);
  CHECK_EQ(GASNET_ALL_LOCAL, GASNET_COLL_LOCAL);
  CHECK_EQ(GASNET_ALL_DST_IN_SEGMENT, GASNET_COLL_DST_IN_SEGMENT);
  CHECK_EQ(GASNET_ALL_SRC_IN_SEGMENT, GASNET_COLL_SRC_IN_SEGMENT);
  CHECK_EQ(GASNET_ALL_EXCLUSIVE & (GASNET_ALL_SRC_IN_SEGMENT - 1), 0);
}

typedef void (*Function)(void);
static const Function kFunctions[] = {
    (Function)gasnet_all_broadcast,
    (Function)gasnet_all_broadcast_nb,
    (Function)gasnet_all_broadcasti,
    (Function)gasnet_all_broadcasti_nb,
    (Function)gasnet_all_exchange,
    (Function)gasnet_all_exchange_nb,
    (Function)gasnet_all_exchangei,
    (Function)gasnet_all_exchangei_nb,
    (Function)gasnet_all_exchangev,
    (Function)gasnet_all_exchangev_nb,
    (Function)gasnet_all_gather,
    (Function)gasnet_all_gather_all,
    (Function)gasnet_all_gather_all_nb,
    (Function)gasnet_all_gather_alli,
    (Function)gasnet_all_gather_alli_nb,
    (Function)gasnet_all_gather_allv,
    (Function)gasnet_all_gather_allv_nb,
    (Function)gasnet_all_gather_nb,
    (Function)gasnet_all_gatheri,
    (Function)gasnet_all_gatheri_nb,
    (Function)gasnet_all_gatherv,
    (Function)gasnet_all_gatherv_nb,
    (Function)gasnet_all_get,
    (Function)gasnet_all_get_nb,
    (Function)gasnet_all_geti,
    (Function)gasnet_all_geti_nb,
    (Function)gasnet_all_permute,
    (Function)gasnet_all_permute_nb,
    (Function)gasnet_all_prefix_reduce,
    (Function)gasnet_all_prefix_reduce_nb,
    (Function)gasnet_all_prefix_reducev,
    (Function)gasnet_all_put,
    (Function)gasnet_all_put_nb,
    (Function)gasnet_all_puti,
    (Function)gasnet_all_puti_nb,
    (Function)gasnet_all_reduce,
    (Function)gasnet_all_reduce_all,
    (Function)gasnet_all_reduce_all_nb,
    (Function)gasnet_all_reduce_allv,
    (Function)gasnet_all_reduce_nb,
    (Function)gasnet_all_reducev,
    (Function)gasnet_all_scatter,
    (Function)gasnet_all_scatter_nb,
    (Function)gasnet_all_scatteri,
    (Function)gasnet_all_scatteri_nb,
    (Function)gasnet_all_scatterv,
    (Function)gasnet_all_scatterv_nb,
    (Function)gasnet_all_sort,
    (Function)gasnet_all_try_sync,
    (Function)gasnet_all_try_sync_all,
    (Function)gasnet_all_try_sync_some,
    (Function)gasnet_all_wait_sync,
    (Function)gasnet_all_wait_sync_all,
    (Function)gasnet_all_wait_sync_some,
    (Function)gasnet_coll_barrier,
    (Function)gasnet_coll_barrier_notify,
    (Function)gasnet_coll_barrier_try,
    (Function)gasnet_coll_barrier_wait,
    (Function)gasnet_coll_broadcast,
    (Function)gasnet_coll_broadcastM,
    (Function)gasnet_coll_broadcastM_nb,
    (Function)gasnet_coll_broadcast_nb,
    (Function)gasnet_coll_dumpProfile,
    (Function)gasnet_coll_dumpTuningState,
    (Function)gasnet_coll_exchange,
    (Function)gasnet_coll_exchangeM,
    (Function)gasnet_coll_exchangeM_nb,
    (Function)gasnet_coll_exchange_nb,
    (Function)gasnet_coll_gather,
    (Function)gasnet_coll_gatherM,
    (Function)gasnet_coll_gatherM_nb,
    (Function)gasnet_coll_gather_all,
    (Function)gasnet_coll_gather_allM,
    (Function)gasnet_coll_gather_allM_nb,
    (Function)gasnet_coll_gather_all_nb,
    (Function)gasnet_coll_gather_nb,
    (Function)gasnet_coll_init,
    (Function)gasnet_coll_loadTuningState,
    (Function)gasnet_coll_reduce,
    (Function)gasnet_coll_reduceM,
    (Function)gasnet_coll_reduceM_nb,
    (Function)gasnet_coll_reduce_nb,
    (Function)gasnet_coll_scatter,
    (Function)gasnet_coll_scatterM,
    (Function)gasnet_coll_scatterM_nb,
    (Function)gasnet_coll_scatter_nb,
    (Function)gasnet_coll_team_split,
    (Function)gasnet_coll_try_sync,
    (Function)gasnet_coll_try_sync_all,
    (Function)gasnet_coll_try_sync_some,
    (Function)gasnet_coll_wait_sync,
    (Function)gasnet_coll_wait_sync_all,
    (Function)gasnet_coll_wait_sync_some,
    (Function)gasnete_coll_team_free,
    (Function)gasnete_coll_team_node2rank,
    (Function)gasnete_coll_team_rank2node,
    (Function)gasnete_coll_team_size,
};

// Uses names that are internal to another implementation, because programs use
// them. The nodes with even numbers form a team in reverse order, and so do the
// nodes with odd numbers.
static void UseInternalNames(void) {
  const gasnet_node_t me = gasnet_mynode();
  const gasnete_coll_team_t team =
      gasnete_coll_team_split(gasnete_coll_team_all, me % 2,
                              gasnet_nodes() - me, NULL GASNETE_THREAD_GET);
  const gasnet_node_t size = gasnete_coll_team_size(team);
  const gasnet_node_t last = gasnete_coll_team_rank2node(team, size - 1);
  int words[2];
  words[0] = words[1] = (int)me;
  CHECK_EQ(gasnete_coll_team_size(gasnete_coll_team_all), gasnet_nodes());
  CHECK_EQ(size, (gasnet_nodes() + 1 - me % 2) / 2);
  CHECK_EQ(last, me % 2);
  CHECK_EQ(gasnete_coll_team_node2rank(team, last), size - 1);
  CHECK_EQ(
      gasnete_coll_team_rank2node(team, gasnete_coll_team_node2rank(team, me)),
      me);
  CHECK_EQ(gasnete_coll_team_node2rank(team, gasnet_nodes()),
           (gasnet_node_t)-1);
  gasnet_coll_broadcast(
      team, &words[1], size - 1, &words[0], sizeof(words[0]),
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
  CHECK_EQ(words[1], (int)last);
  gasnete_coll_team_free(team);
}

int main(int argc, char** argv) {
  gasnet_coll_fn_entry_t functions[1];
  const gasnet_coll_reduce_fn_t add = Add;
  const gasnet_image_t root = 0;
  gasnet_team_handle_t team;
  int word = 0;
  functions[0].fnptr = add;
  functions[0].flags = 0;
  StartJob(&argc, &argv, NULL, 0, 0);
  CheckFlags();
  CheckSynonyms();
  CHECK(kFunctions[COUNT_OF(kFunctions) - 1] != NULL);
  gasnet_coll_init(NULL, 0, functions, 1, 0);
  team = GASNET_TEAM_ALL;
  if (gasnet_mynode() == 0) word = 25;
  gasnet_coll_broadcast(
      team, &word, root, &word, sizeof(word),
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
  CHECK_EQ(word, 25);
  UseInternalNames();
  return FinishJob();
}
