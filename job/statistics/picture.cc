#include "job/statistics/picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "job/statistics/xml.h"

namespace gasnet::job {
namespace {

// Lengths, in pixels.
constexpr int kLeft = 130;   // Left of matrix and bars: space for labels.
constexpr int kTop = 150;    // Above the matrix: title and labels.
constexpr int kWidth = 480;  // Width of the bars, and roughly of the matrix.
constexpr int kRight = 170;  // Right of matrix and bars: the legend.
constexpr int kLine = 14;    // From one line of text, or one bar, to the next.
constexpr int kLargestCell = 28;
constexpr int kSwatches = 5;
// The length of the longest label that fits beside the matrix and above it, in
// bytes.
constexpr size_t kLabelBytes = 17;

constexpr char kStyle[] =
    "<style>\n"
    "text{font:12px sans-serif;fill:#222}\n"
    "text.head{font-weight:bold}\n"
    "text.right{text-anchor:end}\n"
    ".paper{fill:#fff}.grid{fill:#f1f1f1}\n"
    ".cell{fill:#0b4a9e}\n"
    ".computing{fill:#bdbdbd}.working{fill:#2f7fd6}.waiting{fill:#d9741a}\n"
    ".missing{fill:none;stroke:#888;stroke-dasharray:3 3}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e6e6e6}\n"
    ".paper{fill:#161616}.grid{fill:#262626}\n"
    ".cell{fill:#8cc0ff}\n"
    ".computing{fill:#555}.working{fill:#4d9bf0}.waiting{fill:#f0994a}\n"
    "}\n"
    "</style>\n";

// The logarithmic scale from bytes to opacity.
class Scale {
 public:
  explicit Scale(const JobSummary& summary) {
    for (const GroupSummary& group : summary.groups) {
      for (const Traffic& traffic : group.with) {
        if (traffic.bytes == 0) continue;
        least_ = most_ == 0 ? traffic.bytes : std::min(least_, traffic.bytes);
        most_ = std::max(most_, traffic.bytes);
      }
    }
  }

  bool IsEmpty() const { return most_ == 0; }

  // Returns the opacity for a number of bytes. 0 bytes (operations without
  // data) are just visible.
  double OpacityOf(uint64_t bytes) const {
    if (bytes == 0) return kFaintest / 2;
    if (IsOneColour()) return 1;
    return OpacityAt((Log(bytes) - Log(least_)) / (Log(most_) - Log(least_)));
  }
  static double OpacityAt(double place) {
    return kFaintest + (1 - kFaintest) * place;
  }

  // Returns the bytes at a place on the scale, from 0 (the fewest) to 1 (the
  // most).
  uint64_t BytesAt(double place) const {
    const double bytes =
        std::exp(Log(least_) + place * (Log(most_) - Log(least_))) + 0.5;
    const bool is_most = place >= 1 || bytes >= static_cast<double>(most_);
    return is_most ? most_ : static_cast<uint64_t>(bytes);
  }
  bool IsOneColour() const { return Log(least_) >= Log(most_); }

 private:
  static constexpr double kFaintest = 0.12;

  static double Log(uint64_t bytes) {
    return std::log(static_cast<double>(bytes));
  }

  uint64_t least_ = 0;
  uint64_t most_ = 0;
};

// Returns the name. If the name is too long, returns its beginning and "..".
std::string Label(const std::string& name) {
  if (name.size() <= kLabelBytes) return name;
  return absl::StrCat(name.substr(0, kLabelBytes - 2), "..");
}

std::string BarTitle(const GroupSummary& group) {
  const Times& times = group.times;
  return absl::StrCat(group.name,
                      group.reported == group.ranks
                          ? std::string()
                          : absl::StrCat(" (", group.reported, " of ",
                                         group.ranks, " ranks have reported)"),
                      ": computing ",
                      PercentText(times.Computing(), times.elapsed),
                      ", in GASNet ", PercentText(times.working, times.elapsed),
                      ", waiting ", PercentText(times.waiting, times.elapsed));
}

// Returns the width of a part of a bar. The whole bar is the elapsed time. If
// several threads together were in GASNet for longer than that, the whole bar
// is the time in GASNet.
int BarWidth(int64_t nanos, const Times& times) {
  const int64_t all = std::max(times.elapsed, times.InGasnet());
  if (all == 0) return 0;
  return static_cast<int>(std::lround(static_cast<double>(nanos) /
                                      static_cast<double>(all) * kWidth));
}

class Picture {
 public:
  explicit Picture(const JobSummary& summary)
      : summary_(summary),
        groups_(static_cast<int>(summary.groups.size())),
        cell_(std::min(kLargestCell, kWidth / std::max(1, groups_))),
        bars_top_(kTop + groups_ * cell_ + 4 * kLine) {}

  std::string Draw() {
    const int width = kLeft + kWidth + kRight;
    const int height = bars_top_ + (groups_ + 2) * kLine;
    out_ = absl::StrCat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 ", "0 ", width,
        " ", height, "\" width=\"", width, "\" height=\"", height,
        "\">\n<title>GASNet ", "statistics</title>\n", kStyle);
    out_ += SvgBox({0, 0, width, height}, "paper", "");
    DrawHead();
    DrawMatrix();
    DrawScale();
    DrawBars();
    return out_ + "</svg>\n";
  }

