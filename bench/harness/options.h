// The options of a benchmark program: how long and how often it measures, and
// which operations.
#ifndef BENCH_HARNESS_OPTIONS_H_
#define BENCH_HARNESS_OPTIONS_H_

#include <string>

namespace gasnet::bench {

struct Options {
  int repetitions = 5;
  double milliseconds = 20;  // duration of one measurement
  std::string only;          // text in the operation's name; empty: all
};

// Fills in `options` from --repetitions=N, --milliseconds=M and --only=TEXT.
// Returns a description of an error in the arguments, or an empty string.
std::string ParseOptions(int argc, char** argv, Options& options);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_OPTIONS_H_
