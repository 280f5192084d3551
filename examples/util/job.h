// Steps that every larger example has in common: start, attach, meet, end.
//
// Everything here is a thin layer over <gasnet.h>, kept apart so that each
// example can show its own idea. Read hello/hello.c first: it does without.
//
// Order of calls, the same on every rank:
//   Start -> (read the command line) -> Attach -> ... -> Finish
//
// Attach gives every rank a segment: memory which all ranks can read and write
// with puts and gets. The beginning of it serves AllGather; the rest, which
// SegmentOf and SegmentBytes describe, belongs to the program. It is not
// initialised.

#ifndef EXAMPLES_UTIL_JOB_H_
#define EXAMPLES_UTIL_JOB_H_

#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace example {

// Joins the job. Must come before anything else in main(): it is gasnet_init
// that learns who we are, and it may change argc and argv.
void Start(int* argc, char*** argv);

// Makes a segment with `bytes` for the program on this rank and registers the
// program's message handlers, which use indices from 128 up to 250. Collective:
// returns when every rank has called it.
void Attach(std::span<gasnet_handlerentry_t> handlers, size_t bytes);

// The most that Attach can give on every rank. Between Start and Attach only.
size_t MaxSegmentBytes();

gasnet_node_t Rank();
gasnet_node_t Size();

// True on one rank only, the one that talks to the user.
bool IsRoot();

// The program's part of the segment of `rank`. The address is valid on that
// rank; from any other it may only be handed to puts and gets.
std::byte* SegmentOf(gasnet_node_t rank);

// How much of the own segment belongs to the program.
size_t SegmentBytes();

// Returns when every rank is in it. Messages are served while waiting, but puts
// must have been synchronised before: a barrier does not complete them.
void Barrier();

// Everyone learns everyone's `mine`, by rank. Collective.
std::vector<uint64_t> AllGatherBits(uint64_t mine);

template <typename T>
std::vector<T> AllGather(T mine) {
  static_assert(sizeof(T) == sizeof(uint64_t), "eight bytes fit one put");
  uint64_t bits;
  std::memcpy(&bits, &mine, sizeof(bits));
  const std::vector<uint64_t> all_bits = AllGatherBits(bits);
  std::vector<T> all(all_bits.size());
  std::memcpy(all.data(), all_bits.data(), all.size() * sizeof(T));
  return all;
}

// The sum over all ranks, added in rank order so that floating-point sums are
// the same everywhere. Collective.
template <typename T>
T Sum(T mine) {
  T total = 0;
  for (T value : AllGather(mine)) total += value;
  return total;
}

// Ends the job with `code` once every rank is here. Collective.
[[noreturn]] void Finish(int code);

// The same when Attach has not been called, for --help and wrong command lines.
[[noreturn]] void FinishBeforeAttach(int code);

// Prints "PROGRAM: message" on stderr and ends the job at once, from one rank.
[[noreturn]] void Die(const char* format, ...)
    __attribute__((format(printf, 1, 2)));

// The meaning of errno, in words.
std::string ErrnoText();

// Seconds since some fixed moment.
double Now();

}  // namespace example

#endif  // EXAMPLES_UTIL_JOB_H_
