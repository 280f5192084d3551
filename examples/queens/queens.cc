// Counts the ways in which n queens can stand on a board of n by n without
// threatening each other. The branches of this search differ wildly in size, so
// no fixed division of the work is fair. Instead, ranks that run out of work
// steal some.
//
// board.h has the rules of queens, work.h the distribution of work. main() just
// takes tasks until none are left anywhere, and compares the result with the
// known one.

#include <gasnet.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/queens/board.h"
#include "examples/queens/work.h"
#include "examples/util/job.h"
#include "examples/util/options.h"

namespace {

struct Tally {
  uint64_t solutions = 0;
  uint64_t tasks = 0;
};

// Runs the search. Splits tasks with few queens into smaller ones, which other
// ranks may steal. Finishes tasks with `split_rows` queens in one go, since
// they are small enough.
Tally Search(uint32_t board_size, uint32_t split_rows) {
  queens::StartWork({0, 0, 0, 0});
  Tally tally;
  queens::Task task;
  while (queens::TakeTask(&task)) {
    ++tally.tasks;
    if (task.row < split_rows) {
      queens::ForEachPlacement(task, board_size, queens::AddTask);
    } else {
      tally.solutions += queens::CountSolutions(task, board_size);
    }
  }
  return tally;
}

void PrintShares(const Tally& tally) {
  const std::vector<uint64_t> tasks = example::AllGather(tally.tasks);
  const std::vector<uint64_t> stolen =
      example::AllGather(queens::TasksStolen());
  const std::vector<uint64_t> solutions = example::AllGather(tally.solutions);
  if (!example::IsRoot()) return;
  for (size_t rank = 0; rank < tasks.size(); ++rank) {
    std::printf("  rank %zu: %llu tasks, %llu of them stolen, %llu solutions\n",
                rank, static_cast<unsigned long long>(tasks[rank]),
                static_cast<unsigned long long>(stolen[rank]),
                static_cast<unsigned long long>(solutions[rank]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  uint64_t board_size = 14;
  uint64_t split_rows = 3;
  example::Options options(
      "queens [OPTION...]",
      "Counts the ways to place queens on a board, sharing work by stealing.");
  options.Number("board", &board_size, 1, queens::kMaxSize,
                 "rows of the board, and queens");
  options.Number("split-rows", &split_rows, 0, queens::kMaxSize,
                 "do not split tasks with so many queens");
  options.ParseOrExit(argc, argv);
  split_rows = std::min(split_rows, board_size);
  example::Attach(queens::WorkHandlers(), 0);

  const double start = example::Now();
  const Tally tally = Search(static_cast<uint32_t>(board_size),
                             static_cast<uint32_t>(split_rows));
  const double seconds = example::Now() - start;

  const uint64_t solutions = example::Sum(tally.solutions);
  const uint64_t known = queens::kSolutions[board_size];
  if (example::IsRoot()) {
    std::printf("%llu queens: %llu solutions, %u ranks, %.3f s\n",
                static_cast<unsigned long long>(board_size),
                static_cast<unsigned long long>(solutions), example::Size(),
                seconds);
  }
  PrintShares(tally);
  if (example::IsRoot()) {
    std::printf(solutions == known ? "count ok\n" : "COUNT WRONG, it is %llu\n",
                static_cast<unsigned long long>(known));
  }
  example::Finish(solutions == known ? 0 : 1);
}
