// One measured figure, passed from a benchmark program to the driver as a line
// of JSON on standard output.
#ifndef BENCH_HARNESS_SAMPLE_H_
#define BENCH_HARNESS_SAMPLE_H_

#include <cstddef>

namespace gasnet::bench {

inline constexpr char kOurs[] = "ours";

struct Sample {
  const char* operation;
  size_t size = 0;          // bytes; 0 if there is no payload
  const char* mode = "";    // the build: seq, par; empty for a peer
  const char* who = kOurs;  // kOurs or the peer's name
  const char* unit = "ns";
  double value = 0;
  const char* limit_name = nullptr;  // null: no baseline
  double limit = 0;                  // the baseline, measured next to `value`
  double aim = 0;                    // maximum acceptable value/limit; 0: none
};

// Prints the sample. Names must not contain quotes or backslashes.
void Print(const Sample& sample);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_SAMPLE_H_
