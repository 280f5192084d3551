// Coral that grows in a dish: a two-dimensional stencil on tiles.
//
// Every rank has a tile of the dish (dish.h). To compute its outermost cells it
// needs the nearest cells of the four neighbouring tiles. So in each step every
// rank puts its own outermost cells into its neighbours' halos, and meanwhile
// computes its inner cells. A row of a tile is contiguous memory, so a plain
// put sends it. The cells of a column are one row apart, at the source and at
// the target, so a strided put sends them.
//
// There are two states, present and next. So no rank writes into a halo that is
// still being read: the halos of a state are written again only two steps
// later, with a barrier in between.
//
// Rank 0 draws the picture. It gets the coral of every tile, one number from
// each cell, directly to its place in the whole dish: a strided get of two
// levels. Then rank 0 computes the whole dish alone. Both results must be equal
// to the last bit.

#include <gasnet.h>
#include <gasnet_vis.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "examples/coral/dish.h"
#include "examples/util/job.h"
#include "examples/util/options.h"
#include "examples/util/png.h"

namespace {

using coral::CoralCell;
using coral::Dish;
using coral::TileGrid;
using coral::TilePosition;
using example::Colour;
using example::Rank;
using example::Size;

// --- One step ---------------------------------------------------------------

class Halos {
 public:
  Halos(const Dish& dish, const TileGrid& grid) : dish_(dish), grid_(grid) {}

  // Starts the puts of this rank's outermost cells. The caller completes them
  // with gasnet_wait_syncnbi_puts.
  void Send(int state) const {
    const TilePosition mine = TilePosition::Of(Rank(), grid_, dish_);
    SendColumn(state, -1, 1);
    SendColumn(state, 1, mine.width);
    SendRow(state, -1, 1);
    SendRow(state, 1, mine.height);
  }

 private:
  gasnet_node_t Beside(int right, int down) const {
    return static_cast<gasnet_node_t>(grid_.Beside(Rank(), right, down));
  }

  // Puts a column to the tile on the left (right = -1) or on the right (1).
  // That tile has the same number of rows, but may have another width.
  void SendColumn(int state, int right, uint64_t column) const {
    const gasnet_node_t there = Beside(right, 0);
    const TilePosition mine = TilePosition::Of(Rank(), grid_, dish_);
    const TilePosition theirs = TilePosition::Of(there, grid_, dish_);
    const uint64_t halo = right < 0 ? theirs.width + 1 : 0;
    const size_t count[] = {sizeof(CoralCell), mine.height};
    const size_t to_stride[] = {theirs.RowBytes()};
    const size_t from_stride[] = {mine.RowBytes()};
    gasnet_puts_nbi_bulk(
        there, theirs.At(example::SegmentOf(there), state, halo, 1), to_stride,
        mine.At(example::SegmentOf(Rank()), state, column, 1), from_stride,
        count, 1);
  }

  // Puts a row to the tile above (down = -1) or below (1). That tile has the
  // same width.
  void SendRow(int state, int down, uint64_t row) const {
    const gasnet_node_t there = Beside(0, down);
    const TilePosition mine = TilePosition::Of(Rank(), grid_, dish_);
    const TilePosition theirs = TilePosition::Of(there, grid_, dish_);
    const uint64_t halo = down < 0 ? theirs.height + 1 : 0;
    gasnet_put_nbi_bulk(there,
                        theirs.At(example::SegmentOf(there), state, 1, halo),
                        mine.At(example::SegmentOf(Rank()), state, 1, row),
                        mine.width * sizeof(CoralCell));
  }

