#include "examples/cg/grid.h"

#include <algorithm>
#include <cmath>

namespace cg {
namespace {

struct Point {
  uint64_t x;
  uint64_t y;
};

Point Heated(const Grid& grid, int which) {
  constexpr uint64_t kQuarters[kHeatedPoints][2] = {{1, 1}, {3, 1}, {2, 3}};
  return {grid.width * kQuarters[which][0] / 4,
          grid.height * kQuarters[which][1] / 4};
}

}  // namespace

Rows Rows::Of(uint64_t rank, uint64_t ranks, const Grid& grid) {
  const uint64_t each = grid.height / ranks;
  const uint64_t more = grid.height % ranks;
  return {rank * each + std::min(rank, more), each + (rank < more ? 1 : 0)};
}

std::vector<double> HeatOf(const Grid& grid, const Rows& rows) {
  std::vector<double> heat(rows.count * grid.width);
  for (int i = 0; i < kHeatedPoints; ++i) {
    const Point point = Heated(grid, i);
    if (point.y < rows.first || point.y >= rows.first + rows.count) continue;
    heat[(point.y - rows.first) * grid.width + point.x] += 1;
  }
  return heat;
}

void Apply(const Grid& grid, uint64_t count, const double* temperature,
           std::vector<double>& heat) {
  const auto width = static_cast<ptrdiff_t>(grid.width);
  for (uint64_t y = 0; y < count; ++y) {
    const double* const row = temperature + y * grid.width;
    double* const out = &heat[y * grid.width];
    for (ptrdiff_t x = 0; x < width; ++x) {
      const double left = x > 0 ? row[x - 1] : 0;
      const double right = x + 1 < width ? row[x + 1] : 0;
      out[x] = 4 * row[x] - left - right - row[x - width] - row[x + width];
    }
  }
}

double LargestResidual(const Grid& grid, const std::vector<double>& all) {
  std::vector<double> framed((grid.height + 2) * grid.width);
  std::copy(all.begin(), all.end(),
            framed.begin() + static_cast<ptrdiff_t>(grid.width));
  std::vector<double> heat(all.size());
  Apply(grid, grid.height, framed.data() + grid.width, heat);
  const std::vector<double> wanted = HeatOf(grid, {0, grid.height});
  double worst = 0;
  for (size_t i = 0; i < heat.size(); ++i) {
    worst = std::max(worst, std::abs(heat[i] - wanted[i]));
  }
  return worst;
}

std::string Drawing(const Grid& grid, const std::vector<double>& all) {
  constexpr char kLetters[] = " .:-=+*#%@";
  constexpr uint64_t kColumns = 72, kLines = 24;
  const double hottest = *std::max_element(all.begin(), all.end());
  const uint64_t columns = std::min(kColumns, grid.width);
  const uint64_t lines = std::min(kLines, grid.height);
  std::string drawing;
  for (uint64_t line = 0; line < lines; ++line) {
    for (uint64_t column = 0; column < columns; ++column) {
      const uint64_t x = (2 * column + 1) * grid.width / (2 * columns);
      const uint64_t y = (2 * line + 1) * grid.height / (2 * lines);
      // The square root makes temperature differences visible where the plate
      // is cold.
      const double warmth =
          std::sqrt(std::max(0.0, all[y * grid.width + x]) / hottest);
      const auto letter = static_cast<size_t>(warmth * 9.99);
      drawing += kLetters[std::min<size_t>(letter, 9)];
    }
    drawing += '\n';
  }
  return drawing;
}

}  // namespace cg
