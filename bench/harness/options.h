// How thorough a benchmark program is, and which of its rows it measures.
#ifndef BENCH_HARNESS_OPTIONS_H_
#define BENCH_HARNESS_OPTIONS_H_

#include <string>

namespace gasnet::bench {

struct Options {
  int repetitions = 5;
  double milliseconds = 20;  // that one measurement shall last
  std::string only;          // a part of the operation's name; empty: all
};

// Fills in `options` from --repetitions=N, --milliseconds=M and --only=TEXT.
// Answers what is wrong with the arguments; empty if nothing is.
std::string ParseOptions(int argc, char** argv, Options& options);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_OPTIONS_H_
