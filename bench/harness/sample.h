// One measured figure, as a benchmark program hands it to the driver: a line of
// JSON on standard output.
#ifndef BENCH_HARNESS_SAMPLE_H_
#define BENCH_HARNESS_SAMPLE_H_

#include <cstddef>

namespace gasnet::bench {

inline constexpr char kOurs[] = "ours";

struct Sample {
  const char* operation;
  size_t size = 0;          // bytes; 0 where there is no payload
  const char* mode = "";    // seq, par; empty for a peer
  const char* who = kOurs;  // or the peer's name
  const char* unit = "ns";
  double value = 0;
  const char* limit_name = nullptr;  // null: there is no limit to compare with
  double limit = 0;                  // measured beside `value`
  double aim = 0;  // the most that value/limit should be; 0: none
};

// Prints it. Names must not contain quotes or backslashes.
void Print(const Sample& sample);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_SAMPLE_H_
