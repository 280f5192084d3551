// Source and destination may be exactly the same memory of the calling node.
// The data stay unchanged (sections 1.9 and 3.1).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 20000;

void CopyOntoItself(char* data, size_t bytes) {
  const gasnet_node_t me = gasnet_mynode();
  gasnet_put(me, data, data, bytes);
  gasnet_get(data, me, data, bytes);
  gasnet_put_bulk(me, data, data, bytes);
  gasnet_get_bulk(data, me, data, bytes);
  gasnet_wait_syncnb(gasnet_put_nb(me, data, data, bytes));
  gasnet_wait_syncnb(gasnet_get_nb(data, me, data, bytes));
  gasnet_wait_syncnb(gasnet_put_nb_bulk(me, data, data, bytes));
  gasnet_wait_syncnb(gasnet_get_nb_bulk(data, me, data, bytes));
  gasnet_put_nbi(me, data, data, bytes);
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi(data, me, data, bytes);
  gasnet_wait_syncnbi_gets();
  gasnet_put_nbi_bulk(me, data, data, bytes);
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi_bulk(data, me, data, bytes);
  gasnet_wait_syncnbi_gets();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kLargest;
  conformance::StartJob(&argc, &argv, nullptr, 0, kLargest);
  char* const data = conformance::SharedMemory(gasnet_mynode());
  for (size_t n = 1; n <= kLargest; n = conformance::NextSize(n, kLargest)) {
    conformance::FillPattern(data, n, 3);
    conformance::CopyOntoItself(data, n);
    CHECK_PATTERN(data, n, 3);
  }
  return conformance::FinishJob();
}
