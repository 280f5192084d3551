// Calls that are illegal before gasnet_init, or between it and gasnet_attach
// (section 2.1.0.1). In every build the process ends with a message that names
// the call. job/not_init.cc tests calls that return an error.
#include <stdlib.h>
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

// Invalid arguments: a client cannot have valid ones so early.
uint64_t word[2];
volatile size_t size = sizeof(word[0]);
gasnet_node_t node = 0;
const gasnet_token_t token = word;
gasnet_handle_t handle = reinterpret_cast<gasnet_handle_t>(word);
const gasnet_valget_handle_t valget =
    reinterpret_cast<gasnet_valget_handle_t>(word);
enum { kHandler = 128 };

void BlockUntil() {
  volatile bool never = false;
  GASNET_BLOCKUNTIL(never);
}

#define CALL(name, arguments)           \
  {                                     \
#name, [] { (void)name arguments; } \
  }

// Adds a case for a transfer whose size the compiler knows. This takes another
// path in the code.
#define CALL_OF_WORD(name, arguments)              \
  {                                                \
#name "_of_word", [] { (void)name arguments; } \
  }

constexpr Case kCases[] = {
    CALL(gasnet_getMaxLocalSegmentSize, ()),
    CALL(gasnet_getMaxGlobalSegmentSize, ()),
    CALL(gasnet_getenv, ("HOME")),
    CALL(gasnet_conduit_name, ()),
    CALL(gasnet_mynode, ()),
    CALL(gasnet_nodes, ()),
    CALL(gasnet_AMMaxMedium, ()),
    CALL(gasnet_AMMaxLongRequest, ()),
    CALL(gasnet_AMMaxLongReply, ()),
    CALL(gasnet_set_waitmode, (GASNET_WAIT_SPIN)),
    CALL(GASNET_GET_THREADINFO, ()),

    CALL(gasnet_AMRequestShort0, (node, kHandler)),
    CALL(gasnet_AMRequestMedium0, (node, kHandler, word, size)),
    CALL(gasnet_AMRequestLong0, (node, kHandler, word, size, word)),
    CALL(gasnet_AMRequestLongAsync0, (node, kHandler, word, size, word)),
    CALL(gasnet_AMReplyShort0, (token, kHandler)),
    CALL(gasnet_AMReplyMedium0, (token, kHandler, word, size)),
    CALL(gasnet_AMReplyLong0, (token, kHandler, word, size, word)),
    CALL(gasnet_AMRequestShort, (node, kHandler, 0)),
    CALL(gasnet_AMPoll, ()),
    CALL(gasnet_AMGetMsgSource, (token, &node)),
    {"GASNET_BLOCKUNTIL", BlockUntil},

    CALL(gasnet_get, (word, node, word, size)),
    CALL(gasnet_put, (node, word, word, size)),
    CALL(gasnet_get_bulk, (word, node, word, size)),
    CALL(gasnet_put_bulk, (node, word, word, size)),
    CALL(gasnet_memset, (node, word, 0, size)),
    CALL(gasnet_get_nb, (word, node, word, size)),
    CALL(gasnet_put_nb, (node, word, word, size)),
    CALL(gasnet_get_nb_bulk, (word, node, word, size)),
    CALL(gasnet_put_nb_bulk, (node, word, word, size)),
    CALL(gasnet_memset_nb, (node, word, 0, size)),
    CALL(gasnet_get_nbi, (word, node, word, size)),
    CALL(gasnet_put_nbi, (node, word, word, size)),
    CALL(gasnet_get_nbi_bulk, (word, node, word, size)),
    CALL(gasnet_put_nbi_bulk, (node, word, word, size)),
    CALL(gasnet_memset_nbi, (node, word, 0, size)),
    CALL_OF_WORD(gasnet_get, (word, node, word, 8)),
    CALL_OF_WORD(gasnet_put, (node, word, word, 8)),
    CALL_OF_WORD(gasnet_put_nb, (node, word, word, 8)),
    CALL_OF_WORD(gasnet_put_nbi, (node, word, word, 8)),
    CALL(gasnet_put_val, (node, word, 0, size)),
    CALL(gasnet_put_nb_val, (node, word, 0, size)),
    CALL(gasnet_put_nbi_val, (node, word, 0, size)),
    CALL(gasnet_get_val, (node, word, size)),
    CALL(gasnet_get_nb_val, (node, word, size)),
    CALL(gasnet_wait_syncnb_valget, (valget)),

    CALL(gasnet_wait_syncnb, (handle)),
    CALL(gasnet_try_syncnb, (handle)),
    CALL(gasnet_wait_syncnb_all, (&handle, 1)),
    CALL(gasnet_try_syncnb_all, (&handle, 1)),
    CALL(gasnet_wait_syncnb_some, (&handle, 1)),
    CALL(gasnet_try_syncnb_some, (&handle, 1)),
    CALL(gasnet_wait_syncnbi_gets, ()),
    CALL(gasnet_wait_syncnbi_puts, ()),
    CALL(gasnet_wait_syncnbi_all, ()),
    CALL(gasnet_try_syncnbi_gets, ()),
    CALL(gasnet_try_syncnbi_puts, ()),
    CALL(gasnet_try_syncnbi_all, ()),
    CALL(gasnet_begin_nbi_accessregion, ()),
    CALL(gasnet_end_nbi_accessregion, ()),

    CALL(gasnet_barrier_notify, (0, 0)),
    CALL(gasnet_barrier_wait, (0, 0)),
    CALL(gasnet_barrier_try, (0, 0)),
    CALL(gasnet_barrier, (0, 0)),
    CALL(gasnet_barrier_result, (nullptr)),

    CALL(gasnet_coll_init, (nullptr, 0, nullptr, 0, 0)),
    CALL(gasnet_coll_broadcast, (GASNET_TEAM_ALL, word, 0, word, size, 0)),
    CALL(gasnet_coll_exchange_nb, (GASNET_TEAM_ALL, word, word, size, 0)),
    CALL(gasnet_coll_reduceM,
         (GASNET_TEAM_ALL, 0, word, nullptr, 0, 0, 8, 1, 0, 0, 0)),
    CALL(gasnet_coll_team_split, (GASNET_TEAM_ALL, 0, 0, nullptr)),
    CALL(gasnet_coll_barrier, (GASNET_TEAM_ALL, 0, 0)),
    CALL(gasnet_coll_barrier_try, (GASNET_TEAM_ALL, 0, 0)),
    CALL(gasnet_coll_dumpProfile, (nullptr, GASNET_TEAM_ALL)),
    CALL(gasnet_coll_loadTuningState, (nullptr, GASNET_TEAM_ALL)),
    CALL(gasnet_coll_wait_sync, (GASNET_COLL_INVALID_HANDLE)),
    CALL(gasnet_coll_try_sync_some, (nullptr, 0)),
    CALL(gasnet_all_gather_alli, (nullptr, nullptr, nullptr, 0, 8, 0, 0, 0)),
    CALL(gasnet_all_put, (node, word, word, nullptr, 0, size, 0)),
    CALL(gasnet_all_scatterv, (word, 8, 0, word, nullptr, 0)),
    CALL(gasnet_all_reduce_all,
         (word, word, 1, GASNET_ALL_INT8, GASNET_ALL_SUM, 0, 0)),
    CALL(gasnet_all_reduce_allv,
         (word, word, 1, GASNET_ALL_INT8, GASNET_ALL_SUM, 0, 0)),
    CALL(gasnet_all_sort, (word, 1, 8, nullptr, 0)),
    CALL(gasnet_all_try_sync, (GASNET_ALL_INVALID_HANDLE)),
};

}  // namespace
}  // namespace conformance

// Usage: early before_gasnet_init|before_gasnet_attach CALL.
//
// Some parts of the harness are not legal yet, so main() does not use them.
int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  if (argc != 3) return 1;
  if (strcmp(argv[1], "before_gasnet_attach") == 0) InitJob(&argc, &argv);
  for (const Case& early : kCases) {
    if (strcmp(argv[2], early.name) != 0) continue;
    early.run();
    fprintf(stderr, "%s: not detected\n", early.name);
    exit(0);
  }
  return 1;
}
