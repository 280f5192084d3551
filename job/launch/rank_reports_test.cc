#include "job/launch/rank_reports.h"

#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "job/statistics/rank_statistics.h"
#include "job/status/rank_status.h"
#include "job/testing/recorder.h"

namespace gasnet::job {
namespace {

using Events = std::vector<std::string>;

// All reports on a rank except STARTED.
constexpr FrameType kReports[] = {
    FrameType::kRankHello,  FrameType::kRankGather,    FrameType::kRankExit,
    FrameType::kRankClosed, FrameType::kRankOutput,    FrameType::kRankEnded,
    FrameType::kRankStatus, FrameType::kRankStatistics};

// Returns the status of a rank with two waits.
RankStatus TwoWaits() {
  RankStatus status;
  status.waits.resize(2);
  return status;
}

// Returns the statistics of a rank with two peers.
RankStatistics TwoPeers() {
  return {.elapsed = 9,
          .peers = {{.peer = 3, .bytes = 2}, {.peer = 1, .bytes = 1}}};
}

// Connects both sides: passes the encoded notes of this RankReporter to a
// ReportedRank.
class Loop : public RankReporter {
 public:
  ReportedRank rank;
  Recorder told;
  bool is_taken = true;

 private:
  void Report(FrameType type, const Note& note) override {
    const std::string frame = EncodeNote(type, note);
    Note decoded;
    ASSERT_TRUE(
        DecodeNote(std::string_view(frame).substr(kFrameHeaderBytes), decoded));
    is_taken = rank.Take(type, decoded, told);
  }
};

TEST(RankReportsTest, TheSupervisorIsToldWhatTheOwnerSaw) {
  Loop loop;
  loop.OnStarted(7, 1234);
  loop.OnHello(7, {.rank = 7, .pid = 1235, .config = "PAR"});
  loop.OnStatus(7, TwoWaits());
  loop.OnGather(7, {.sequence = 2, .bytes = "abc"});
  loop.OnOutput(7, kStderr, "a line\n");
  loop.OnStatistics(7, TwoPeers());
  loop.OnExit(7, -3);
  loop.OnExit(7, kLeavesByExit);
  loop.OnChannelClosed(7, "garbage");
  loop.OnEnded(7, 0x0b00);
  EXPECT_TRUE(loop.is_taken);
  EXPECT_EQ(
      loop.told.events,
      (Events{"started 7 pid 1234", "hello 7 pid 1235 PAR", "status 7 2 waits",
              "gather 7 number 2 abc", "statistics 7 elapsed 9 peers 2",
              "exit 7 code -3", "exit 7 code -2147483648", "closed 7 'garbage'",
              "ended 7 status 2816"}));
  EXPECT_EQ(loop.told.output[kStderr], "a line\n");
  EXPECT_EQ(loop.told.output[kStdout], "");
}

class ReportedRankTest : public testing::Test {
 protected:
  // Passes a note to the ReportedRank. Only status and statistics need a
  // payload.
  bool Take(FrameType type, uint32_t value = 0) {
    const std::string bytes =
        type == FrameType::kRankStatus       ? EncodeStatus(TwoWaits())
        : type == FrameType::kRankStatistics ? Encode(TwoPeers())
                                             : "";
    return rank_.Take(type, {.rank = 1, .value = value, .bytes = bytes}, told_);
  }
  // Returns true if the note is refused and the observer receives nothing.
  bool IsRefused(FrameType type, uint32_t value = 0) {
    const Events before = told_.events;
    const auto output = told_.output;
    return !Take(type, value) && told_.events == before &&
           told_.output == output;
  }

