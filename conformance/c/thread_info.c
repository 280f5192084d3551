// Tests the macros that tell GASNet which thread is calling. They spare the
// library a search for the thread. The macros are legal at the top of any
// function or block, before its declarations, and do not affect the results of
// calls (section 3.6.1). This test is in plain C.
#include "conformance/harness.h"

enum { kThreads = 3 };

// Returns the address of a word in the memory of the next node. Each thread of
// this node has its own word there.
static int64_t* Word(int thread) {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  return (int64_t*)SharedMemory(next) + thread;
}

static gasnet_node_t Next(void) {
  return (gasnet_mynode() + 1) % gasnet_nodes();
}

static void PutWithBegin(int thread, int64_t value) {
  GASNET_BEGIN_FUNCTION();
  const gasnet_node_t next = Next();
  int64_t copy = value;
  gasnet_put(next, Word(thread), &copy, sizeof(copy));
  {
    // An enclosing block has already posted the information.
    GASNET_BEGIN_FUNCTION();
    int64_t check = 0;
    gasnet_get(&check, next, Word(thread), sizeof(check));
    CHECK_EQ(check, value);
  }
}

// Gets a word, using the caller's thread information. A function may pass its
// information to another function that runs on its thread.
static int64_t GetWithPost(gasnet_threadinfo_t info, int thread) {
  GASNET_POST_THREADINFO(info);
  int64_t value = 0;
  gasnet_get_nbi(&value, Next(), Word(thread), sizeof(value));
  gasnet_wait_syncnbi_gets();
  const gasnet_handle_t handle =
      gasnet_get_nb(&value, Next(), Word(thread), sizeof(value));
  gasnet_wait_syncnb(handle);
  return value;
}

static void Exercise(int thread, void* context) {
  (void)context;
  const gasnet_threadinfo_t info = GASNET_GET_THREADINFO();
  for (int round = 0; round < 20; ++round) {
    PutWithBegin(thread, round * kThreads + thread);
    CHECK_EQ(GetWithPost(info, thread), round * kThreads + thread);
    CHECK_EQ(GetWithPost(GASNET_GET_THREADINFO(), thread),
             round * kThreads + thread);
  }
}

int main(int argc, char** argv) {
  StartJob(&argc, &argv, NULL, 0, GASNET_PAGESIZE);
  RunInThreads(kThreads, Exercise, NULL);
  return FinishJob();
}
