// Arguments that a build with checks refuses (GASNet-EX, section 23) are
// refused in the same way if the call is observed: statistics read nothing
// through an argument that was not checked. These arguments point to memory
// that nobody may read.
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <sys/mman.h>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kMedium = 200 };

void OnMedium(gex_Token_t, void*, size_t) {}

template <class Type>
Type* Unreadable() {
  void* const page = mmap(nullptr, GASNET_PAGESIZE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  return static_cast<Type*>(page);
}

// Discard a result. A call that is refused never returns one.
void Ignore(int) {}
void Ignore(gex_Event_t) {}

void Commit() {
  gex_AM_CommitRequestMedium0(
      reinterpret_cast<gex_AM_SrcDesc_t>(Unreadable<char>()), kMedium, 8);
}
void CommitLong() {
  gex_AM_CommitRequestLong0(
      reinterpret_cast<gex_AM_SrcDesc_t>(Unreadable<char>()), kMedium, 8,
      SegmentOf(0));
}
void Atomic() {
  Ignore(gex_AD_OpNB_I32(reinterpret_cast<gex_AD_t>(Unreadable<char>()),
                         nullptr, 0, SegmentOf(0), GEX_OP_ADD, 1, 0, 0));
}
void Vector() {
  const auto* const list = Unreadable<gex_Memvec_t>();
  Ignore(gex_VIS_VectorPutBlocking(tm, Size(), 1, list, 1, list, 0));
}
void VectorOfPair() {
  const auto* const list = Unreadable<gex_Memvec_t>();
  Ignore(gex_VIS_VectorGetNB(gex_TM_Pair(ep, 0), 1, list, Size(), 1, list, 0));
}
void VectorOfNode() {
  const auto* const list = Unreadable<gasnet_memvec_t>();
  gasnet_putv_bulk(gasnet_nodes(), 1, list, 1, list);
}

constexpr Case kCases[] = {
    {"commit", Commit},
    {"commit_long", CommitLong},
    {"atomic", Atomic},
    {"vector", Vector},
    {"vector_of_pair", VectorOfPair},
    {"vector_of_node", VectorOfNode},
};

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 64,
          GEX_FLAG_USES_GASNET1);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
