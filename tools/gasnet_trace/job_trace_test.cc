// Tests of the time axis, and of the check that files belong together.
#include "tools/gasnet_trace/job_trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/observe/trace_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/gasnet_trace/testing/made_trace.h"

namespace gasnet::trace {
namespace {

using observe::TraceHeader;
using testing::HasSubstr;

class JobTraceTest : public testing::Test {
 protected:
  // Makes the file of a rank. When the rank started, its clock showed `start`.
  MadeTrace& Make(uint32_t rank, uint32_t host, int64_t start) {
    made_.push_back(std::make_unique<MadeTrace>(rank, 4, host));
    made_.back()->Patch(offsetof(TraceHeader, start_nanos), start);
    return *made_.back();
  }
  void Add(const MadeTrace& made) {
    const absl::Status status = job_.Add(made.Open());
    EXPECT_TRUE(status.ok()) << status;
  }
  // Adds all files, and makes the time axis.
  void Align() {
    for (const auto& made : made_) Add(*made);
    job_.Align();
  }

  std::vector<std::unique_ptr<MadeTrace>> made_;
  JobTrace job_;
};

TEST_F(JobTraceTest, TheAxisBeginsAtTheStartOfTheFirstRank) {
  Make(1, 0, 1200);
  Make(0, 0, 1000);
  Make(2, 0, 900);
  Align();
  EXPECT_EQ(job_.OnAxis(0, 1000), 100);
  EXPECT_EQ(job_.OnAxis(2, 900), 0);
  EXPECT_EQ(job_.OnAxis(1, 800), -100);
  EXPECT_EQ(job_.ErrorOf(1), 0);
  EXPECT_EQ(job_.hosts(), 1u);
}

TEST_F(JobTraceTest, OffsetsAreAppliedToTheirHost) {
  Make(0, 0, 1000);
  Make(1, 1, 700).file().SetStartOffset({500, 20, 700});
  Align();
  EXPECT_EQ(job_.OnAxis(1, 700), 200);
  EXPECT_EQ(job_.OnAxis(1, 9700), 9200);
  EXPECT_EQ(job_.OnAxis(0, 1000), 0);
  EXPECT_EQ(job_.ErrorOf(0), 0);
  EXPECT_EQ(job_.ErrorOf(1), 20);
  EXPECT_EQ(job_.hosts(), 2u);
}

TEST_F(JobTraceTest, TheBestEstimateCountsForAllRanksOfAHost) {
  Make(0, 0, 1000);
  Make(1, 1, 1000).file().SetStartOffset({500, 20, 1000});
  Make(2, 1, 1000).file().SetStartOffset({505, 5, 1000});
  Make(3, 1, 1000);
  Align();
  for (size_t place : {1, 2, 3}) {
    EXPECT_EQ(job_.OnAxis(place, 2000), 1505);
    EXPECT_EQ(job_.ErrorOf(place), 5);
  }
}

TEST_F(JobTraceTest, TheClockOfRank0IsTheAxis) {
  Make(0, 0, 1000).file().SetStartOffset({7, 3, 1000});
  Make(1, 0, 1000).file().SetEndOffset({9, 1, 1000});
  Align();
  EXPECT_EQ(job_.OnAxis(1, 1001), 1);
  EXPECT_EQ(job_.ErrorOf(1), 0);
}

TEST_F(JobTraceTest, WithoutRank0EstimatesStillCount) {
  Make(1, 1, 1000).file().SetStartOffset({500, 20, 1000});
  Make(2, 2, 1000).file().SetStartOffset({-100, 5, 1000});
  Align();
  EXPECT_EQ(job_.OnAxis(0, 1000), 600);
  EXPECT_EQ(job_.OnAxis(1, 1000), 0);
  EXPECT_EQ(job_.ErrorOf(0), 20);
}

TEST_F(JobTraceTest, TheOffsetChangesEvenly) {
  HostClock clock;
  clock.start = {1000, 4, 1'000'000};
  clock.end = {1100, 6, 2'000'000};
  EXPECT_EQ(clock.OffsetAt(1'000'000), 1000);
  EXPECT_EQ(clock.OffsetAt(1'500'000), 1050);
  EXPECT_EQ(clock.OffsetAt(2'000'000), 1100);
  EXPECT_EQ(clock.OffsetAt(0), 1000) << "the first before it";
  EXPECT_EQ(clock.OffsetAt(kTimeLimit - 1), 1100) << "the last after it";
  EXPECT_EQ(clock.Error(), 6);
}

TEST_F(JobTraceTest, OneEstimateIsEnough) {
  HostClock clock;
  EXPECT_EQ(clock.Error(), std::nullopt);
  clock.end = {1100, 6, 2'000'000};
  EXPECT_EQ(clock.OffsetAt(5), 1100);
  EXPECT_EQ(clock.Error(), 6);
  clock.start = {1000, 4, 2'000'000};
  EXPECT_EQ(clock.OffsetAt(5), 1100) << "both of the same time";
}

TEST_F(JobTraceTest, NoClockRunsMuchFaster) {
  HostClock clock;
  clock.start = {0, 0, 0};
  clock.end = {kTimeLimit - 1, 0, 1};
  EXPECT_EQ(clock.OffsetAt(kTimeLimit - 1), 0);
}

// The dates of the starts show that the two clocks differ by 10 s.
TEST_F(JobTraceTest, DatesPlaceAClockWithoutAnEstimate) {
  constexpr int64_t kSecond = 1'000'000'000;
  Make(0, 0, 20 * kSecond)
      .Patch(offsetof(TraceHeader, start_wall_nanos), 120 * kSecond);
  Make(1, 1, 11 * kSecond)
      .Patch(offsetof(TraceHeader, start_wall_nanos), 121 * kSecond);
  Align();
  EXPECT_EQ(job_.OnAxis(1, 11 * kSecond), kSecond);
  EXPECT_EQ(job_.ErrorOf(1), std::nullopt);
}

TEST_F(JobTraceTest, DatesAreThoseOfAClockWithAnEstimate) {
  for (const uint32_t rank : {1, 2}) {
    MadeTrace& made = Make(rank, rank, 1000);
    made.Patch(offsetof(TraceHeader, start_wall_nanos), int64_t{5000});
    if (rank == 1) made.file().SetStartOffset({700, 20, 1000});
  }
  Align();
  EXPECT_EQ(job_.OnAxis(0, 1000), 0);
  EXPECT_EQ(job_.OnAxis(1, 1000), 0);
}

// The ranks of a host started at different times, and share the host's clock.
TEST_F(JobTraceTest, DatesPlaceAllRanksOfAHostAlike) {
  const auto make = [this](uint32_t rank, uint32_t host, int64_t start,
                           int64_t date) {
    Make(rank, host, start)
        .Patch(offsetof(TraceHeader, start_wall_nanos), date);
  };
  make(0, 0, 1000, 5000);
  // The host's date was changed between the starts of these two ranks.
  make(1, 1, 1000, 5000);
  make(2, 1, 1030, 5060);
  Align();
  ASSERT_EQ(job_.ranks().size(), 3u);
  EXPECT_EQ(job_.OnAxis(0, 1000), 0);
  EXPECT_EQ(job_.OnAxis(1, 1000), 0);
  EXPECT_EQ(job_.OnAxis(2, 1000), 0);
}

TEST_F(JobTraceTest, RanksAreFoundInOrder) {
  Make(3, 0, 1);
  Make(1, 0, 1);
  Align();
  ASSERT_EQ(job_.ranks().size(), 2u);
  EXPECT_EQ(job_.ranks()[0].rank(), 1u);
  EXPECT_EQ(job_.PlaceOf(3), 1u);
  EXPECT_EQ(job_.PlaceOf(1), 0u);
  EXPECT_EQ(job_.PlaceOf(0), std::nullopt);
  EXPECT_EQ(job_.PlaceOf(2), std::nullopt);
  EXPECT_EQ(job_.PlaceOf(4), std::nullopt);
}

TEST_F(JobTraceTest, MissingRanksAreNamed) {
  const auto missing = [](uint32_t ranks, std::vector<uint32_t> given) {
    JobTrace job;
    for (const uint32_t rank : given) {
      EXPECT_TRUE(job.Add(MadeTrace(rank, ranks).Open()).ok());
    }
    return job.MissingRanks();
  };
  EXPECT_EQ(missing(2, {0, 1}), "");
  EXPECT_EQ(missing(3, {1}), "0, 2");
  EXPECT_EQ(missing(9, {2, 6}), "0, 1, 3 to 5, 7, 8");
}

TEST_F(JobTraceTest, ARankHasOneFile) {
  const MadeTrace made(2);
  Add(made);
  const absl::Status status = job_.Add(made.Open());
  EXPECT_EQ(status.message(), "'" + made.path() +
                                  "': the rank is 2, like that "
                                  "of '" +
                                  made.path() +
                                  "'; accepted: one "
                                  "file of each rank");
  EXPECT_EQ(job_.ranks().size(), 1u);
}

TEST_F(JobTraceTest, FilesOfAnotherJobAreRefused) {
  Add(Make(0, 0, 1));
  const MadeTrace other(1, 5);
  EXPECT_THAT(std::string(job_.Add(other.Open()).message()),
              HasSubstr("': the number of ranks is 5; accepted: 4, that of '"));
  EXPECT_EQ(job_.ranks().size(), 1u);
}

}  // namespace
}  // namespace gasnet::trace
