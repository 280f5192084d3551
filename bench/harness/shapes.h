// The non-contiguous memory that the benchmarks move. GASNet, the hand-written
// loops that serve as baseline, and the peers (other libraries) all move the
// same shapes. The source and the target each fit in kLargestTransfer bytes.
#ifndef BENCH_HARNESS_SHAPES_H_
#define BENCH_HARNESS_SHAPES_H_

#include <cstddef>

#include "bench/harness/operations.h"

namespace gasnet::bench {

// A strided region at the source and at the target, in the notation of
// gasnet_puts_bulk: counts[0] is in bytes; level i is repeated counts[i + 1]
// times, at the given strides in bytes.
struct Shape {
  const char* put;
  const char* get;
  size_t levels;
  size_t counts[3];
  size_t to[2];
  size_t from[2];

  constexpr size_t nbytes() const {
    size_t all = 1;
    for (size_t i = 0; i <= levels; ++i) all *= counts[i];
    return all;
  }
};

inline constexpr size_t kPiecesBytes = size_t{1} << 20;

// Returns a shape of runs of `run` bytes, with gaps of `run` bytes between
// them, at the source and at the target.
constexpr Shape Rows(const char* put, const char* get, size_t run) {
  return {put, get, 1, {run, kPiecesBytes / run, 0}, {2 * run}, {2 * run}};
}

inline constexpr Shape kRowsOf8 =
    Rows("strided put, rows of 8 B", "strided get, rows of 8 B", 8);
inline constexpr Shape kRowsOf64 =
    Rows("strided put, rows of 64 B", "strided get, rows of 64 B", 64);
inline constexpr Shape kRowsOf1024 =
    Rows("strided put, rows of 1 KiB", "strided get, rows of 1 KiB", 1024);
// Faces of a block of 128 * 64 * 64 words: 64 planes of 64 rows of 128 words.
inline constexpr Shape kFaceOfRows = {"strided put, face of rows",
                                      "strided get, face of rows",
                                      1,
                                      {1024, 64, 0},
                                      {65536},
                                      {65536}};
inline constexpr Shape kFaceOfWords = {"strided put, face of words",
                                       "strided get, face of words",
                                       2,
                                       {8, 64, 64},
                                       {1024, 65536},
                                       {1024, 65536}};
// Turns 256 rows of 1024 words into 1024 rows of 256.
inline constexpr Shape kTransposition = {"strided put, transposition",
                                         "strided get, transposition",
                                         2,
                                         {8, 1024, 256},
                                         {2048, 8},
                                         {8, 8192}};

// Single words in a scattered order. Source and target have different orders.
inline constexpr char kPutWords[] = "indexed put, words";
inline constexpr char kGetWords[] = "indexed get, words";
inline constexpr size_t kIndexedWords = 10000;
constexpr size_t IndexOfTarget(size_t i) { return i * 7919 % 20000; }
constexpr size_t IndexOfSource(size_t i) { return i * 6271 % 20000; }

// One piece of `size` bytes.
inline constexpr char kOneRow[] = "strided put of one row, beyond put_bulk";

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_SHAPES_H_
