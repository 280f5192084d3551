// The dish whose chemistry the coral example computes, and the tile of it that
// one rank has. No communication here.
//
// Two substances react (Gray and Scott's model): food, which is fed to every
// cell, and coral, which eats it and decays. Both spread to the neighbouring
// cells, food twice as fast: where coral grows it starves what is around it,
// and so it grows in branches. The dish has no rim: what leaves it on one side
// comes in on the other.
//
// A rank has a tile of whole cells, and around it a margin of one cell, the
// halo, with copies of the nearest cells of the four tiles beside it. There are
// two copies of the tile, the present and the next state.

#ifndef EXAMPLES_CORAL_DISH_H_
#define EXAMPLES_CORAL_DISH_H_

#include <cstddef>
#include <cstdint>

namespace coral {

struct Cell {
  double food;
  double coral;
};

struct Dish {
  uint64_t width;
  uint64_t height;

  // Food everywhere, and a few crumbs of coral.
  Cell Start(uint64_t x, uint64_t y) const;
};

// Tiles side by side: tile n is in column n % columns.
struct Grid {
  uint64_t columns;
  uint64_t rows;

  // As many tiles, as near to squares as their number lets them be.
  static Grid Of(uint64_t tiles, const Dish& dish);

  // The tile so many columns to the right and rows down, around the dish.
  uint64_t Beside(uint64_t tile, int64_t right, int64_t down) const;
};

// Where a tile lies in the dish.
struct Place {
  uint64_t left;
  uint64_t top;
  uint64_t width;
  uint64_t height;

  static Place Of(uint64_t tile, const Grid& grid, const Dish& dish);

  // The layout of a tile's memory: two states of rows of cells. Columns and
  // rows are counted with the halo, which is 0 and the last of each.
  uint64_t RowCells() const { return width + 2; }
  size_t RowBytes() const { return RowCells() * sizeof(Cell); }
  uint64_t StateCells() const { return RowCells() * (height + 2); }
  size_t Bytes() const { return 2 * StateCells() * sizeof(Cell); }

  Cell* At(std::byte* memory, int state, uint64_t column, uint64_t row) const {
    return reinterpret_cast<Cell*>(memory) +
           static_cast<uint64_t>(state) * StateCells() + row * RowCells() +
           column;
  }
};

// Fills the present state, 0, but not its halo.
void Fill(const Dish& dish, const Place& place, std::byte* memory);

// Computes the next state from the present one: of the cells that need no halo,
// and of all others.
void AdvanceInside(const Place& place, std::byte* memory, int present);
void AdvanceRim(const Place& place, std::byte* memory, int present);

}  // namespace coral

#endif  // EXAMPLES_CORAL_DISH_H_