 private:
  void DrawHead() {
    const uint32_t missing = summary_.ranks - summary_.reported;
    out_ +=
        SvgText(16, 24,
                absl::StrCat("GASNet statistics: ", summary_.ranks, " ranks, ",
                             summary_.reported, " reported, ", missing,
                             " missing; wall time ", TimeText(summary_.wall)),
                "class=\"head\"");
    const Traffic& unknown = summary_.unknown;
    const std::string left_out =
        unknown.IsNone()
            ? std::string()
            : absl::StrCat(" Not shown: ", CountText(unknown.operations),
                           " operations, ", BytesText(unknown.bytes),
                           " with peers that are not known.");
    out_ += SvgText(
        16, 24 + kLine + 4,
        "Traffic of the ranks in a row, with those in a column." + left_out);
  }

  // Returns the distance between two labels, in groups. The distance is so
  // large that labels do not overlap.
  int LabelStep() const { return (kLine - 1) / cell_ + 1; }

  void DrawLabels(int at) {
    const std::string name =
        Label(summary_.groups[static_cast<size_t>(at)].name);
    const int middle = at * cell_ + cell_ / 2 + 4;
    out_ += SvgText(kLeft - 6, kTop + middle, name, "class=\"right\"");
    const int x = kLeft + middle;
    out_ += SvgText(
        x, kTop - 6, name,
        absl::StrCat("transform=\"rotate(-90 ", x, " ", kTop - 6, ")\""));
  }

  void DrawMatrix() {
    const int size = groups_ * cell_;
    out_ += SvgBox({kLeft, kTop, size, size}, "grid", "");
    for (int at = 0; at < groups_; at += LabelStep()) DrawLabels(at);
    const Scale scale(summary_);
    for (int row = 0; row < groups_; ++row) {
      for (int column = 0; column < groups_; ++column) {
        DrawCell(scale, row, column);
      }
    }
  }

  void DrawCell(const Scale& scale, int row, int column) {
    const GroupSummary& from = summary_.groups[static_cast<size_t>(row)];
    const GroupSummary& with = summary_.groups[static_cast<size_t>(column)];
    const Traffic& traffic = from.with[static_cast<size_t>(column)];
    if (traffic.IsNone()) return;
    const int gap = cell_ > 4 ? 1 : 0;
    out_ += SvgBox(
        {kLeft + column * cell_, kTop + row * cell_, cell_ - gap, cell_ - gap},
        "cell",
        absl::StrCat(from.name, " with ", with.name, ": ",
                     CountText(traffic.operations), " operations, ",
                     BytesText(traffic.bytes)),
        scale.OpacityOf(traffic.bytes));
  }

  void DrawScale() {
    const Scale scale(summary_);
    const int x = kLeft + kWidth + 16;
    int y = kTop;
    out_ += SvgText(x, y - 6, scale.IsEmpty() ? "no bytes" : "bytes");
    if (scale.IsEmpty()) return;
    const int swatches = scale.IsOneColour() ? 1 : kSwatches;
    for (int i = swatches - 1; i >= 0; --i, y += kLine + 4) {
      const double place =
          swatches == 1 ? 1 : static_cast<double>(i) / (swatches - 1);
      out_ += SvgBox({x, y, kLine, kLine}, "cell", "", Scale::OpacityAt(place));
      out_ += SvgText(x + kLine + 6, y + 11, BytesText(scale.BytesAt(place)));
    }
  }

  void DrawBars() {
    out_ +=
        SvgText(16, bars_top_ - kLine, "Time of the ranks", "class=\"head\"");
    int x = kLeft + kWidth + 16;
    int y = bars_top_;
    for (const char* const part : {"computing", "working", "waiting"}) {
      out_ += SvgBox({x, y, kLine, kLine}, part, "");
      out_ += SvgText(x + kLine + 6, y + 11,
                      part == std::string_view("working") ? "in GASNet" : part);
      y += kLine + 4;
    }
    for (int at = 0; at < groups_; ++at) DrawBar(at);
  }

  void DrawBar(int at) {
    const GroupSummary& group = summary_.groups[static_cast<size_t>(at)];
    const Box all = {kLeft, bars_top_ + at * kLine, kWidth, kLine - 4};
    out_ += SvgText(kLeft - 6, all.y + all.height, Label(group.name),
                    "class=\"right\"");
    if (group.reported == 0) {
      out_ += SvgBox(all, "missing", group.name + ": has not reported");
      return;
    }
    const std::string title = BarTitle(group);
    const Times& times = group.times;
    Box part = all;
    for (const auto& [css_class, nanos] : {
             std::pair("computing", times.Computing()),
             std::pair("working", times.working),
             std::pair("waiting", times.waiting),
         }) {
      part.width = BarWidth(nanos, times);
      if (part.width > 0) out_ += SvgBox(part, css_class, title);
      part.x += part.width;
    }
  }

  const JobSummary& summary_;
  const int groups_;
  const int cell_;
  const int bars_top_;
  std::string out_;
};

}  // namespace

std::string StatisticsSvg(const JobSummary& summary) {
  return Picture(summary).Draw();
}

}  // namespace gasnet::job
