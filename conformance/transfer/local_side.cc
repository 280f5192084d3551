// The local side of a transfer may lie anywhere: on the stack, in the heap, in
// static data, in constants (as a source) or in the node's own segment (section
// 3.1).
#include <string.h>

#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 30016;

alignas(64) char static_data[kLargest];

constexpr struct Constant {
  constexpr Constant() : bytes() {
    for (size_t i = 0; i < kLargest; ++i) bytes[i] = static_cast<char>(i * 7);
  }
  char bytes[kLargest];
} kConstant;

// In each node's memory, the first part belongs to the previous node. The
// second part belongs to the node itself.
gasnet_node_t Next() { return (gasnet_mynode() + 1) % gasnet_nodes(); }
char* There() { return SharedMemory(Next()); }
char* OwnSegment() { return SharedMemory(gasnet_mynode()) + kLargest; }

void PutFromAndGetInto(char* local, size_t bytes, uint32_t key) {
  FillPattern(local, bytes, key);
  gasnet_put(Next(), There(), local, bytes);
  memset(local, 0, bytes);
  gasnet_get(local, Next(), There(), bytes);
  CHECK_PATTERN(local, bytes, key);

  gasnet_wait_syncnb(gasnet_put_nb_bulk(Next(), There(), local, bytes));
  memset(local, 0, bytes);
  gasnet_wait_syncnb(gasnet_get_nb_bulk(local, Next(), There(), bytes));
  CHECK_PATTERN(local, bytes, key);
}

void PutFromConstant(size_t bytes) {
  static char copy[kLargest];
  void* const constant = const_cast<char*>(kConstant.bytes);
  gasnet_put_bulk(Next(), There(), constant, bytes);
  gasnet_get_bulk(copy, Next(), There(), bytes);
  CHECK_EQ(memcmp(copy, kConstant.bytes, bytes), 0);
}

void TestSize(size_t bytes) {
  alignas(64) char on_stack[kLargest];
  const auto in_heap = std::make_unique<char[]>(kLargest);
  PutFromAndGetInto(on_stack, bytes, 1);
  PutFromAndGetInto(in_heap.get(), bytes, 2);
  PutFromAndGetInto(static_data, bytes, 3);
  PutFromAndGetInto(OwnSegment(), bytes, 4);
  PutFromConstant(bytes);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kLargest;
  conformance::StartJob(&argc, &argv, nullptr, 0, 2 * kLargest);
  for (size_t n = 1; n <= kLargest; n = conformance::NextSize(n, kLargest)) {
    conformance::TestSize(n);
  }
  return conformance::FinishJob();
}
