// Tests of the settings for observers.
#include "core/observe/observer.h"

#include <stdlib.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

class ObserverTest : public testing::Test {
 protected:
  ObserverTest() {
    std::string name = testing::TempDir() + "/observer.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) abort();
    directory_ = name;
    setenv("GASNET_STATSFILE", (directory_ + "/%").c_str(), 1);
    unsetenv("GASNET_STATSNODES");
    unsetenv("GASNET_STATSMASK");
  }

  static std::unique_ptr<Observer> Make(Rank rank, bool for_launcher = false) {
    return Observer::Make({.rank = rank, .ranks = 20, .conduit = "loop"},
                          for_launcher);
  }
  std::string Contents(Rank rank) const {
    std::ostringstream all;
    all << std::ifstream(directory_ + "/" + std::to_string(rank)).rdbuf();
    return all.str();
  }
  // Returns the ranks that have an observer.
  static std::vector<Rank> Observed(const char* nodes) {
    setenv("GASNET_STATSNODES", nodes, 1);
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < 20; ++rank) {
      if (Make(rank) != nullptr) ranks.push_back(rank);
    }
    return ranks;
  }

  std::string directory_;
};

TEST_F(ObserverTest, NothingIsObservedWithoutAFile) {
  unsetenv("GASNET_STATSFILE");
  EXPECT_EQ(Make(0), nullptr);
  setenv("GASNET_STATSFILE", "", 1);
  EXPECT_EQ(Make(0), nullptr);
}

TEST_F(ObserverTest, TheFileIsThatOfTheRank) {
  const auto observer = Make(13);
  ASSERT_NE(observer, nullptr);
  observer->WriteStatistics("now", /*reset=*/false);
  EXPECT_EQ(Contents(13).substr(0, 22), "GASNet statistics now:");
}

TEST_F(ObserverTest, AllRanksAreObservedUnlessSomeAreNamed) {
  EXPECT_EQ(Observed("*").size(), 20u);
  EXPECT_EQ(Observed("").size(), 20u);
  using Ranks = std::vector<Rank>;
  EXPECT_EQ(Observed("0"), (Ranks{0}));
  EXPECT_EQ(Observed("1"), (Ranks{1}));
  EXPECT_EQ(Observed("0,2-4,19"), (Ranks{0, 2, 3, 4, 19}));
  EXPECT_EQ(Observed("7-7"), (Ranks{7}));
  EXPECT_EQ(Observed("4,3,4"), (Ranks{3, 4}));
  EXPECT_EQ(Observed("18-4000000000"), (Ranks{18, 19}));
  EXPECT_EQ(Observed("20"), Ranks{});
}

TEST_F(ObserverTest, ARankThatIsNotNamedMakesNoFile) {
  setenv("GASNET_STATSNODES", "0", 1);
  EXPECT_EQ(Make(1), nullptr);
  EXPECT_FALSE(std::ifstream(directory_ + "/1").is_open());
}

using ObserverDeathTest = ObserverTest;

TEST_F(ObserverDeathTest, ListsOfRanksAreChecked) {
  for (const char* const nodes :
       {"x", "0,", ",0", "4-2", "1-2-3", "-1", "1-", "0,*", "0;2", "-"}) {
    setenv("GASNET_STATSNODES", nodes, 1);
    EXPECT_DEATH(static_cast<void>(Make(0)),
                 std::string("GASNET_STATSNODES is '.*") +
                     "'; accepted: ranks and ranges, such as 0,2-4, or \\*")
        << nodes;
  }
}

TEST_F(ObserverDeathTest, MasksAreChecked) {
  setenv("GASNET_STATSMASK", "A?", 1);
  EXPECT_DEATH(static_cast<void>(Make(0)),
               "GASNET_STATSMASK is 'A\\?'; accepted: letters of "
               "GPRSWBLAXIOCDNHU, after a \\^ all others");
}

