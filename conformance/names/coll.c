// The names of gasnet_coll.h that programs start with, through gasnet.h alone.
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
  gasnet_coll_init(NULL, 0, functions, 1, 0);
  team = GASNET_TEAM_ALL;
  if (gasnet_mynode() == 0) word = 25;
  gasnet_coll_broadcast(
      team, &word, root, &word, sizeof(word),
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
  CHECK_EQ(word, 25);
  return FinishJob();
}
