// The equations of the plate. Each point of the grid gives heat to its four
// neighbours: 4 times its temperature, less theirs, is the heat that it gets.
// Beyond the rim the temperature is 0.

#ifndef EXAMPLES_CG_GRID_H_
#define EXAMPLES_CG_GRID_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cg {

struct Grid {
  uint64_t width;
  uint64_t height;
};

// Those of one rank: as many as others have, or one more.
struct Rows {
  uint64_t first;
  uint64_t count;

  static Rows Of(uint64_t rank, uint64_t ranks, const Grid& grid);

  // With a row more above and below.
  size_t SegmentBytes(const Grid& grid) const {
    return (count + 2) * grid.width * sizeof(double);
  }
};

// A unit of heat each.
constexpr int kHeatedPoints = 3;

// The heat that the points of these rows get.
std::vector<double> HeatOf(const Grid& grid, const Rows& rows);

// The heat that rows of these temperatures would need; there is a row more
// above and below them.
void Apply(const Grid& grid, uint64_t count, const double* temperature,
           std::vector<double>& heat);

// Of all equations, on the whole plate, by how much the worst is missed.
double LargestResidual(const Grid& grid, const std::vector<double>& all);

// The whole plate in letters, from cold to hot.
std::string Drawing(const Grid& grid, const std::vector<double>& all);

}  // namespace cg

#endif  // EXAMPLES_CG_GRID_H_
