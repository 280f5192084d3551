// The dish whose chemistry the coral example computes, and the tile of the dish
// that one rank owns. There is no communication here.
//
// Two substances react (Gray and Scott's model): food, which is fed to every
// cell, and coral, which eats food and decays. Both spread to the neighbouring
// cells, food twice as fast. Growing coral starves the cells around it, so it
// grows in branches. The dish has no edge: a substance that leaves it on one
// side enters on the other.
//
// A rank's tile consists of whole cells. A margin of one cell around the tile,
// the halo, holds copies of the nearest cells of the four neighbouring tiles.
// Memory holds two copies of the tile: the present and the next state.

#ifndef EXAMPLES_CORAL_DISH_H_
#define EXAMPLES_CORAL_DISH_H_

#include <cstddef>
#include <cstdint>

namespace coral {

struct CoralCell {
  double food;
  double coral;
};

struct Dish {
  uint64_t width;
  uint64_t height;

  // Returns the initial state: food everywhere, and a few crumbs of coral.
  CoralCell Start(uint64_t x, uint64_t y) const;
};

// A grid of tiles. Tile n is in column n % columns and row n / columns.
struct TileGrid {
  uint64_t columns;
  uint64_t rows;

  // Returns a grid of this many tiles. The tiles are as close to squares as
  // possible.
  static TileGrid Of(uint64_t tiles, const Dish& dish);

  // Returns the tile that is `right` columns to the right of `tile` and `down`
  // rows below it. Positions wrap around at the borders of the dish.
  uint64_t Beside(uint64_t tile, int64_t right, int64_t down) const;
};

// The position of a tile in the dish.
struct TilePosition {
  uint64_t left;
  uint64_t top;
  uint64_t width;
  uint64_t height;

  static TilePosition Of(uint64_t tile, const TileGrid& grid, const Dish& dish);

  // The layout of a tile's memory: two states, each an array of rows of cells.
  // Columns and rows are counted with the halo, so the first and last column
  // and row belong to the halo.
  uint64_t RowCells() const { return width + 2; }
  size_t RowBytes() const { return RowCells() * sizeof(CoralCell); }
  uint64_t StateCells() const { return RowCells() * (height + 2); }
  size_t Bytes() const { return 2 * StateCells() * sizeof(CoralCell); }

  CoralCell* At(std::byte* memory, int state, uint64_t column,
                uint64_t row) const {
    return reinterpret_cast<CoralCell*>(memory) +
           static_cast<uint64_t>(state) * StateCells() + row * RowCells() +
           column;
  }
};

// Fills state 0, the present one, without its halo.
void Fill(const Dish& dish, const TilePosition& place, std::byte* memory);

// AdvanceInside() computes the next state of the cells that need no halo.
// AdvanceRim() computes it for all other cells.
void AdvanceInside(const TilePosition& place, std::byte* memory, int present);
void AdvanceRim(const TilePosition& place, std::byte* memory, int present);

}  // namespace coral

#endif  // EXAMPLES_CORAL_DISH_H_