TEST_F(ObserverTest, AllGroupsAreCountedUnlessSomeAreNamed) {
  EXPECT_STREQ(Make(0)->statistics_mask_text(), "GPRSWBLAXIOCDNHU");
  setenv("GASNET_STATSMASK", "", 1);
  EXPECT_STREQ(Make(0)->statistics_mask_text(), "GPRSWBLAXIOCDNHU");
  setenv("GASNET_STATSMASK", "pa", 1);
  EXPECT_STREQ(Make(0)->statistics_mask_text(), "PA");
  EXPECT_FALSE(Make(0)->statistics_mask().Has('G'));
  setenv("GASNET_STATSMASK", "^PA", 1);
  EXPECT_STREQ(Make(0)->statistics_mask_text(), "GRSWBLXIOCDNHU");
}

TEST_F(ObserverTest, TheMaskMayChange) {
  const auto observer = Make(0);
  ThreadLog& log = observer->NewLog();
  EXPECT_TRUE(log.Counts(Call::kPut));
  Mask mask;
  ASSERT_TRUE(Mask::Parse("G", mask));
  observer->SetStatisticsMask(mask);
  EXPECT_FALSE(log.Counts(Call::kPut));
  EXPECT_TRUE(log.Counts(Call::kGet));
  EXPECT_STREQ(observer->statistics_mask_text(), "G");
  observer->SetStatisticsMask(Mask());
  EXPECT_STREQ(observer->statistics_mask_text(), "");
}

TEST_F(ObserverTest, AFileThatCannotBeOpenedIsAWarning) {
  setenv("GASNET_STATSFILE", "/nowhere/%", 1);
  CaptureStderr();
  EXPECT_EQ(Make(0), nullptr);
  const std::string warned = GetCapturedStderr();
  EXPECT_NE(warned.find("GASNET_STATSFILE: cannot open /nowhere/0"),
            std::string::npos)
      << warned;
  CaptureStderr();
  EXPECT_NE(Make(0, /*for_launcher=*/true), nullptr);
  GetCapturedStderr();
}

TEST_F(ObserverTest, TheLauncherNeedsNoFile) {
  unsetenv("GASNET_STATSFILE");
  const auto observer = Make(0, /*for_launcher=*/true);
  ASSERT_NE(observer, nullptr);
  observer->NewLog().Of(Call::kPut).calls.Set(3);
  const Totals* const totals =
      observer->statistics().Collect(observer->newest());
  ASSERT_NE(totals, nullptr);
  EXPECT_EQ(totals->calls[static_cast<size_t>(Call::kPut)].calls, 3u);
  observer->statistics().EndCollect();
  observer->Report();
}

TEST_F(ObserverTest, TheReportAtTheEndIsWrittenOnce) {
  const auto observer = Make(4);
  observer->NewLog().Of(Call::kPut).calls.Set(3);
  observer->Report();
  const std::string report = Contents(4);
  EXPECT_EQ(report.substr(0, 29), "GASNet statistics at the end:");
  EXPECT_NE(report.find("P  gasnet_put"), std::string::npos);
  observer->Report();
  EXPECT_EQ(Contents(4), report);
}

TEST_F(ObserverTest, AllLogsAreKept) {
  constexpr int kThreads = 4;
  constexpr int kLogs = 50;
  const auto observer = Make(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int log = 0; log < kLogs; ++log) {
        observer->NewLog().Of(Call::kPut).calls.Set(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Totals* const totals =
      observer->statistics().Collect(observer->newest());
  ASSERT_NE(totals, nullptr);
  EXPECT_EQ(totals->threads, uint32_t{kThreads} * kLogs);
  EXPECT_EQ(totals->calls[static_cast<size_t>(Call::kPut)].calls,
            uint64_t{kThreads} * kLogs);
  observer->statistics().EndCollect();
}

}  // namespace
}  // namespace gasnet::observe
