#include "bench/limits/piece_loops.h"

#include <cstring>
#include <vector>

#include "base/clock.h"
#include "bench/limits/child.h"
#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
namespace {

unsigned char* Shared() {
  static const SharedBlock block(kMaxCopy);
  return static_cast<unsigned char*>(block.data());
}
unsigned char* Private() { return static_cast<unsigned char*>(PiecesBuffer()); }

template <class Operation>
double Each(uint64_t rounds, Operation operation) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    operation();
    CompilerBarrier();
  }
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

// Copies runs of kRun bytes in the given shape. A shape with only one level of
// strides is copied as one plane.
template <size_t kRun>
void CopyRuns(unsigned char* to, const unsigned char* from,
              const Shape& shape) {
  const size_t planes = shape.levels == 2 ? shape.counts[2] : 1;
  for (size_t j = 0; j < planes; ++j) {
    for (size_t i = 0; i < shape.counts[1]; ++i) {
      memcpy(to + i * shape.to[0], from + i * shape.from[0], kRun);
    }
    to += shape.to[1];
    from += shape.from[1];
  }
}

void CopyShape(unsigned char* to, const unsigned char* from,
               const Shape& shape) {
  switch (shape.counts[0]) {
    case 8:
      return CopyRuns<8>(to, from, shape);
    case 64:
      return CopyRuns<64>(to, from, shape);
    case 1024:
      return CopyRuns<1024>(to, from, shape);
    default:
      __builtin_trap();
  }
}

struct WordLists {
  std::vector<uint64_t*> to;
  std::vector<const uint64_t*> from;
};

WordLists ListsOf(unsigned char* to, const unsigned char* from) {
  WordLists lists;
  for (size_t i = 0; i < kIndexedWords; ++i) {
    lists.to.push_back(reinterpret_cast<uint64_t*>(to) + IndexOfTarget(i));
    lists.from.push_back(reinterpret_cast<const uint64_t*>(from) +
                         IndexOfSource(i));
  }
  return lists;
}

double WordsNanos(const WordLists& lists, uint64_t rounds) {
  return Each(rounds, [&] {
    for (size_t i = 0; i < kIndexedWords; ++i) *lists.to[i] = *lists.from[i];
  });
}

}  // namespace

double ShapeInNanos(const Shape& shape, uint64_t rounds) {
  return Each(rounds, [&] { CopyShape(Shared(), Private(), shape); });
}
double ShapeOutNanos(const Shape& shape, uint64_t rounds) {
  return Each(rounds, [&] { CopyShape(Private(), Shared(), shape); });
}
double WordsInNanos(uint64_t rounds) {
  static const WordLists lists = ListsOf(Shared(), Private());
  return WordsNanos(lists, rounds);
}
double WordsOutNanos(uint64_t rounds) {
  static const WordLists lists = ListsOf(Private(), Shared());
  return WordsNanos(lists, rounds);
}

}  // namespace gasnet::bench