  const Dish dish_;
  const TileGrid grid_;
};

void Step(const Halos& halos, const TilePosition& mine, int present) {
  std::byte* const memory = example::SegmentOf(Rank());
  halos.Send(present);
  coral::AdvanceInside(mine, memory, present);
  // A barrier does not complete puts. So this rank first completes its puts,
  // and then waits for all ranks.
  gasnet_wait_syncnbi_puts();
  example::Barrier();
  coral::AdvanceRim(mine, memory, present);
}

// --- The result -------------------------------------------------------------

// Returns the coral of each cell of the dish, row by row. Called on rank 0
// only.
std::vector<double> FetchCoral(const Dish& dish, const TileGrid& grid,
                               int state) {
  std::vector<double> all(dish.width * dish.height);
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    const TilePosition place = TilePosition::Of(rank, grid, dish);
    const size_t count[] = {sizeof(double), place.width, place.height};
    const size_t to_strides[] = {sizeof(double), dish.width * sizeof(double)};
    const size_t from_strides[] = {sizeof(CoralCell), place.RowBytes()};
    gasnet_gets_nbi_bulk(
        &all[place.top * dish.width + place.left], to_strides, rank,
        &place.At(example::SegmentOf(rank), state, 1, 1)->coral, from_strides,
        count, 2);
  }
  gasnet_wait_syncnbi_gets();
  return all;
}

// Fills the halo of a tile that is the whole dish. Each side of the halo is a
// copy of the tile's opposite edge.
void Wrap(const TilePosition& whole, std::byte* memory, int state) {
  for (uint64_t row = 1; row <= whole.height; ++row) {
    *whole.At(memory, state, 0, row) =
        *whole.At(memory, state, whole.width, row);
    *whole.At(memory, state, whole.width + 1, row) =
        *whole.At(memory, state, 1, row);
  }
  for (uint64_t column = 1; column <= whole.width; ++column) {
    *whole.At(memory, state, column, 0) =
        *whole.At(memory, state, column, whole.height);
    *whole.At(memory, state, column, whole.height + 1) =
        *whole.At(memory, state, column, 1);
  }
}

// Computes the whole simulation on one rank, without the others.
std::vector<double> ComputeAlone(const Dish& dish, uint64_t steps) {
  const TilePosition whole = {0, 0, dish.width, dish.height};
  std::vector<std::byte> bytes(whole.Bytes());
  coral::Fill(dish, whole, bytes.data());
  for (uint64_t step = 0; step < steps; ++step) {
    const int present = static_cast<int>(step % 2);
    Wrap(whole, bytes.data(), present);
    coral::AdvanceInside(whole, bytes.data(), present);
    coral::AdvanceRim(whole, bytes.data(), present);
  }
  std::vector<double> all;
  for (uint64_t y = 1; y <= dish.height; ++y) {
    for (uint64_t x = 1; x <= dish.width; ++x) {
      all.push_back(
          whole.At(bytes.data(), static_cast<int>(steps % 2), x, y)->coral);
    }
  }
  return all;
}

// --- The picture ------------------------------------------------------------

std::vector<Colour> MakePalette() {
  constexpr double kStops[][3] = {{4, 22, 48},     {8, 62, 92},
                                  {36, 120, 130},  {240, 128, 96},
                                  {250, 178, 140}, {255, 244, 224}};
  constexpr double kLast = std::size(kStops) - 1;
  std::vector<Colour> palette;
  for (int n = 0; n < 256; ++n) {
    const double position = n / 255.0 * kLast;
    const auto stop = static_cast<size_t>(std::min(position, kLast - 1));
    uint8_t mixed[3];
    for (int i = 0; i < 3; ++i) {
      mixed[i] =
          static_cast<uint8_t>(std::lerp(kStops[stop][i], kStops[stop + 1][i],
                                         position - static_cast<double>(stop)));
    }
    palette.push_back({mixed[0], mixed[1], mixed[2]});
  }
  return palette;
}

// Almost no cell ever has more coral than this.
constexpr double kMaxCoral = 0.4;

std::vector<uint8_t> PixelsOf(const std::vector<double>& coral) {
  std::vector<uint8_t> pixels;
  for (const double amount : coral) {
    pixels.push_back(
        static_cast<uint8_t>(std::clamp(amount / kMaxCoral, 0.0, 1.0) * 255));
  }
  return pixels;
}

