#include "examples/heat/plate.h"

#include <algorithm>

namespace heat {
namespace {

// The fraction of the temperature difference between two cells that flows to
// the cooler cell in one step. The computation is stable up to a quarter, since
// a cell has four neighbours.
constexpr double kFlow = 0.2;

bool InDisc(double x, double y, double centre_x, double centre_y, double r) {
  const double dx = x - centre_x;
  const double dy = y - centre_y;
  return dx * dx + dy * dy < r * r;
}

}  // namespace

// Returns true if no wall covers the cell. The plate's height is the unit of
// length. Two walls with gaps divide the plate into three chambers. Round
// pillars stand in the middle chamber.
bool Plate::IsOpen(uint64_t column, uint64_t row) const {
  const double unit = static_cast<double>(height);
  const double length = static_cast<double>(width) / unit;
  const double x = (static_cast<double>(column) + 0.5) / unit;
  const double y = (static_cast<double>(row) + 0.5) / unit;

  const double left = x - length * 0.3;
  if (left > 0 && left < 0.02) {
    return (y > 0.12 && y < 0.24) || (y > 0.44 && y < 0.56) ||
           (y > 0.76 && y < 0.88);
  }
  const double right = x - length * 0.66;
  if (right > 0 && right < 0.02) return y > 0.25 && y < 0.40;
  return !InDisc(x, y, length * 0.42, 0.34, 0.08) &&
         !InDisc(x, y, length * 0.42, 0.66, 0.08) &&
         !InDisc(x, y, length * 0.54, 0.50, 0.12);
}

// Returns the temperature at the start. The left chamber is hot, and so is a
// disc in the right one.
double Plate::InitialTemperature(uint64_t column, uint64_t row) const {
  const double unit = static_cast<double>(height);
  const double length = static_cast<double>(width) / unit;
  const double x = (static_cast<double>(column) + 0.5) / unit;
  const double y = (static_cast<double>(row) + 0.5) / unit;
  const bool hot = x < length * 0.3 || InDisc(x, y, length * 0.85, 0.68, 0.2);
  return hot ? 1 : 0;
}

Band::Band(const Plate& plate, uint64_t first_row, const BandLayout& layout,
           std::byte* memory)
    : layout_(layout), memory_(memory), open_(layout.StateCells(), 0.0) {
  std::fill_n(layout.Row(memory, 0, 0), 2 * layout.StateCells(), 0.0);
  for (uint64_t row = 0; row < layout.rows + 2; ++row) {
    // The row is unsigned, so the row above the plate's first one wraps around
    // and is out of range too.
    const uint64_t y = first_row + row - 1;
    if (y >= plate.height) continue;
    for (uint64_t x = 0; x < plate.width; ++x) {
      if (!plate.IsOpen(x, y)) continue;
      open_[row * layout.RowCells() + x + 1] = 1;
      layout.Row(memory, 0, row)[x + 1] = plate.InitialTemperature(x, y);
    }
  }
}

void Band::Advance(int present, uint64_t row) {
  // The stride is signed, since negative offsets reach the row above.
  const auto stride = static_cast<ptrdiff_t>(layout_.RowCells());
  const double* const now = layout_.Row(memory_, present, row);
  double* const next = layout_.Row(memory_, 1 - present, row);
  const double* const open = open_.data() + row * layout_.RowCells();
  const auto width = static_cast<ptrdiff_t>(layout_.width);
  for (ptrdiff_t x = 1; x <= width; ++x) {
    const double inflow = open[x - 1] * (now[x - 1] - now[x]) +
                          open[x + 1] * (now[x + 1] - now[x]) +
                          open[x - stride] * (now[x - stride] - now[x]) +
                          open[x + stride] * (now[x + stride] - now[x]);
    next[x] = now[x] + kFlow * open[x] * inflow;
  }
}

PlateSummary Band::Summarise(int state) const {
  PlateSummary summary;
  for (uint64_t row = 1; row <= layout_.rows; ++row) {
    const double* const cells = layout_.Row(memory_, state, row);
    const double* const open = open_.data() + row * layout_.RowCells();
    for (uint64_t x = 1; x <= layout_.width; ++x) {
      if (open[x] == 0) continue;
      summary.heat += cells[x];
      summary.squares += cells[x] * cells[x];
      summary.hottest = std::max(summary.hottest, cells[x]);
      summary.coldest = std::min(summary.coldest, cells[x]);
    }
  }
  return summary;
}

}  // namespace heat
