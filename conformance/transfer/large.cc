// A transfer has no maximum size. Each family of calls moves several MiB in one
// call (section 3.2.0.1).
#include <string.h>

#include <initializer_list>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

// An odd number. It cannot be divided into equal pieces of an even size.
constexpr size_t kBytes = (2 << 20) + 4099;

gasnet_node_t peer;  // the node whose memory only this node uses
char* there;
std::unique_ptr<char[]> source;
std::unique_ptr<char[]> copy;

void Blocking() {
  gasnet_put(peer, there, source.get(), kBytes);
  gasnet_get(copy.get(), peer, there, kBytes);
}

void BlockingBulk() {
  gasnet_put_bulk(peer, there + 1, source.get(), kBytes);
  gasnet_get_bulk(copy.get(), peer, there + 1, kBytes);
}

void Explicit() {
  gasnet_wait_syncnb(gasnet_put_nb(peer, there, source.get(), kBytes));
  gasnet_wait_syncnb(gasnet_get_nb(copy.get(), peer, there, kBytes));
}

void ExplicitBulk() {
  gasnet_wait_syncnb(gasnet_put_nb_bulk(peer, there + 3, source.get(), kBytes));
  gasnet_wait_syncnb(gasnet_get_nb_bulk(copy.get(), peer, there + 3, kBytes));
}

void Implicit() {
  gasnet_put_nbi(peer, there, source.get(), kBytes);
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi(copy.get(), peer, there, kBytes);
  gasnet_wait_syncnbi_gets();
}

void ImplicitBulk() {
  gasnet_put_nbi_bulk(peer, there + 5, source.get(), kBytes);
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi_bulk(copy.get(), peer, there + 5, kBytes);
  gasnet_wait_syncnbi_gets();
}

void Test(void (*put_and_get)(), uint32_t key) {
  FillPattern(source.get(), kBytes, key);
  memset(copy.get(), 0, kBytes);
  put_and_get();
  CHECK_PATTERN(copy.get(), kBytes, key);
}

void Memset() {
  gasnet_memset(peer, there, 0xA7, kBytes);
  gasnet_get_bulk(copy.get(), peer, there, kBytes);
  CHECK_BYTES(copy.get(), kBytes, 0xA7);
}

void TestAll() {
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  there = SharedMemory(peer);
  source = std::make_unique<char[]>(kBytes);
  copy = std::make_unique<char[]>(kBytes);
  uint32_t key = 0;
  for (auto put_and_get : {Blocking, BlockingBulk, Explicit, ExplicitBulk,
                           Implicit, ImplicitBulk}) {
    Test(put_and_get, ++key);
  }
  Memset();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, conformance::kBytes + 8);
  conformance::TestAll();
  return conformance::FinishJob();
}
