// A client that sends no active messages passes no table, and still has the
// extended API and barriers (section 2.1.0.2).
#include "conformance/harness.h"

namespace conformance {
namespace {

void UseExtendedApi() {
  gasnet_register_value_t words[2] = {};
#ifdef GASNET_SEGMENT_EVERYTHING
  // Without messages no node can learn where a peer's heap is. So this node
  // accesses its own heap.
  const gasnet_node_t peer = gasnet_mynode();
  void* const address = &words[1];
#else
  gasnet_seginfo_t first;
  CHECK_OK(gasnet_getSegmentInfo(&first, 1));
  const gasnet_node_t peer = 0;
  void* const address =
      static_cast<gasnet_register_value_t*>(first.addr) + gasnet_mynode();
#endif
  gasnet_put_val(peer, address, gasnet_mynode() + 7, sizeof(words[0]));
  gasnet_get(&words[0], peer, address, sizeof(words[0]));
  CHECK_EQ(words[0], gasnet_mynode() + 7);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(nullptr, 0, GASNET_PAGESIZE, 0));
  conformance::UseExtendedApi();
  return conformance::FinishJob();
}
