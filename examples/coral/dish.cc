#include "examples/coral/dish.h"

#include <algorithm>

namespace coral {
namespace {

// The fraction of each substance's differences that spreads to a neighbouring
// cell in one step. The values are small enough for a stable computation.
constexpr double kFoodSpreads = 0.16;
constexpr double kCoralSpreads = 0.08;
constexpr double kFeed = 0.055;
constexpr double kDecay = 0.062;

// The coral begins as crumbs: squares of kCrumb by kCrumb cells. One square in
// kOneIn is a crumb.
constexpr uint64_t kCrumb = 6;
constexpr uint64_t kOneIn = 23;

double Spread(double here, double left, double right, double above,
              double below) {
  return left + right + above + below - 4 * here;
}

}  // namespace

CoralCell Dish::Start(uint64_t x, uint64_t y) const {
  uint64_t mixed = (x / kCrumb) * 2654435761 + (y / kCrumb) * 2246822519;
  mixed ^= mixed >> 15;
  return mixed % kOneIn == 0 ? CoralCell{0.5, 0.25} : CoralCell{1, 0};
}

TileGrid TileGrid::Of(uint64_t tiles, const Dish& dish) {
  uint64_t less = 1;
  for (uint64_t n = 1; n * n <= tiles; ++n) {
    if (tiles % n == 0) less = n;
  }
  const uint64_t more = tiles / less;
  return dish.width >= dish.height ? TileGrid{more, less}
                                   : TileGrid{less, more};
}

uint64_t TileGrid::Beside(uint64_t tile, int64_t right, int64_t down) const {
  const uint64_t column =
      (tile % columns + columns + static_cast<uint64_t>(right)) % columns;
  const uint64_t row =
      (tile / columns + rows + static_cast<uint64_t>(down)) % rows;
  return row * columns + column;
}

TilePosition TilePosition::Of(uint64_t tile, const TileGrid& grid,
                              const Dish& dish) {
  const uint64_t column = tile % grid.columns;
  const uint64_t row = tile / grid.columns;
  const uint64_t left = column * dish.width / grid.columns;
  const uint64_t top = row * dish.height / grid.rows;
  return {left, top, (column + 1) * dish.width / grid.columns - left,
          (row + 1) * dish.height / grid.rows - top};
}

void Fill(const Dish& dish, const TilePosition& place, std::byte* memory) {
  for (uint64_t y = 0; y < place.height; ++y) {
    for (uint64_t x = 0; x < place.width; ++x) {
      *place.At(memory, 0, x + 1, y + 1) =
          dish.Start(place.left + x, place.top + y);
    }
  }
}

namespace {

// Computes cells `first` to `last` of a row. Cells and rows are counted with
// the halo.
void Advance(const TilePosition& place, std::byte* memory, int present,
             uint64_t row, uint64_t first, uint64_t last) {
  const auto stride = static_cast<ptrdiff_t>(place.RowCells());
  const CoralCell* now = place.At(memory, present, first, row);
  CoralCell* next = place.At(memory, 1 - present, first, row);
  for (uint64_t column = first; column <= last; ++column, ++now, ++next) {
    const auto [food, coral] = *now;
    const double eaten = food * coral * coral;
    next->food = food +
                 kFoodSpreads * Spread(food, now[-1].food, now[1].food,
                                       now[-stride].food, now[stride].food) -
                 eaten + kFeed * (1 - food);
    next->coral =
        coral +
        kCoralSpreads * Spread(coral, now[-1].coral, now[1].coral,
                               now[-stride].coral, now[stride].coral) +
        eaten - (kFeed + kDecay) * coral;
  }
}

}  // namespace

void AdvanceInside(const TilePosition& place, std::byte* memory, int present) {
  for (uint64_t row = 2; row < place.height; ++row) {
    Advance(place, memory, present, row, 2, place.width - 1);
  }
}

void AdvanceRim(const TilePosition& place, std::byte* memory, int present) {
  Advance(place, memory, present, 1, 1, place.width);
  if (place.height > 1) {
    Advance(place, memory, present, place.height, 1, place.width);
  }
  for (uint64_t row = 2; row < place.height; ++row) {
    Advance(place, memory, present, row, 1, 1);
    if (place.width > 1) {
      Advance(place, memory, present, row, place.width, place.width);
    }
  }
}

}  // namespace coral
