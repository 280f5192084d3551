// Calls every function of the specification at least once, in plain C, in the
// order of its chapters. The other tests check each of them in detail.
#include <stdatomic.h>
#include <string.h>

#include "conformance/harness.h"

enum { kShort = 128, kMedium, kLong, kReply, kPayload };

static atomic_int replies;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static int guarded;  // guarded by lock

static gasnet_node_t peer;
static int64_t* there;  // this node's words in the memory of the peer
static int64_t here[8];

static void OnShort(gasnet_token_t token, gasnet_handlerarg_t value) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  gasnet_hsl_lock(&lock);
  guarded += value;
  gasnet_hsl_unlock(&lock);
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, value));
}

static void OnMedium(gasnet_token_t token, void* buffer, size_t bytes) {
  CHECK_OK(gasnet_AMReplyMedium0(token, kPayload, buffer, bytes));
}

static void OnLong(gasnet_token_t token, void* buffer, size_t bytes) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_OK(gasnet_AMReplyLong0(token, kPayload, buffer, bytes,
                               SharedMemory(source) + 512));
}

static void OnReply(gasnet_token_t token, gasnet_handlerarg_t value) {
  (void)token;
  CHECK_EQ(value, 6);
  ++replies;
}

static void OnPayload(gasnet_token_t token, void* buffer, size_t bytes) {
  (void)token;
  CHECK_EQ(bytes, sizeof(here));
  CHECK_EQ(memcmp(buffer, here, bytes), 0);
  ++replies;
}

static gasnet_handlerentry_t handlers[] = {
    HANDLER(kShort, OnShort), HANDLER(kMedium, OnMedium),
    HANDLER(kLong, OnLong), HANDLER(kReply, OnReply),
    HANDLER(kPayload, OnPayload)};

// Calls the functions of chapter 1 and sections 2.1 and 2.2.
static void QueryJob(void) {
  CHECK(gasnet_ErrorName(GASNET_OK) && gasnet_ErrorDesc(GASNET_OK));
  CHECK(gasnet_mynode() < gasnet_nodes());
  gasnet_seginfo_t info;
  CHECK_OK(gasnet_getSegmentInfo(&info, 1));
  CHECK(gasnet_getenv("CONFORMANCE_NO_SUCH_VARIABLE") == NULL);
  CHECK(gasnet_conduit_name()[0] != '\0');
}

// Calls the functions of section 2.3.
static void SendMessages(void) {
  CHECK(gasnet_AMMaxArgs() >= 8 && gasnet_AMMaxMedium() >= sizeof(here));
  CHECK(gasnet_AMMaxLongRequest() >= sizeof(here));
  CHECK(gasnet_AMMaxLongReply() >= sizeof(here));
  CHECK_OK(gasnet_AMRequestShort1(peer, kShort, 6));
  CHECK_OK(gasnet_AMRequestMedium0(peer, kMedium, here, sizeof(here)));
  CHECK_OK(gasnet_AMRequestLong0(peer, kLong, here, sizeof(here), there));
  CHECK_OK(gasnet_AMRequestLongAsync0(peer, kLong, here, sizeof(here), there));
  CHECK_OK(gasnet_AMPoll());
  GASNET_BLOCKUNTIL(replies == 4);
}

// Calls the functions of section 2.4.
static void ControlAtomicity(void) {
  gasnet_hold_interrupts();
  const gasnet_node_t me = gasnet_mynode();
  gasnet_resume_interrupts();
  CHECK(me < gasnet_nodes());

  gasnet_hsl_t other;
  gasnet_hsl_init(&other);
  CHECK_OK(gasnet_hsl_trylock(&other));
  gasnet_hsl_lock(&lock);
  gasnet_hsl_unlock(&lock);
  gasnet_hsl_unlock(&other);
  gasnet_hsl_destroy(&other);
}

