// Transfers in pieces that a build with checks refuses (gasnet_vis.h). Their
// two sides differ in total size, their pieces lie outside of all memory, or
// their destinations overlap.
#include <gasnet_vis.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

char local[64];

char* There(size_t at) { return SharedMemory(0) + at; }

// --- Totals ---

void PutTotals() {
  const gasnet_memvec_t remote[] = {{There(0), 8}, {There(16), 4}};
  const gasnet_memvec_t mine[] = {{local, 8}};
  gasnet_putv_bulk(0, 2, remote, 1, mine);
}
void GetTotals() {
  void* const remote[] = {There(0), There(8)};
  void* const mine[] = {local};
  gasnet_wait_syncnb(gasnet_geti_nb_bulk(1, mine, 24, 0, 2, remote, 8));
}

// --- Pieces ---

void PutOutside() {
  const gasnet_memvec_t remote[] = {{There(0), 8}, {local, 8}};
  const gasnet_memvec_t mine[] = {{local, 16}};
  gasnet_putv_nbi_bulk(0, 2, remote, 1, mine);
}
void GetOutside() {
  void* const remote[] = {There(0), There(8), local};
  void* const mine[] = {local};
  gasnet_geti_bulk(1, mine, 24, 0, 3, remote, 8);
}
void PutStridesOutside() {
  const size_t strides[] = {size_t{1} << 40};
  const size_t near[] = {8};
  const size_t count[] = {8, 2};
  gasnet_puts_bulk(0, There(0), strides, local, near, count, 1);
}
void GetStridesOutside() {
  const size_t strides[] = {size_t{1} << 40};
  const size_t near[] = {8};
  const size_t count[] = {8, 2};
  gasnet_gets_bulk(local, near, 0, There(0), strides, count, 1);
}
// Puts with strides that lead back to the start of the area, or before it.
void PutStridesWrap() {
  const size_t strides[] = {size_t{0} - 8};
  const size_t near[] = {8};
  const size_t count[] = {8, 2};
  gasnet_puts_bulk(0, There(0), strides, local, near, count, 1);
}
void GetStridesWrap() {
  const size_t strides[] = {8, size_t{1} << 32};
  const size_t near[] = {0, 0};
  const size_t count[] = {1, 1, (size_t{1} << 32) + 1};
  gasnet_gets_bulk(local, near, 0, There(0), strides, count, 2);
}
void GetNothingFromNoNode() {
  const gasnet_memvec_t remote[] = {{There(0), 0}};
  const gasnet_memvec_t mine[] = {{local, 0}};
  gasnet_getv_bulk(1, mine, gasnet_nodes(), 1, remote);
}
void PutToNoNode() {
  const size_t count[] = {8};
  gasnet_puts_bulk(gasnet_nodes(), There(0), nullptr, local, nullptr, count, 0);
}
void PutOfNull() {
  void* const remote[] = {There(0), There(8)};
  void* const mine[] = {local, nullptr};
  gasnet_puti_bulk(0, 2, remote, 8, 2, mine, 8);
}

// --- Destinations ---

void PutToOnePlaceTwice() {
  void* const remote[] = {There(16), There(0), There(20)};
  void* const mine[] = {local};
  gasnet_puti_bulk(0, 3, remote, 8, 1, mine, 24);
}
void GetToOnePlaceTwice() {
  const gasnet_memvec_t remote[] = {{There(0), 24}};
  const gasnet_memvec_t mine[] = {{local, 16}, {local + 15, 8}};
  gasnet_getv_bulk(2, mine, 0, 1, remote);
}
void PutStridesTwice() {
  const size_t to[] = {8, 8}, from[] = {8, 16};
  const size_t count[] = {8, 2, 2};
  gasnet_puts_bulk(0, There(0), to, local, from, count, 2);
}

constexpr Case kCases[] = {
    {"put_totals", PutTotals},
    {"get_totals", GetTotals},
    {"put_outside", PutOutside},
    {"get_outside", GetOutside},
    {"put_strides_outside", PutStridesOutside},
    {"get_strides_outside", GetStridesOutside},
    {"put_strides_wrap", PutStridesWrap},
    {"get_strides_wrap", GetStridesWrap},
    {"put_to_no_node", PutToNoNode},
    {"get_nothing_from_no_node", GetNothingFromNoNode},
    {"put_of_null", PutOfNull},
    {"put_to_one_place_twice", PutToOnePlaceTwice},
    {"get_to_one_place_twice", GetToOnePlaceTwice},
    {"put_strides_twice", PutStridesTwice},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
