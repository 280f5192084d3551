// A program written for version 0.5. In that version, one call starts the job,
// registers handlers from 200 on and makes the segment. The rest of the program
// uses a few functions of every chapter.
#include <gasnet_0_5.h>
#include <string.h>

#include "conformance/harness.h"

#define SEGMENT ((uintptr_t)(16 * GASNET_PAGESIZE))
#ifdef GASNET_SEGMENT_EVERYTHING
#define ASKED_FOR GASNET_SEGSIZE_EVERYTHING
#else
#define ASKED_FOR SEGMENT
#endif

enum { kShort = 200, kMedium = 255 };

static volatile int shorts_back, mediums_back;
static gasnet_handler_t short_reply, medium_reply;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;

static void OnShort(gasnet_token_t token, gasnet_handlerarg_t value) {
  gasnet_AMReplyShort1(token, short_reply, value + 1);
}
static void OnMedium(gasnet_token_t token, void* buffer, size_t bytes) {
  gasnet_AMReplyMedium0(token, medium_reply, buffer, bytes);
}
static void OnShortReply(gasnet_token_t token, gasnet_handlerarg_t value) {
  (void)token;
  CHECK_EQ(value, 6);
  gasnet_hsl_lock(&lock);
  ++shorts_back;
  gasnet_hsl_unlock(&lock);
}
static void OnMediumReply(gasnet_token_t token, void* buffer, size_t bytes) {
  (void)token;
  CHECK_EQ(bytes, 6);
  CHECK_EQ(memcmp(buffer, "hello", 6), 0);
  ++mediums_back;
}

static void Meet(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAGS_ANONYMOUS);
  CHECK_EQ(gasnet_barrier_wait(0, GASNET_BARRIERFLAGS_ANONYMOUS), GASNET_OK);
}

// Returns the address of this test's words in the memory of a node. Under
// GASNET_SEGMENT_EVERYTHING the words are a static variable. This requires that
// addresses are not randomised, so that they are equal in all processes.
static int64_t* WordsOf(gasnet_node_t node) {
#ifdef GASNET_SEGMENT_EVERYTHING
  static int64_t everywhere[64];  // stands for the segment
  (void)node;
  return everywhere;
#else
  gasnet_seginfo_t info[64];
  CHECK_EQ(gasnet_getSegmentInfo(info, 64), GASNET_OK);
  CHECK_EQ(info[node].size, SEGMENT);
  return (int64_t*)info[node].addr;
#endif
}

static void SendMessages(gasnet_node_t peer) {
  gasnet_AMRequestShort1(peer, kShort, 5);
  gasnet_AMRequestMedium0(peer, kMedium, "hello", 6);
  while (mediums_back == 0) gasnet_AMPoll();
  GASNET_BLOCKUNTIL(shorts_back == 1);
}

static void Transfer(gasnet_node_t peer) {
  GASNET_BEGIN_FUNCTION();
  int64_t* const there = WordsOf(peer);
  const int64_t mine = 100 + gasnet_mynode();
  int64_t back = 0;
  gasnet_handle_t handle;
  gasnet_valget_handle_t value;
  gasnet_put(peer, &there[0], (void*)&mine, sizeof(mine));
  gasnet_get(&back, peer, &there[0], sizeof(back));
  CHECK_EQ(back, mine);
  handle = gasnet_put_nb_bulk(peer, &there[1], (void*)&mine, sizeof(mine));
  gasnet_wait_syncnb_all(&handle, 1);
  CHECK(handle == GASNET_INVALID_HANDLE);
  gasnet_begin_nbi_accessregion();
  gasnet_put_nbi_val(peer, &there[2], 7, sizeof(int64_t));
  gasnet_memset_nb(peer, &there[3], 0, 0);
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  value = gasnet_get_nb_val(peer, &there[2], sizeof(int64_t));
  CHECK_EQ(gasnet_wait_syncnb_valget(value), 7);
  gasnet_memset(peer, there, 1, 8);
  CHECK_EQ(gasnet_get_val(peer, there, 8), 0x0101010101010101);
}

static void Mismatch(void) {
  gasnet_barrier_notify(1, GASNET_BARRIERFLAGS_MISMATCH);
  CHECK_EQ(gasnet_barrier_wait(1, GASNET_BARRIERFLAGS_MISMATCH),
           GASNET_ERR_BARRIER_MISMATCH);
  gasnet_barrier_notify(5, 0);
  CHECK_EQ(gasnet_barrier_wait(5, 0), GASNET_OK);
}

int main(int argc, char** argv) {
  gasnet_handlerentry_t table[] = {{0, (void (*)())OnShortReply},
                                   {kMedium, (void (*)())OnMedium},
                                   {kShort, (void (*)())OnShort},
                                   {0, (void (*)())OnMediumReply}};
  // This is the only function that may be called before gasnet_init.
  const uintptr_t native = gasnet_getMaxNativeSegmentSize();
  CHECK_EQ(
      gasnet_init(&argc, &argv, table, 4, GASNET_SEGBASE_ANY, ASKED_FOR, 0),
      GASNET_OK);
  CHECK_EQ(GASNET_VERSION, 1);
  CHECK_EQ(gasnet_getMaxNativeSegmentSize(), native);
  CHECK(native >= SEGMENT);
  CHECK_EQ(table[0].index, 201);
  CHECK_EQ(table[3].index, 202);
  short_reply = table[0].index;
  medium_reply = table[3].index;
  CHECK(gasnet_init(&argc, &argv, NULL, 0, GASNET_SEGBASE_ANY, 0, 0) !=
        GASNET_OK);
  SendMessages((gasnet_mynode() + 1) % gasnet_nodes());
  Meet();
#ifdef GASNET_SEGMENT_EVERYTHING
  Transfer(gasnet_mynode());
#else
  Transfer((gasnet_mynode() + 1) % gasnet_nodes());
#endif
  Mismatch();
  Meet();
  if (gasnet_mynode() == 0) printf("PASSED\n");
  gasnet_exit(0);
  return 0;
}