std::string PictureOf(const Dish& dish, const std::vector<double>& coral) {
  return example::EncodePng(static_cast<uint32_t>(dish.width),
                            static_cast<uint32_t>(dish.height), MakePalette(),
                            PixelsOf(coral));
}

// --- The program ------------------------------------------------------------

struct CoralSettings {
  Dish dish = {300, 200};
  uint64_t steps = 4000;
  std::string output = "coral.png";
  bool no_verify = false;
};

CoralSettings ReadCommandLine(int argc, char** argv) {
  CoralSettings settings;
  Dish& dish = settings.dish;
  example::Options options("coral [OPTION...]",
                           "Lets coral grow in a dish and draws the result.");
  options.Number("width", &dish.width, 3, 100'000, "cells from left to right");
  options.Number("height", &dish.height, 3, 100'000,
                 "cells from top to bottom");
  options.Number("steps", &settings.steps, 1, 1'000'000'000, "steps of time");
  options.Text("output", "FILE.png", &settings.output, "the picture");
  options.Switch("no-verify", &settings.no_verify,
                 "do not compute it again on one rank");
  options.ParseOrExit(argc, argv);
  const TileGrid grid = TileGrid::Of(Size(), dish);
  if (grid.columns > dish.width || grid.rows > dish.height) {
    options.Reject(absl::StrCat("a dish of ", dish.width, " x ", dish.height,
                                " cells: ", Size(), " ranks need one each, in ",
                                grid.columns, " columns and ", grid.rows,
                                " rows"));
  }
  // The last rank's tile is the largest.
  if (TilePosition::Of(Size() - 1, grid, dish).Bytes() >
      example::MaxSegmentBytes()) {
    options.Reject(absl::StrCat("the dish is too large for the memory of ",
                                Size(), " ranks"));
  }
  return settings;
}

// Writes the picture, on rank 0 alone. Returns true if the result is right.
bool ShowResult(const CoralSettings& settings, const TileGrid& grid,
                std::FILE* file) {
  const std::vector<double> coral =
      FetchCoral(settings.dish, grid, static_cast<int>(settings.steps % 2));
  example::WritePicture(PictureOf(settings.dish, coral), settings.output, file);
  if (settings.no_verify) return true;
  const bool right = coral == ComputeAlone(settings.dish, settings.steps);
  std::printf(right ? "picture ok\n"
                    : "WRONG: one rank alone gets another picture\n");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  const CoralSettings settings = ReadCommandLine(argc, argv);
  const Dish& dish = settings.dish;
  const TileGrid grid = TileGrid::Of(Size(), dish);
  const TilePosition mine = TilePosition::Of(Rank(), grid, dish);
  example::Attach({}, mine.Bytes());

  std::FILE* const picture =
      example::IsRoot() ? example::OpenPicture(settings.output) : nullptr;
  coral::Fill(dish, mine, example::SegmentOf(Rank()));
  const Halos halos(dish, grid);
  example::Barrier();
  const double start = example::Now();
  for (uint64_t step = 0; step < settings.steps; ++step) {
    Step(halos, mine, static_cast<int>(step % 2));
  }
  // No rank may read a tile before its owner has finished.
  example::Barrier();
  bool good = true;
  if (example::IsRoot()) {
    const double seconds = example::Now() - start;
    std::printf(
        "%u ranks in %u columns and %u rows, %.3f s, "
        "%.0f million cells/s\n",
        Size(), static_cast<unsigned>(grid.columns),
        static_cast<unsigned>(grid.rows), seconds,
        static_cast<double>(dish.width * dish.height) *
            static_cast<double>(settings.steps) / seconds / 1e6);
    good = ShowResult(settings, grid, picture);
  }
  // No rank may end before rank 0 has read its tile.
  example::Barrier();
  example::Finish(good ? 0 : 1);
}
