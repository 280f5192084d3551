// The queens on the board. There is no communication here.
//
// A task is the start of a solution: queens stand in the first `row` rows. Bits
// record the columns that these queens threaten in the next row. The positions
// of the queens are not kept.

#ifndef EXAMPLES_QUEENS_BOARD_H_
#define EXAMPLES_QUEENS_BOARD_H_

#include <cstdint>
#include <vector>

namespace queens {

constexpr uint64_t kMaxSize = 18;

// The known numbers of solutions, for boards of 0 to kMaxSize rows.
constexpr uint64_t kSolutions[kMaxSize + 1] = {
    1,   1,    0,     0,     2,      10,      4,        40,       92,       352,
    724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};

struct Task {
  uint32_t columns;  // threatened in the next row by a queen in the same column
  uint32_t falling;  // threatened along a diagonal that falls to the right
  uint32_t rising;   // threatened along a diagonal that falls to the left
  uint32_t row;
};

// Calls visit(Task) for every way to place a queen in the next row.
template <typename Visitor>
void ForEachPlacement(const Task& task, uint32_t board_size, Visitor visit) {
  const uint32_t board = (uint32_t{1} << board_size) - 1;
  uint32_t free = board & ~(task.columns | task.falling | task.rising);
  while (free != 0) {
    const uint32_t queen = free & -free;
    free ^= queen;
    visit(Task{task.columns | queen, (task.falling | queen) << 1,
               (task.rising | queen) >> 1, task.row + 1});
  }
}

// Returns the number of solutions that begin with the queens of `task`.
inline uint64_t CountSolutions(const Task& task, uint32_t board_size) {
  if (task.row == board_size) return 1;
  uint64_t solutions = 0;
  ForEachPlacement(task, board_size, [&](const Task& next) {
    solutions += CountSolutions(next, board_size);
  });
  return solutions;
}

}  // namespace queens

#endif  // EXAMPLES_QUEENS_BOARD_H_
