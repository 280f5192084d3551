// Each macro evaluates each of its arguments exactly once (section 1.3). This
// test is in plain C, where calls are most likely to be macros.
#include <stdatomic.h>

#include "conformance/harness.h"

enum { kShort = 128, kPayload, kDone };

static int evaluations;
static atomic_int done;

static void Count(int* count) { ++*count; }

// Counts one evaluation of an argument.
#define ARG(value) (Count(&evaluations), (value))

// Checks that the statement evaluates `count` arguments, each once.
#define EVALUATES(count, statement) \
  do {                              \
    evaluations = 0;                \
    statement;                      \
    CHECK_EQ(evaluations, count);   \
  } while (0)

static void OnShort(gasnet_token_t token, gasnet_handlerarg_t value) {
  int count = 0;
  CHECK_OK(gasnet_AMReplyShort1((Count(&count), token), (Count(&count), kDone),
                                (Count(&count), value)));
  CHECK_EQ(count, 3);
}

static void OnPayload(gasnet_token_t token, void* buffer, size_t bytes) {
  (void)buffer;
  gasnet_node_t source;
  int count = 0;
  CHECK_OK(
      gasnet_AMGetMsgSource((Count(&count), token), (Count(&count), &source)));
  CHECK_EQ(count, 2);
  CHECK_EQ(bytes, 8);
  ++done;
}

static void OnDone(gasnet_token_t token, gasnet_handlerarg_t value) {
  (void)token;
  CHECK_EQ(value, 5);
  ++done;
}

static gasnet_handlerentry_t handlers[] = {HANDLER(kShort, OnShort),
                                           HANDLER(kPayload, OnPayload),
                                           HANDLER(kDone, OnDone)};

static gasnet_node_t peer;
static char* there;
static int64_t here;

static void SendMessages(void) {
  EVALUATES(3,
            CHECK_OK(gasnet_AMRequestShort1(ARG(peer), ARG(kShort), ARG(5))));
  EVALUATES(4, CHECK_OK(gasnet_AMRequestMedium0(ARG(peer), ARG(kPayload),
                                                ARG(&here), ARG(8))));
  EVALUATES(5, CHECK_OK(gasnet_AMRequestLong0(ARG(peer), ARG(kPayload),
                                              ARG(&here), ARG(8), ARG(there))));
  GASNET_BLOCKUNTIL(done == 3);
}

static void TransferBlocking(void) {
  EVALUATES(4, gasnet_put(ARG(peer), ARG(there), ARG(&here), ARG(8)));
  EVALUATES(4, gasnet_get(ARG(&here), ARG(peer), ARG(there), ARG(8)));
  EVALUATES(4, gasnet_put_bulk(ARG(peer), ARG(there), ARG(&here), ARG(8)));
  EVALUATES(4, gasnet_get_bulk(ARG(&here), ARG(peer), ARG(there), ARG(8)));
  EVALUATES(4, gasnet_memset(ARG(peer), ARG(there), ARG(1), ARG(8)));
  EVALUATES(4, gasnet_put_val(ARG(peer), ARG(there), ARG(1), ARG(8)));
  EVALUATES(3, gasnet_get_val(ARG(peer), ARG(there), ARG(8)));
}

static void TransferExplicit(void) {
  gasnet_handle_t h[2];
  EVALUATES(4, h[0] = gasnet_put_nb(ARG(peer), ARG(there), ARG(&here), ARG(8)));
  EVALUATES(1, gasnet_wait_syncnb(ARG(h[0])));
  EVALUATES(4, h[0] = gasnet_get_nb(ARG(&here), ARG(peer), ARG(there), ARG(8)));
  EVALUATES(4,
            h[1] = gasnet_memset_nb(ARG(peer), ARG(there + 8), ARG(1), ARG(8)));
  EVALUATES(2, gasnet_wait_syncnb_some(ARG(h), ARG(2)));
  EVALUATES(2, gasnet_wait_syncnb_all(ARG(h), ARG(2)));
  EVALUATES(2, CHECK_OK(gasnet_try_syncnb_some(ARG(h), ARG(2))));
  EVALUATES(2, CHECK_OK(gasnet_try_syncnb_all(ARG(h), ARG(2))));
  EVALUATES(1, CHECK_OK(gasnet_try_syncnb(ARG(GASNET_INVALID_HANDLE))));
  gasnet_valget_handle_t value;
  EVALUATES(3, value = gasnet_get_nb_val(ARG(peer), ARG(there), ARG(8)));
  EVALUATES(1, gasnet_wait_syncnb_valget(ARG(value)));
}

static void TransferImplicit(void) {
  EVALUATES(4, gasnet_put_nbi(ARG(peer), ARG(there), ARG(&here), ARG(8)));
  EVALUATES(4, gasnet_memset_nbi(ARG(peer), ARG(there + 8), ARG(1), ARG(8)));
  EVALUATES(4, gasnet_put_nbi_val(ARG(peer), ARG(there + 16), ARG(1), ARG(8)));
  gasnet_wait_syncnbi_puts();
  EVALUATES(4, gasnet_get_nbi(ARG(&here), ARG(peer), ARG(there), ARG(8)));
  gasnet_wait_syncnbi_gets();
}

static void Synchronize(void) {
  static gasnet_hsl_t lock;
  EVALUATES(1, gasnet_hsl_init(ARG(&lock)));
  EVALUATES(1, gasnet_hsl_lock(ARG(&lock)));
  EVALUATES(1, gasnet_hsl_unlock(ARG(&lock)));
  EVALUATES(1, CHECK_OK(gasnet_hsl_trylock(ARG(&lock))));
  gasnet_hsl_unlock(&lock);
  EVALUATES(1, gasnet_hsl_destroy(ARG(&lock)));
  EVALUATES(2, gasnet_barrier_notify(ARG(1), ARG(0)));
  EVALUATES(2, CHECK_OK(gasnet_barrier_wait(ARG(1), ARG(0))));
  EVALUATES(1, CHECK_OK(gasnet_set_waitmode(ARG(GASNET_WAIT_SPINBLOCK))));
}

int main(int argc, char** argv) {
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), GASNET_PAGESIZE);
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  there = SharedMemory(peer);
  SendMessages();
  TransferBlocking();
  TransferExplicit();
  TransferImplicit();
  Synchronize();
  return FinishJob();
}
