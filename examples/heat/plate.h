// The plate whose temperature the heat example computes, and the part of the
// plate that one rank owns. There is no communication here.
//
// The plate is a grid of cells. Heat flows between neighbouring cells that are
// both open, never through walls, and no heat leaves the plate. So the total
// heat is constant, the hottest temperature never rises, and the coldest never
// falls.
//
// A rank has a band of whole rows with a margin of one cell around it. Above
// and below the band are copies of the neighbours' nearest rows (the "halo").
// To the left and right, and beyond the ends of the plate, are closed cells
// that have no effect. Memory holds two copies of the band: the present and the
// next state.

#ifndef EXAMPLES_HEAT_PLATE_H_
#define EXAMPLES_HEAT_PLATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heat {

struct Plate {
  uint64_t width;
  uint64_t height;

  bool IsOpen(uint64_t x, uint64_t y) const;
  double InitialTemperature(uint64_t x, uint64_t y) const;

  // Returns the first row of band `index`, if there are `bands` bands. A band
  // ends just before the first row of the next band.
  uint64_t FirstRow(uint64_t index, uint64_t bands) const {
    return index * height / bands;
  }
};

// The layout of one rank's segment: its functions return the addresses of rows.
// Row 0 is the upper halo, rows 1 to `rows` are the band, and row rows + 1 is
// the lower halo.
struct BandLayout {
  uint64_t width;
  uint64_t rows;

  uint64_t RowCells() const { return width + 2; }
  uint64_t StateCells() const { return RowCells() * (rows + 2); }
  size_t Bytes() const { return 2 * StateCells() * sizeof(double); }

  double* Row(std::byte* segment, int state, uint64_t row) const {
    return reinterpret_cast<double*>(segment) +
           static_cast<uint64_t>(state) * StateCells() + row * RowCells();
  }
};

struct PlateSummary {
  double heat = 0;
  double squares = 0;  // sum of squared temperatures; falls as the heat spreads
  double hottest = 0;
  double coldest = 1;
};

class Band {
 public:
  // Fills both states. `memory` is this rank's segment and must outlive the
  // band.
  Band(const Plate& plate, uint64_t first_row, const BandLayout& layout,
       std::byte* memory);

  // Computes one row (1 to rows) of the next state from the present one.
  void Advance(int present, uint64_t row);

  PlateSummary Summarise(int state) const;

 private:
  const BandLayout layout_;
  std::byte* const memory_;
  std::vector<double> open_;  // 1 for open cells, 0 for all others
};

}  // namespace heat

#endif  // EXAMPLES_HEAT_PLATE_H_
