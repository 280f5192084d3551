// Tests the names of gasnet_vis.h. This program includes that header before
// gasnet.h.
#include <gasnet_vis.h>
#include <string.h>

#include "conformance/harness.h"

#ifdef __cplusplus
using namespace conformance;  // NOLINT(build/namespaces)
#endif

enum { kPieces = 3, kPiece = 4, kBytes = kPieces * kPiece };

static char local[kBytes];
static char back[kBytes];

static void Vectors(gasnet_node_t peer, char* there) {
  gasnet_memvec_t remote[1], mine[2];
  remote[0].addr = there;
  remote[0].len = kBytes;
  mine[0].addr = local;
  mine[0].len = 5;
  mine[1].addr = local + 5;
  mine[1].len = kBytes - 5;
  gasnet_putv_bulk(peer, 1, remote, 2, mine);
  gasnet_wait_syncnb(gasnet_putv_nb_bulk(peer, 1, remote, 2, mine));
  gasnet_putv_nbi_bulk(peer, 1, remote, 2, mine);
  gasnet_wait_syncnbi_puts();
  mine[0].addr = back;
  mine[1].addr = back + 5;
  gasnet_getv_bulk(2, mine, peer, 1, remote);
  gasnet_wait_syncnb(gasnet_getv_nb_bulk(2, mine, peer, 1, remote));
  gasnet_getv_nbi_bulk(2, mine, peer, 1, remote);
  gasnet_wait_syncnbi_gets();
}

static void Indexed(gasnet_node_t peer, char* there) {
  void* remote[kPieces];
  void* mine[1];
  void* landing[1];
  int i;
  for (i = 0; i < kPieces; ++i) remote[i] = there + i * kPiece;
  mine[0] = local;
  landing[0] = back;
  gasnet_puti_bulk(peer, kPieces, remote, kPiece, 1, mine, kBytes);
  gasnet_wait_syncnb(
      gasnet_puti_nb_bulk(peer, kPieces, remote, kPiece, 1, mine, kBytes));
  gasnet_puti_nbi_bulk(peer, kPieces, remote, kPiece, 1, mine, kBytes);
  gasnet_wait_syncnbi_puts();
  gasnet_geti_bulk(1, landing, kBytes, peer, kPieces, remote, kPiece);
  gasnet_wait_syncnb(
      gasnet_geti_nb_bulk(1, landing, kBytes, peer, kPieces, remote, kPiece));
  gasnet_geti_nbi_bulk(1, landing, kBytes, peer, kPieces, remote, kPiece);
  gasnet_wait_syncnbi_gets();
}

static void Strided(gasnet_node_t peer, char* there) {
  const size_t strides[1] = {kPiece};
  const size_t count[2] = {kPiece, kPieces};
  gasnet_puts_bulk(peer, there, strides, local, strides, count, 1);
  gasnet_wait_syncnb(
      gasnet_puts_nb_bulk(peer, there, strides, local, strides, count, 1));
  gasnet_puts_nbi_bulk(peer, there, strides, local, strides, count, 1);
  gasnet_wait_syncnbi_puts();
  gasnet_gets_bulk(back, strides, peer, there, strides, count, 1);
  gasnet_wait_syncnb(
      gasnet_gets_nb_bulk(back, strides, peer, there, strides, count, 1));
  gasnet_gets_nbi_bulk(back, strides, peer, there, strides, count, 1);
  gasnet_wait_syncnbi_gets();
}

static void (*const kForms[])(gasnet_node_t, char*) = {Vectors, Indexed,
                                                       Strided};

int main(int argc, char** argv) {
  gasnet_node_t peer;
  int form;
  StartJob(&argc, &argv, NULL, 0, kBytes);
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  for (form = 0; form < COUNT_OF(kForms); ++form) {
    FillPattern(local, kBytes, (uint32_t)form + 1);
    memset(back, 0, kBytes);
    kForms[form](peer, SharedMemory(peer));
    CHECK_PATTERN(back, kBytes, (uint32_t)form + 1);
    Barrier();
    CHECK_PATTERN(SharedMemory(gasnet_mynode()), kBytes, (uint32_t)form + 1);
    Barrier();
  }
  return FinishJob();
}