// Calls the functions of section 3.2.
static void TransferBlocking(void) {
  gasnet_put(peer, there, here, sizeof(here));
  gasnet_get(here, peer, there, sizeof(here));
  gasnet_put_bulk(peer, there, here, sizeof(here));
  gasnet_get_bulk(here, peer, there, sizeof(here));
  gasnet_memset(peer, there, 0, sizeof(here));
}

// Calls the functions of sections 3.3.2 and 3.3.3.
static void TransferExplicit(void) {
  gasnet_wait_syncnb(gasnet_put_nb(peer, there, here, sizeof(here)));
  const gasnet_handle_t get = gasnet_get_nb(here, peer, there, sizeof(here));
  while (gasnet_try_syncnb(get) == GASNET_ERR_NOT_READY) continue;

  gasnet_handle_t pair[2];
  pair[0] = gasnet_put_nb_bulk(peer, there, &here[0], sizeof(here[0]));
  pair[1] = gasnet_get_nb_bulk(&here[1], peer, there + 1, sizeof(here[1]));
  gasnet_wait_syncnb_some(pair, 2);
  while (gasnet_try_syncnb_some(pair, 2) != GASNET_OK) continue;
  gasnet_wait_syncnb_all(pair, 2);
  pair[0] = gasnet_memset_nb(peer, there, 0, sizeof(here));
  while (gasnet_try_syncnb_all(pair, 1) != GASNET_OK) continue;
}

// Calls the functions of sections 3.3.4 to 3.3.6.
static void TransferImplicit(void) {
  gasnet_put_nbi(peer, there, &here[0], sizeof(here[0]));
  gasnet_get_nbi(&here[1], peer, there + 1, sizeof(here[1]));
  gasnet_wait_syncnbi_puts();
  gasnet_wait_syncnbi_gets();
  gasnet_put_nbi_bulk(peer, there, &here[0], sizeof(here[0]));
  gasnet_get_nbi_bulk(&here[1], peer, there + 1, sizeof(here[1]));
  while (gasnet_try_syncnbi_puts() != GASNET_OK) continue;
  while (gasnet_try_syncnbi_gets() != GASNET_OK) continue;
  gasnet_begin_nbi_accessregion();
  gasnet_memset_nbi(peer, there, 0, sizeof(here));
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  gasnet_wait_syncnbi_all();
  while (gasnet_try_syncnbi_all() != GASNET_OK) continue;
}

// Calls the functions of section 3.4.
static void TransferValues(void) {
  gasnet_put_val(peer, there, 1, sizeof(*there));
  gasnet_wait_syncnb(gasnet_put_nb_val(peer, there + 1, 2, sizeof(*there)));
  gasnet_put_nbi_val(peer, there + 2, 3, sizeof(*there));
  gasnet_wait_syncnbi_puts();
  CHECK_EQ(gasnet_get_val(peer, there, sizeof(*there)), 1);
  const gasnet_valget_handle_t handle =
      gasnet_get_nb_val(peer, there + 2, sizeof(*there));
  CHECK_EQ(gasnet_wait_syncnb_valget(handle), 3);
}

// Calls the functions of sections 3.5 and 3.6.
static void SynchronizeThreads(void) {
  GASNET_BEGIN_FUNCTION();
  gasnet_barrier_notify(1, 0);
  CHECK_OK(gasnet_barrier_wait(1, 0));
  gasnet_barrier_notify(2, 0);
  int result;
  do result = gasnet_barrier_try(2, 0);
  while (result == GASNET_ERR_NOT_READY);
  CHECK_OK(result);
  {
    GASNET_POST_THREADINFO(GASNET_GET_THREADINFO());
    CHECK_OK(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK));
  }
}

int main(int argc, char** argv) {
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK(gasnet_getMaxGlobalSegmentSize() <= gasnet_getMaxLocalSegmentSize());
  AttachJob(handlers, COUNT_OF(handlers), GASNET_PAGESIZE);
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  there = (int64_t*)SharedMemory(peer);
  QueryJob();
  SendMessages();
  ControlAtomicity();
  TransferBlocking();
  TransferExplicit();
  TransferImplicit();
  TransferValues();
  SynchronizeThreads();
  return FinishJob();
}
