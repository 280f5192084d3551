// Steps that all larger examples share: start, attach, meet, end.
//
// This is a thin layer over <gasnet.h>, so that each example shows only its own
// idea. hello/hello.c does without this layer; read it first.
//
// The calls come in this order, the same on every rank:
//
//     Start -> (read the command line) -> Attach -> ... -> Finish
//
// Attach gives every rank a segment: memory that all ranks can read and write
// with puts and gets. AllGather uses the beginning of the segment. The rest
// belongs to the program and is not initialised. SegmentOf and SegmentBytes
// describe this part.

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

// Joins the job. It must be the first call of main(): gasnet_init finds out
// which rank this is, and may change argc and argv.
void Start(int* argc, char*** argv);

// Makes a segment with `bytes` bytes for the program on this rank and registers
// the program's message handlers, with indices from 128 to 250. Collective:
// returns when every rank has called it.
void Attach(std::span<gasnet_handlerentry_t> handlers, size_t bytes);

// Returns the largest number of bytes that Attach can give to every rank. Call
// it only between Start and Attach.
size_t MaxSegmentBytes();

gasnet_node_t Rank();
gasnet_node_t Size();

// Returns true on rank 0, the only rank that prints.
bool IsRoot();

// Returns the program's part of the segment of `rank`. The address is valid on
// that rank; on other ranks it may only be used in puts and gets.
std::byte* SegmentOf(gasnet_node_t rank);

// Returns the size of the program's part of this rank's segment.
size_t SegmentBytes();

// Waits until every rank has called it, and serves messages meanwhile. A
// barrier does not complete puts, so sync puts first.
void Barrier();

// AllGatherBits() and AllGather() return the values of `mine` of all ranks,
// indexed by rank. Collective.
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

// Returns the sum over all ranks. Adds in rank order, so that floating-point
// sums are equal on all ranks. Collective.
template <typename T>
T Sum(T mine) {
  T total = 0;
  for (T value : AllGather(mine)) total += value;
  return total;
}

// Ends the job with `code` once every rank has called it. Collective.
[[noreturn]] void Finish(int code);

// Ends the job like Finish(), but before Attach: after --help or a wrong
// command line.
[[noreturn]] void FinishBeforeAttach(int code);

// Prints "PROGRAM: message" on stderr and ends the whole job at once. Other
// ranks need not call it.
[[noreturn]] void Die(const char* format, ...)
    __attribute__((format(printf, 1, 2)));

// Returns a text that explains errno.
std::string ErrnoText();

// Returns the time in seconds, counted from some fixed moment.
double Now();

}  // namespace example

#endif  // EXAMPLES_UTIL_JOB_H_
