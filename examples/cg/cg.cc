// Conjugate gradients: computes the temperature of a plate that is heated at
// some places and whose edge is kept at 0. The program solves a system of
// linear equations, with one equation for each point of a grid.
//
// Every rank has some rows of the grid. Each step needs two dot products of
// vectors, to which all ranks contribute. They are reductions whose result goes
// to all ranks, gasnet_all_reduce_all. The result has the same bits on every
// rank, so all ranks stop at the same step, without a message.
//
// To apply the equations, a rank needs the row above its own rows and the row
// below them. Its neighbours have these rows. So each rank puts its outermost
// rows next to those of its neighbours. The put is a collective,
// gasnet_all_puti, so every rank also passes the partners that put to it. With
// MYSYNC a rank then waits only for its neighbours, before it writes and before
// it reads, and there is no barrier in the loop.
//
// At the end rank 0 gathers all rows, as many as each rank has
// (gasnet_all_gatherv), checks every equation, and draws the plate.

#include <gasnet.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "examples/cg/grid.h"
#include "examples/util/job.h"
#include "examples/util/options.h"

namespace {

using cg::Grid;
using cg::Rows;
using example::Rank;
using example::Size;

constexpr int kFlags =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;

// --- Vectors: every rank has its rows of each ------------------------------

double Dot(const std::vector<double>& a, const double* b) {
  double mine = 0;
  for (size_t i = 0; i < a.size(); ++i) mine += a[i] * b[i];
  double all = 0;
  gasnet_all_reduce_all(&all, &mine, 1, GASNET_ALL_DOUBLE, GASNET_ALL_SUM, 0,
                        kFlags);
  return all;
}

// Adds factor * from to `to`.
void AddScaled(std::vector<double>& to, double factor, const double* from) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

// --- The search direction: it needs rows of the neighbours -----------------

// The search direction's layout in the segment: a halo row, this rank's rows,
// and another halo row.
class SearchDirection {
 public:
  explicit SearchDirection(const Grid& grid)
      : grid_(grid),
        mine_(Rows::Of(Rank(), Size(), grid)),
        halo_(reinterpret_cast<double*>(example::SegmentOf(Rank()))) {
    std::fill_n(halo_, (mine_.count + 2) * grid_.width, 0.0);
    if (Rank() > 0) AddNeighbour(Rank() - 1);
    if (Rank() + 1 < Size()) AddNeighbour(Rank() + 1);
  }

  double* rows() const { return halo_ + grid_.width; }

  // Fills the halo rows with rows of the neighbours.
  void Exchange() const {
    gasnet_all_puti(neighbours_.data(), targets_.data(), sources_.data(),
                    neighbours_.size(), neighbours_.data(), neighbours_.size(),
                    grid_.width * sizeof(double), kFlags);
  }

 private:
  // Adds a neighbour. This rank and the neighbour put into each other's memory.
  void AddNeighbour(gasnet_node_t other) {
    const Rows theirs = Rows::Of(other, Size(), grid_);
    const bool above = other < Rank();
    auto* const there = reinterpret_cast<double*>(example::SegmentOf(other));
    neighbours_.push_back(other);
    // If the neighbour is above, the target is the halo row below its last row.
    // Otherwise it is the halo row above its first row.
    targets_.push_back(there + (above ? theirs.count + 1 : 0) * grid_.width);
    sources_.push_back(rows() + (above ? 0 : mine_.count - 1) * grid_.width);
  }

