// Heat that spreads over a plate with walls: a two-dimensional stencil.
//
// Every rank has a band of rows (plate.h). To compute its outermost rows, a
// rank needs the nearest rows of its neighbours. So in each step every rank
// puts its outermost rows into the neighbours' halos, without the neighbours'
// help, and meanwhile computes its inner rows. A barrier then ensures that all
// halos are complete.
//
// There are two states, present and next. So no rank writes into a halo that is
// still being read: a state's halos are written again only two steps later,
// with a barrier in between.
//
// No heat may be lost or created. So the program checks the total heat, the
// hottest and the coldest cell whenever it prints them. The picture is the same
// for any number of ranks, in every pixel.

#include <gasnet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "examples/heat/plate.h"
#include "examples/util/job.h"
#include "examples/util/options.h"
#include "examples/util/png.h"

namespace {

using example::Colour;
using example::Rank;
using example::Size;
using heat::Band;
using heat::BandLayout;
using heat::Plate;
using heat::PlateSummary;

BandLayout LayoutOf(const Plate& plate, gasnet_node_t rank) {
  return {plate.width,
          plate.FirstRow(rank + 1, Size()) - plate.FirstRow(rank, Size())};
}

double* RowOf(const Plate& plate, gasnet_node_t rank, int state, uint64_t row) {
  return LayoutOf(plate, rank).Row(example::SegmentOf(rank), state, row);
}

// --- One step ---------------------------------------------------------------

// Starts the puts of this rank's outermost rows into the halos of both
// neighbours.
void SendHalos(const Plate& plate, int state, gasnet_handle_t handles[2]) {
  const BandLayout mine = LayoutOf(plate, Rank());
  const size_t bytes = mine.RowCells() * sizeof(double);
  // stays invalid without a neighbour
  handles[0] = handles[1] = GASNET_INVALID_HANDLE;
  if (Rank() > 0) {
    const gasnet_node_t above = Rank() - 1;
    const uint64_t lower_halo = LayoutOf(plate, above).rows + 1;
    handles[0] =
        gasnet_put_nb_bulk(above, RowOf(plate, above, state, lower_halo),
                           RowOf(plate, Rank(), state, 1), bytes);
  }
  if (Rank() + 1 < Size()) {
    const gasnet_node_t below = Rank() + 1;
    handles[1] =
        gasnet_put_nb_bulk(below, RowOf(plate, below, state, 0),
                           RowOf(plate, Rank(), state, mine.rows), bytes);
  }
}

void Step(const Plate& plate, int present, Band* band) {
  const uint64_t rows = LayoutOf(plate, Rank()).rows;
  gasnet_handle_t handles[2];
  SendHalos(plate, present, handles);
  for (uint64_t row = 2; row < rows; ++row) band->Advance(present, row);
  // A barrier does not complete puts. So this rank first syncs its own puts,
  // and then waits for all ranks.
  gasnet_wait_syncnb_all(handles, 2);
  example::Barrier();
  band->Advance(present, 1);
  if (rows > 1) band->Advance(present, rows);
}

// --- Checks -----------------------------------------------------------------

PlateSummary SummariseAll(const Band& band, int state) {
  const PlateSummary mine = band.Summarise(state);
  const std::vector<double> hottest = example::AllGather(mine.hottest);
  const std::vector<double> coldest = example::AllGather(mine.coldest);
  return {example::Sum(mine.heat), example::Sum(mine.squares),
          *std::max_element(hottest.begin(), hottest.end()),
          *std::min_element(coldest.begin(), coldest.end())};
}

// Returns a message if the change from `earlier` to `later` breaks a law of
// nature, else null. kSlack allows for rounding.
const char* Violation(const PlateSummary& earlier, const PlateSummary& later) {
  constexpr double kSlack = 1e-9;
  if (!(std::abs(later.heat - earlier.heat) <= kSlack * earlier.heat)) {
    return "the total heat is not conserved";
  }
  if (!(later.squares <= earlier.squares * (1 + kSlack))) {
    return "the heat does not spread";
  }
  if (!(later.hottest <= earlier.hottest + kSlack)) {
    return "the hottest cell got hotter";
  }
  if (!(later.coldest >= earlier.coldest - kSlack)) {
    return "the coldest cell got colder";
  }
  return nullptr;
}

void PrintState(int step, const PlateSummary& summary) {
  if (!example::IsRoot()) return;
  std::printf("step %7d  heat %.6f  hottest %.6f  coldest %.6f\n", step,
              summary.heat, summary.hottest, summary.coldest);
  std::fflush(stdout);
}

// Returns true if all checks passed.
bool Simulate(const Plate& plate, int steps, Band* band) {
  constexpr int64_t kReports = 10;
  PlateSummary last = SummariseAll(*band, 0);
  PrintState(0, last);
  for (int step = 1; step <= steps; ++step) {
    Step(plate, (step - 1) % 2, band);
    // Reports at most kReports steps, always including the last one.
    if (step * kReports / steps == (step - 1) * kReports / steps) continue;
    const PlateSummary now = SummariseAll(*band, step % 2);
    PrintState(step, now);
    const char* const violation = Violation(last, now);
    if (violation != nullptr) {
      if (example::IsRoot()) std::printf("WRONG: %s\n", violation);
      return false;
    }
    last = now;
  }
  return true;
}

// --- The picture ------------------------------------------------------------

// Returns the colours of the picture. Colour 0 is for walls; colours 1 to 255
// go from cold to hot. Some shades are darker than the next ones and show as
// lines of equal temperature.
std::vector<Colour> MakePalette() {
  constexpr double kStops[][3] = {{8, 8, 48},     {70, 20, 120},
                                  {190, 40, 90},  {250, 120, 30},
                                  {255, 210, 70}, {255, 255, 220}};
  constexpr double kLast = std::size(kStops) - 1;
  std::vector<Colour> palette = {{120, 128, 136}};
  for (int n = 0; n < 255; ++n) {
    const double position = n / 254.0 * kLast;
    const auto stop = static_cast<size_t>(std::min(position, kLast - 1));
    const double part = position - static_cast<double>(stop);
    const double light = n % 16 == 15 ? 0.8 : 1;
    uint8_t mixed[3];
    for (int i = 0; i < 3; ++i) {
      mixed[i] = static_cast<uint8_t>(
          light * std::lerp(kStops[stop][i], kStops[stop + 1][i], part));
    }
    palette.push_back({mixed[0], mixed[1], mixed[2]});
  }
  return palette;
}

// Fetches every rank's rows. Runs on rank 0 alone; the other ranks take no
// part.
std::vector<uint8_t> FetchPixels(const Plate& plate, int state) {
  std::vector<uint8_t> pixels;
  std::vector<double> cells(LayoutOf(plate, 0).RowCells());
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    const uint64_t first = plate.FirstRow(rank, Size());
    for (uint64_t row = 0; row < LayoutOf(plate, rank).rows; ++row) {
      gasnet_get_bulk(cells.data(), rank, RowOf(plate, rank, state, row + 1),
                      cells.size() * sizeof(double));
      for (uint64_t x = 0; x < plate.width; ++x) {
        const double warmth = std::clamp(cells[x + 1], 0.0, 1.0);
        pixels.push_back(plate.IsOpen(x, first + row)
                             ? static_cast<uint8_t>(1 + warmth * 254)
                             : 0);
      }
    }
  }
  return pixels;
}