  ReportedRank rank_;
  Recorder told_;
};

TEST_F(ReportedRankTest, DoesNothingBeforeItHasStarted) {
  for (const FrameType type : kReports) EXPECT_TRUE(IsRefused(type));
  EXPECT_TRUE(Take(FrameType::kStarted, 5));
  EXPECT_EQ(told_.events, Events{"started 1 pid 5"});
}

TEST_F(ReportedRankTest, StartsAndJoinsOnce) {
  Take(FrameType::kStarted, 5);
  EXPECT_TRUE(IsRefused(FrameType::kStarted, 5));
  EXPECT_FALSE(rank_.joined());
  EXPECT_TRUE(Take(FrameType::kRankHello));
  EXPECT_TRUE(rank_.joined());
  EXPECT_TRUE(IsRefused(FrameType::kRankHello));
  EXPECT_TRUE(IsRefused(FrameType::kStarted, 5));
}

TEST_F(ReportedRankTest, GathersAndExitsOnlyWhenItHasJoined) {
  Take(FrameType::kStarted);
  EXPECT_TRUE(IsRefused(FrameType::kRankStatistics));
  EXPECT_TRUE(IsRefused(FrameType::kRankGather));
  EXPECT_TRUE(IsRefused(FrameType::kRankExit));
  Take(FrameType::kRankHello);
  EXPECT_TRUE(Take(FrameType::kRankGather));
  EXPECT_TRUE(Take(FrameType::kRankStatistics));
  EXPECT_TRUE(Take(FrameType::kRankExit));
}

// A program that never calls gasnet_init may end. It may also close descriptors
// that it does not know, such as the control channel.
TEST_F(ReportedRankTest, MayCloseItsChannelAndEndWithoutJoining) {
  Take(FrameType::kStarted);
  EXPECT_TRUE(Take(FrameType::kRankClosed));
  EXPECT_TRUE(Take(FrameType::kRankEnded));
  EXPECT_TRUE(rank_.ended());
}

TEST_F(ReportedRankTest, DoesNothingAfterItsEndButPrint) {
  Take(FrameType::kStarted);
  Take(FrameType::kRankHello);
  EXPECT_FALSE(rank_.ended());
  EXPECT_TRUE(Take(FrameType::kRankEnded));
  EXPECT_TRUE(rank_.ended());
  for (const FrameType type : kReports) {
    EXPECT_EQ(IsRefused(type), type != FrameType::kRankOutput);
  }
  EXPECT_TRUE(IsRefused(FrameType::kStarted));
}

TEST_F(ReportedRankTest, PrintsToOneOfTwoStreams) {
  Take(FrameType::kStarted);
  EXPECT_TRUE(Take(FrameType::kRankOutput, kStderr));
  EXPECT_TRUE(IsRefused(FrameType::kRankOutput, kStderr + 1));
}

TEST_F(ReportedRankTest, HasAStatusAsLongAsItRuns) {
  Take(FrameType::kStarted, 5);
  EXPECT_TRUE(Take(FrameType::kRankStatus));
  EXPECT_TRUE(Take(FrameType::kRankHello));
  EXPECT_TRUE(Take(FrameType::kRankStatus));
  EXPECT_TRUE(Take(FrameType::kRankExit));
  EXPECT_TRUE(Take(FrameType::kRankClosed));
  EXPECT_TRUE(Take(FrameType::kRankStatus));
  EXPECT_EQ(
      std::count(told_.events.begin(), told_.events.end(), "status 1 2 waits"),
      3);
}

TEST_F(ReportedRankTest, HasNoStatusOfOtherBytes) {
  Take(FrameType::kStarted);
  const std::string bytes = EncodeStatus(TwoWaits());
  for (const std::string& other :
       {std::string(), bytes.substr(1), bytes + '\0'}) {
    const Events before = told_.events;
    EXPECT_FALSE(
        rank_.Take(FrameType::kRankStatus, {.rank = 1, .bytes = other}, told_));
    EXPECT_EQ(told_.events, before);
  }
}

TEST_F(ReportedRankTest, HasNoStatisticsOfOtherBytes) {
  Take(FrameType::kStarted);
  Take(FrameType::kRankHello);
  const std::string bytes = Encode(TwoPeers());
  for (const std::string& other :
       {std::string(), bytes.substr(1), bytes + '\0'}) {
    const Events before = told_.events;
    EXPECT_FALSE(rank_.Take(FrameType::kRankStatistics,
                            {.rank = 1, .bytes = other}, told_));
    EXPECT_EQ(told_.events, before);
  }
}

TEST_F(ReportedRankTest, TakesNoOrders) {
  Take(FrameType::kStarted);
  Take(FrameType::kRankHello);
  for (const FrameType type : {FrameType::kEndRank, FrameType::kHello,
                               FrameType::kFinished, FrameType::kToRanks}) {
    EXPECT_TRUE(IsRefused(type));
  }
}

TEST_F(ReportedRankTest, IsLostWithItsOwnerOnce) {
  rank_.Lose(1, told_);
  EXPECT_EQ(told_.events, Events{"ended 1 status " + std::to_string(SIGKILL)});
  rank_.Lose(1, told_);
  EXPECT_EQ(told_.events.size(), 1u);
  EXPECT_TRUE(IsRefused(FrameType::kStarted));
}

TEST_F(ReportedRankTest, ThatHasEndedIsNotLost) {
  Take(FrameType::kStarted);
  Take(FrameType::kRankEnded);
  const Events before = told_.events;
  rank_.Lose(1, told_);
  EXPECT_EQ(told_.events, before);
}

}  // namespace
}  // namespace gasnet::job
