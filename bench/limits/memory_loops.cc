#include "bench/limits/memory_loops.h"

#include <cstring>

#include "base/clock.h"
#include "bench/limits/child.h"

namespace gasnet::bench {
namespace {

void* Shared() {
  static const SharedBlock block(kMaxCopy);
  return block.data();
}

template <class Operation>
double Each(uint64_t rounds, Operation operation) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) operation(i);
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace

double StoreLoopNanos(uint64_t rounds) {
  auto* const words = static_cast<uint64_t*>(Shared());
  return Each(rounds, [=](uint64_t i) {
    words[i % kLoopWords] = i;
    CompilerBarrier();
  });
}

double FencedStoreLoopNanos(uint64_t rounds) {
  auto* const words = static_cast<uint64_t*>(Shared());
  return Each(rounds, [=](uint64_t i) {
    words[i % kLoopWords] = i;
    Fence();
  });
}

double LoadLoopNanos(uint64_t rounds) {
  auto* const words = static_cast<uint64_t*>(Shared());
  return Each(rounds, [=](uint64_t i) {
    Use(words[i % kLoopWords]);
    CompilerBarrier();
  });
}

double CopyInNanos(size_t nbytes, uint64_t rounds) {
  void* const to = Shared();
  const void* const from = PrivateBuffer();
  return Each(rounds, [=](uint64_t) {
    memcpy(to, from, nbytes);
    CompilerBarrier();
  });
}

double CopyOutNanos(size_t nbytes, uint64_t rounds) {
  void* const to = PrivateBuffer();
  const void* const from = Shared();
  return Each(rounds, [=](uint64_t) {
    memcpy(to, from, nbytes);
    CompilerBarrier();
  });
}

void* PrivateBuffer() {
  alignas(4096) static unsigned char buffer[kMaxCopy];
  // The buffer is written once. The kernel would map all unwritten pages to a
  // single page of zeros, and reads of that page from the cache would be too
  // fast.
  static const bool present = [] {
    memset(buffer, 1, sizeof(buffer));
    return true;
  }();
  return present ? buffer : nullptr;
}

void* PiecesBuffer() {
  constexpr size_t kOffset = 576;
  return static_cast<unsigned char*>(PrivateBuffer()) + kOffset;
}

}  // namespace gasnet::bench