std::string PictureOf(const Plate& plate, int state) {
  return example::EncodePng(static_cast<uint32_t>(plate.width),
                            static_cast<uint32_t>(plate.height), MakePalette(),
                            FetchPixels(plate, state));
}

// --- The program ------------------------------------------------------------

struct HeatSettings {
  Plate plate = {360, 240};
  int steps = 0;
  std::string output = "heat.png";
};

HeatSettings ReadCommandLine(int argc, char** argv) {
  HeatSettings settings;
  Plate& plate = settings.plate;
  uint64_t steps = 8000;
  example::Options options(
      "heat [OPTION...]",
      "Computes how heat spreads over a plate and draws the result.");
  options.Number("width", &plate.width, 3, 100'000, "cells from left to right");
  options.Number("height", &plate.height, 3, 100'000,
                 "cells from top to bottom");
  options.Number("steps", &steps, 1, 1'000'000'000, "steps of time");
  options.Text("output", "FILE.png", &settings.output, "the picture");
  options.ParseOrExit(argc, argv);
  settings.steps = static_cast<int>(steps);
  if (plate.height < Size()) {
    options.Reject(absl::StrCat("--height ", plate.height, ": ", Size(),
                                " ranks need at least one row each"));
  }
  if (LayoutOf(plate, Size() - 1).Bytes() > example::MaxSegmentBytes()) {
    options.Reject(absl::StrCat("the plate is too large for the memory of ",
                                Size(), " ranks"));
  }
  return settings;
}

void PrintSpeed(const HeatSettings& settings, double seconds, bool good) {
  if (!example::IsRoot()) return;
  const Plate& plate = settings.plate;
  const double cells = static_cast<double>(plate.width * plate.height);
  std::printf("%u ranks, %.3f s, %.0f million cells/s, checks %s\n", Size(),
              seconds, cells * settings.steps / seconds / 1e6,
              good ? "ok" : "FAILED");
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  const HeatSettings settings = ReadCommandLine(argc, argv);
  const Plate& plate = settings.plate;
  const BandLayout layout = LayoutOf(plate, Rank());
  example::Attach({}, layout.Bytes());

  std::FILE* const picture =
      example::IsRoot() ? example::OpenPicture(settings.output) : nullptr;
  Band band(plate, plate.FirstRow(Rank(), Size()), layout,
            example::SegmentOf(Rank()));
  // No rank may put into a halo before its owner has filled it.
  example::Barrier();
  const double start = example::Now();
  const bool good = Simulate(plate, settings.steps, &band);
  // No rank may read a band before its owner has finished.
  example::Barrier();
  PrintSpeed(settings, example::Now() - start, good);
  if (example::IsRoot()) {
    example::WritePicture(PictureOf(plate, settings.steps % 2), settings.output,
                          picture);
  }
  example::Finish(good ? 0 : 1);
}