  const Grid grid_;
  const Rows mine_;
  double* const halo_;
  std::vector<gasnet_node_t> neighbours_;
  std::vector<void*> targets_;
  std::vector<void*> sources_;
};

// --- The solver --------------------------------------------------------------

struct CgSettings {
  Grid grid = {200, 150};
  uint64_t most_steps = 10'000;
  uint64_t digits = 10;
};

struct Solution {
  std::vector<double> temperature;  // this rank's rows
  uint64_t steps = 0;
  double residual = 1;  // size relative to the first residual
};

void Report(const Solution& solution) {
  if (!example::IsRoot() || solution.steps % 100 != 0) return;
  std::printf("step %5" PRIu64 "  residual %.1e\n", solution.steps,
              solution.residual);
}

Solution Solve(const CgSettings& settings) {
  const Grid& grid = settings.grid;
  const Rows mine = Rows::Of(Rank(), Size(), grid);
  const size_t count = mine.count * grid.width;
  const SearchDirection direction(grid);
  Solution solution = {std::vector<double>(count)};
  std::vector<double> residual = cg::HeatOf(grid, mine);
  std::vector<double> applied(count);
  std::copy(residual.begin(), residual.end(), direction.rows());
  double square = Dot(residual, residual.data());
  const double first = square;
  const double enough =
      std::pow(10.0, -2 * static_cast<double>(settings.digits));
  Report(solution);
  while (square > enough * first && solution.steps < settings.most_steps) {
    direction.Exchange();
    cg::Apply(grid, mine.count, direction.rows(), applied);
    const double step = square / Dot(applied, direction.rows());
    AddScaled(solution.temperature, step, direction.rows());
    AddScaled(residual, -step, applied.data());
    const double next = Dot(residual, residual.data());
    for (size_t i = 0; i < count; ++i) {
      direction.rows()[i] = residual[i] + next / square * direction.rows()[i];
    }
    square = next;
    ++solution.steps;
    solution.residual = std::sqrt(square / first);
    Report(solution);
  }
  return solution;
}

// Gathers all rows on rank 0.
std::vector<double> Gather(const Grid& grid, const std::vector<double>& mine) {
  std::vector<size_t> sizes;
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    sizes.push_back(Rows::Of(rank, Size(), grid).count * grid.width *
                    sizeof(double));
  }
  std::vector<double> all(example::IsRoot() ? grid.width * grid.height : 0);
  gasnet_all_gatherv(0, all.data(), sizes.data(), mine.data(), sizes[Rank()],
                     kFlags);
  return all;
}

// --- The program -------------------------------------------------------------

CgSettings ReadCommandLine(int argc, char** argv) {
  CgSettings settings;
  example::Options options(
      "cg [OPTION...]",
      "Computes the temperature of a heated plate by conjugate gradients.");
  options.Number("width", &settings.grid.width, 3, 100'000,
                 "points from left to right");
  options.Number("height", &settings.grid.height, 3, 100'000,
                 "points from top to bottom");
  options.Number("digits", &settings.digits, 1, 14,
                 "by how many digits the residual shall fall");
  options.Number("most-steps", &settings.most_steps, 1, 1'000'000'000,
                 "steps after which it gives up");
  options.ParseOrExit(argc, argv);
  if (settings.grid.height < Size()) {
    options.Reject(absl::StrCat("a plate of ", settings.grid.height,
                                " rows: ", Size(), " ranks need one each"));
  }
  if (Rows::Of(0, Size(), settings.grid).SegmentBytes(settings.grid) >
      example::MaxSegmentBytes()) {
    options.Reject(absl::StrCat("the plate is too large for the memory of ",
                                Size(), " ranks"));
  }
  return settings;
}

// Prints the result, on rank 0 alone. Returns true if every equation holds.
bool ShowResult(const CgSettings& settings, const Solution& solution,
                const std::vector<double>& all, double seconds) {
  const Grid& grid = settings.grid;
  std::printf("%s\n%" PRIu64 " steps, residual %.1e, %u ranks, %.3f s\n",
              cg::Drawing(grid, all).c_str(), solution.steps, solution.residual,
              Size(), seconds);
  std::printf("middle of the plate: %.9f\n",
              all[grid.height / 2 * grid.width + grid.width / 2]);
  const double wrong = cg::LargestResidual(grid, all);
  // Rounding makes the real error a little larger than the residual that the
  // solver computed step by step.
  const bool right =
      wrong < 10 * std::pow(10.0, -static_cast<double>(settings.digits)) *
                  static_cast<double>(cg::kHeatedPoints);
  std::printf("largest error of an equation %.1e: %s\n", wrong,
              right ? "ok" : "WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  const CgSettings settings = ReadCommandLine(argc, argv);
  const Rows mine = Rows::Of(Rank(), Size(), settings.grid);
  example::Attach({}, mine.SegmentBytes(settings.grid));
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);

  const double start = example::Now();
  const Solution solution = Solve(settings);
  const double seconds = example::Now() - start;
  const std::vector<double> all = Gather(settings.grid, solution.temperature);
  bool good = true;
  if (example::IsRoot()) good = ShowResult(settings, solution, all, seconds);
  example::Finish(good ? 0 : 1);
}
