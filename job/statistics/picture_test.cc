// Tests pieces of the picture of small jobs. tools/gasnetrun/testing parses a
// whole picture.
#include "job/statistics/picture.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/statistics/job_statistics.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;
using testing::Not;

int Count(const std::string& text, const std::string& piece) {
  int count = 0;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

std::string PictureOf(const JobStatistics& job) {
  return StatisticsSvg(job.Summarize(2'000'000'000, {"<a>", "b&c"}));
}

// Ranks 0 and 1 of 3 have reported.
JobStatistics SmallJob() {
  JobStatistics job(3, {});
  job.Take(0, {.elapsed = 1000,
               .calls = {{.name = "f", .nanos = 100, .waiting = 300}},
               .peers = {{.peer = 1, .operations = 5, .bytes = 1},
                         {.peer = 2, .operations = 6, .bytes = 10'000}}});
  job.Take(1, {.elapsed = 1000,
               .peers = {{.peer = 0, .operations = 7, .bytes = 100},
                         {.peer = 1, .operations = 8}}});
  return job;
}

TEST(PictureTest, ACellForEachPairWithTraffic) {
  const std::string svg = PictureOf(SmallJob());
  EXPECT_THAT(svg, HasSubstr("<title>rank 0 with rank 1: 5 operations, 1 B<"));
  EXPECT_THAT(svg,
              HasSubstr("<title>rank 0 with rank 2: 6 operations, 9.8 KiB<"));
  EXPECT_THAT(svg,
              HasSubstr("<title>rank 1 with rank 0: 7 operations, 100 B<"));
  EXPECT_THAT(svg, HasSubstr("<title>rank 1 with rank 1: 8 operations, 0 B<"));
  EXPECT_EQ(Count(svg, " with rank "), 4);
}

// The row of a cell is the rank, and its column is the peer.
TEST(PictureTest, ACellIsAtItsPlaceAndItsColourIsTheLogarithmOfItsBytes) {
  const std::string svg = PictureOf(SmallJob());
  const std::string cell = "<rect class=\"cell\" ";
  EXPECT_THAT(svg, HasSubstr(cell + "x=\"158\" y=\"150\" width=\"27\" "
                                    "height=\"27\" opacity=\"0.12\"><title>"
                                    "rank 0 with rank 1:"));
  EXPECT_THAT(svg,
              HasSubstr(cell + "x=\"186\" y=\"150\" width=\"27\" "
                               "height=\"27\"><title>rank 0 with rank 2:"));
  EXPECT_THAT(svg, HasSubstr(cell + "x=\"130\" y=\"178\" width=\"27\" "
                                    "height=\"27\" opacity=\"0.56\"><title>"
                                    "rank 1 with rank 0:"));
  EXPECT_THAT(svg, HasSubstr(cell + "x=\"158\" y=\"178\" width=\"27\" "
                                    "height=\"27\" opacity=\"0.06\"><title>"
                                    "rank 1 with rank 1:"));
}

TEST(PictureTest, TheLegendNamesTheBytesOfTheColours) {
  const std::string svg = PictureOf(SmallJob());
  for (const char* const bytes :
       {"1 B", "10 B", "100 B", "1000 B", "9.8 KiB"}) {
    EXPECT_THAT(svg, HasSubstr(absl::StrCat(">", bytes, "</text>")));
  }
}

TEST(PictureTest, ABarForEachRank) {
  const std::string svg = PictureOf(SmallJob());
  const std::string title =
      "\"><title>rank 0: computing 60.0 %, in GASNet 10.0 %, waiting 30.0 %<";
  EXPECT_EQ(Count(svg, title), 3);
  EXPECT_THAT(svg, HasSubstr("<rect class=\"computing\" x=\"130\" y=\"290\" "
                             "width=\"288\" height=\"10" +
                             title));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"working\" x=\"418\" y=\"290\" "
                             "width=\"48\" height=\"10" +
                             title));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"waiting\" x=\"466\" y=\"290\" "
                             "width=\"144\" height=\"10" +
                             title));
  EXPECT_EQ(Count(svg, "<title>rank 1: computing 100.0 %, in GASNet 0.0 %"), 1)
      << "parts without time have no width";
  EXPECT_THAT(svg, HasSubstr("<rect class=\"missing\" x=\"130\" y=\"318\" "
                             "width=\"480\" height=\"10\"><title>rank 2: has "
                             "not reported<"));
  EXPECT_THAT(svg,
              HasSubstr("3 ranks, 2 reported, 1 missing; wall time 2.0 s"));
}

TEST(PictureTest, PartsOfABarThatExceedTheTimeElapsedShareItsWidth) {
  JobStatistics job(1, {});
  job.Take(0, {.elapsed = 100,
               .calls = {{.name = "f", .nanos = 100, .waiting = 300}}});
  const std::string svg = PictureOf(job);
  EXPECT_THAT(svg, HasSubstr("<rect class=\"working\" x=\"130\" y=\"234\" "
                             "width=\"120\" "));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"waiting\" x=\"250\" y=\"234\" "
                             "width=\"360\" "));
  EXPECT_THAT(svg, HasSubstr("waiting 300.0 %"));
}

TEST(PictureTest, NamesOfHostsAreEscaped) {
  std::vector<uint32_t> host_of(66, 0);
  host_of.back() = 1;
  JobStatistics job(66, host_of);
  job.Take(0, {.elapsed = 1, .peers = {{.peer = 65, .operations = 1}}});
  const std::string svg = PictureOf(job);
  EXPECT_THAT(svg, HasSubstr("<title>host &lt;a&gt; with host b&amp;c: 1 "
                             "operations, 0 B</title>"));
  EXPECT_THAT(svg, HasSubstr("host &lt;a&gt; (1 of 65 ranks have reported): "));
  EXPECT_THAT(svg, Not(HasSubstr("<a>")));
  EXPECT_THAT(svg, HasSubstr(">no bytes</text>"));
}

TEST(PictureTest, LongNamesOfHostsAreCutInLabelsOnly) {
  std::vector<uint32_t> host_of(66, 0);
  host_of.back() = 1;
  JobStatistics job(66, host_of);
  const std::string svg =
      StatisticsSvg(job.Summarize(0, {"a-name-of-12", "a-name-of-13c"}));
  EXPECT_EQ(Count(svg, ">host a-name-of-12<"), 3);
  EXPECT_EQ(Count(svg, ">host a-name-of-..<"), 3);
  EXPECT_EQ(Count(svg, ">host a-name-of-13c: has not reported<"), 1);
}

TEST(PictureTest, OneAmountOfBytesHasOneColour) {
  JobStatistics job(2, {});
  job.Take(0, {.peers = {{.peer = 1, .operations = 1, .bytes = 2048}}});
  const std::string svg = PictureOf(job);
  EXPECT_EQ(Count(svg, ">2.0 KiB</text>"), 1);
  EXPECT_EQ(Count(svg, "opacity"), 0);
}

TEST(PictureTest, TrafficThatIsNotShownIsTold) {
  JobStatistics job(1, {});
  EXPECT_THAT(PictureOf(job), Not(HasSubstr("Not shown")));
  job.Take(0, {.other_operations = 3, .other_bytes = 2048});
  EXPECT_THAT(PictureOf(job), HasSubstr("Not shown: 3 operations, 2.0 KiB"));
}

TEST(PictureTest, LabelsOfManyRanksDoNotOverlap) {
  JobStatistics job(64, {});
  const std::string svg = PictureOf(job);
  // Each rank has a label at its bar. It also has two labels at the matrix, if
  // there is room.
  EXPECT_EQ(Count(svg, ">rank 0</text>"), 3);
  EXPECT_EQ(Count(svg, ">rank 1</text>"), 1);
  EXPECT_EQ(Count(svg, ">rank 2</text>"), 3);
}

TEST(PictureTest, ExtremesAreNumbers) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  JobStatistics job(2, {});
  job.Take(0, {.elapsed = std::numeric_limits<int64_t>::max(),
               .calls = {{.name = "f",
                          .nanos = std::numeric_limits<int64_t>::max(),
                          .waiting = std::numeric_limits<int64_t>::max()}},
               .peers = {{.peer = 0, .operations = kMost, .bytes = kMost},
                         {.peer = 1, .operations = 1, .bytes = kMost - 1}}});
  const std::string svg = PictureOf(job);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("=\"-")));
}

TEST(PictureTest, ItAdaptsToDarkBackgrounds) {
  const std::string svg = PictureOf(SmallJob());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme:dark)"));
}

}  // namespace
}  // namespace gasnet::job
