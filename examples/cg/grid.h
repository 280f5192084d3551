// The equations of the plate. Each point of the grid gives heat to its four
// neighbours. The heat that it receives is 4 times its temperature, minus the
// sum of its neighbours' temperatures. Outside the plate the temperature is 0.

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

// The rows of one rank. Some ranks may have one row more than the others.
struct Rows {
  uint64_t first;
  uint64_t count;

  static Rows Of(uint64_t rank, uint64_t ranks, const Grid& grid);

  // Returns the size in bytes of a rank's segment. It holds the rank's rows,
  // one more row above them and one below.
  size_t SegmentBytes(const Grid& grid) const {
    return (count + 2) * grid.width * sizeof(double);
  }
};

// The number of points that each receive one unit of heat.
constexpr int kHeatedPoints = 3;

// Returns the heat that the points of these rows receive.
std::vector<double> HeatOf(const Grid& grid, const Rows& rows);

// Computes the heat that `count` rows with these temperatures would need.
// `temperature` contains one more row above and one more below.
void Apply(const Grid& grid, uint64_t count, const double* temperature,
           std::vector<double>& heat);

// Returns the largest error of any equation, over the whole plate.
double LargestResidual(const Grid& grid, const std::vector<double>& all);

// Returns a drawing of the whole plate, with different letters from cold to
// hot.
std::string Drawing(const Grid& grid, const std::vector<double>& all);

}  // namespace cg

#endif  // EXAMPLES_CG_GRID_H_
