#include "core/observe/statistics.h"

#include <stdlib.h>

#include <atomic>
#include <cstdarg>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "core/observe/network_counts.h"
#include "core/observe/testing/counted_log.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

std::atomic<uint32_t> all_groups{Mask::All().bits()};

constexpr Rank kRank = 1;
constexpr Rank kRanks = 3;

// A fixture with the statistics of one thread.
class StatisticsTest : public testing::Test {
 protected:
  StatisticsTest() {
    std::string name = testing::TempDir() + "/statistics.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) abort();
    path_ = name + "/%";
    file_ = name + "/1";
    EXPECT_TRUE(statistics_.Open(path_).ok());
  }

  // Returns the text that has been written since the last call.
  std::string Text() {
    std::ostringstream all;
    all << std::ifstream(file_).rdbuf();
    const std::string text = all.str().substr(read_);
    read_ += text.size();
    return text;
  }
  // Returns the lines of the report without its two head lines. Blanks are
  // reduced to one each.
  std::vector<std::string> Report(bool reset = false) {
    statistics_.Write(&log_, Mask::All(), "now", reset);
    return LinesFrom(2);
  }
  std::vector<std::string> LinesFrom(size_t from) {
    std::istringstream in(Text());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      lines.push_back(std::regex_replace(line, std::regex(" +"), " "));
    }
    lines.erase(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(from));
    return lines;
  }

  void Print(const char* format, ...) {
    va_list args;
    va_start(args, format);
    statistics_.PrintLine(format, args);
    va_end(args);
  }

  std::string path_;
  std::string file_;
  size_t read_ = 0;
  CountedLog log_{kRanks, all_groups};
  std::unique_ptr<Statistics> made_ =
      std::make_unique<Statistics>(kRank, kRanks, "loop");
  Statistics& statistics_ = *made_;
};

using Lines = std::vector<std::string>;

constexpr char kCalls[] =
    " call calls bytes timed least mean most total waiting waits refused";
constexpr char kHandlers[] = " handler runs bytes timed least mean most total";
constexpr char kWaits[] = " wait waits least mean most total";
constexpr char kPeers[] = " peer operations bytes";

TEST_F(StatisticsTest, NothingHasHappened) {
  EXPECT_EQ(Report(), (Lines{kCalls, kHandlers, kWaits, kPeers}));
}

TEST_F(StatisticsTest, TheHeadNamesTheOccasionAndTheMask) {
  Mask mask;
  ASSERT_TRUE(Mask::Parse("xA", mask));
  CountedLog second(kRanks, all_groups);
  second.older = &log_;
  statistics_.Write(&second, mask, "in a test", /*reset=*/false);
  const std::string text = Text();
  EXPECT_TRUE(std::regex_search(
      text, std::regex("^GASNet statistics in a test: .*pid \\d+, loop, "
                       "\\d+\\.\\d{6} s, 2 threads, mask AX\n"
                       "times in microseconds; .*\n")))
      << text;
}

TEST_F(StatisticsTest, CallsHaveALineEach) {
  CallCounts& puts = log_.Of(Call::kPut);
  puts.calls.Set(2);
  puts.bytes.Set(24);
  puts.times.NoteExtremes(1500);
  puts.times.NoteExtremes(2500);
  puts.times.sum.Set(3000);
  puts.waits.Set(1);
  puts.waiting.Set(1000);
  puts.refused.Set(5);
  CallCounts& polls = log_.Of(Call::kAMPoll);
  polls.calls.Set(1);
  polls.times.NoteExtremes(40);
  polls.times.sum.Set(40);
  // The report lists the calls in the order of the enum Call.
  EXPECT_EQ(
      Report(),
      (Lines{kCalls, "X gasnet_AMPoll 1 0 1 0.040 0.040 0.040 0.040 0.000 0 0",
             "P gasnet_put 2 24 2 1.500 2.000 2.500 4.000 1.000 1 5", kHandlers,
             kWaits, kPeers}));
}

TEST_F(StatisticsTest, WaitsOutsideOfCallsHaveALineToo) {
  log_.Of(Call::kNone).waits.Set(3);
  log_.Of(Call::kNone).waiting.Set(6000);
  log_.Of(Call::kNone).times.most.Set(4000);
  EXPECT_EQ(
      Report(),
      (Lines{kCalls, "O other_calls 0 0 0 0.000 0.000 4.000 6.000 6.000 3 0",
             kHandlers, kWaits, kPeers}));
}

TEST_F(StatisticsTest, ACallOnlyOfWaitsHasALine) {
  log_.Of(Call::kBarrier).waits.Set(1);
  const Lines lines = Report();
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[1].substr(0, 19), "B gasnet_barrier 0 ");
}

TEST_F(StatisticsTest, HandlersHaveTheirIndex) {
  HandlerCounts& counts = log_.OfHandler(200);
  counts.runs.Set(2);
  counts.bytes.Set(64);
  counts.times.NoteExtremes(100);
  counts.times.NoteExtremes(300);
  counts.times.sum.Set(400);
  log_.OfHandler(255).runs.Set(1);
  EXPECT_EQ(Report(),
            (Lines{kCalls, kHandlers, "A 200 2 64 2 0.100 0.200 0.300 0.400",
                   "A 255 1 0 0 0.000 0.000 0.000 0.000", kWaits, kPeers}));
}

TEST_F(StatisticsTest, HandlersOfTheLibraryMayHaveANameAndMessages) {
  static constexpr HandlerNames kNames = {nullptr, "put_request"};
  log_.OfHandler(1).runs.Set(1);
  log_.OfHandler(1).sent.Set(3);
  log_.OfHandler(1).sent_bytes.Set(24);
  log_.OfHandler(2).sent.Set(1);
  log_.OfHandler(200).runs.Set(1);
  const std::string times = " 1 0 0 0.000 0.000 0.000 0.000";
  const std::string head = " library_message sent bytes";
  EXPECT_EQ(Report(), (Lines{kCalls, kHandlers, "A 1" + times, "A 200" + times,
                             head, "A 1 3 24", "A 2 1 0", kWaits, kPeers}));
  statistics_.NameHandlers(kNames);
  EXPECT_EQ(Report(),
            (Lines{kCalls, kHandlers, "A put_request" + times, "A 200" + times,
                   head, "A put_request 3 24", "A 2 1 0", kWaits, kPeers}));
}

TEST_F(StatisticsTest, EachReasonToWaitHasAName) {
  const std::pair<WaitFor, const char*> kNames[] = {
      {WaitFor::kAnything, "unknown"},
      {WaitFor::kCondition, "GASNET_BLOCKUNTIL"},
      {WaitFor::kRoom, "room_to_send"},
      {WaitFor::kBarrier, "gasnet_barrier"},
      {WaitFor::kCollective, "collectives"},
      {WaitFor::kTransfers, "puts_and_gets"},
      {WaitFor::kAllRanks, "all_ranks"},
  };
  static_assert(sizeof kNames / sizeof *kNames == ThreadLog::kReasons);
  Lines expected = {kCalls, kHandlers, kWaits};
  for (const auto& [what, name] : kNames) {
    log_.OfWait(what).Note(1000);
    log_.OfWait(what).Note(3000);
    expected.push_back(std::string("S ") + name + " 2 1.000 2.000 3.000 4.000");
  }
  expected.push_back(kPeers);
  EXPECT_EQ(Report(), expected);
}

TEST_F(StatisticsTest, NativeTransfersHaveTheTimeOfThoseThatWereTimed) {
  TransferCounts& gets = log_.OfTransfers(TransferKind::kGet);
  gets.posted.Set(9);
  gets.bytes.Set(72);
  gets.completed.Set(8);
  gets.times.NoteExtremes(1000);
  gets.times.NoteExtremes(3000);
  gets.times.sum.Set(8000);
  gets.stood_for.Set(4);
  Lines expected = {
      kCalls, kHandlers, kWaits,
      " native_transfer posted bytes completed timed least mean most",
      "C get 9 72 8 2 1.000 2.000 3.000"};
  expected.push_back(kPeers);
  EXPECT_EQ(Report(), expected);
  log_.OfTransfers(TransferKind::kPut).completed.Set(1);
  expected.insert(expected.begin() + 4, "C put 0 0 1 0 0.000 0.000 0.000");
  EXPECT_EQ(Report(), expected);
}

TEST_F(StatisticsTest, PeersAreRanksOfTheJob) {
  log_.CountPeer(0, 10);
  log_.CountPeer(2, 0);
  log_.CountPeer(2, 5);
  EXPECT_EQ(Report(),
            (Lines{kCalls, kHandlers, kWaits, kPeers, "C 0 1 10", "C 2 2 5"}));
}

TEST_F(StatisticsTest, AReportLeavesTheCounts) {
  log_.Of(Call::kGet).calls.Set(4);
  EXPECT_EQ(Report(), Report());
}

TEST_F(StatisticsTest, AResetMakesAllCountsZero) {
  log_.Of(Call::kGet).calls.Set(4);
  log_.Of(Call::kPut).calls.Set(1);
  log_.OfHandler(128).runs.Set(1);
  log_.OfWait(WaitFor::kRoom).Note(5);
  log_.CountPeer(1, 1);
  EXPECT_EQ(Report(/*reset=*/true).size(), 9u);
  EXPECT_EQ(Report(), (Lines{kCalls, kHandlers, kWaits, kPeers}));
  log_.Of(Call::kGet).calls.Set(6);
  log_.CountPeer(1, 3);
  EXPECT_EQ(Report(), (Lines{kCalls,
                             "G gasnet_get 2 0 0 0.000 0.000 0.000 0.000 "
                             "0.000 0 0",
                             kHandlers, kWaits, kPeers, "C 1 1 3"}));
  // The second reset covers all counts, not only those since the first reset.
  EXPECT_EQ(Report(/*reset=*/true).size(), 6u);
  EXPECT_EQ(Report(), (Lines{kCalls, kHandlers, kWaits, kPeers}));
}

TEST_F(StatisticsTest, TheClockBeginsAgainWithAReset) {
  const int64_t begun = NowNanos();
  EXPECT_GE(statistics_.elapsed(), 0);
  Report(/*reset=*/true);
  const int64_t reset = NowNanos();
  EXPECT_LE(statistics_.elapsed(), NowNanos() - begun);
  while (NowNanos() == reset) {
  }
  const int64_t since_reset = NowNanos() - reset;
  EXPECT_GE(statistics_.elapsed(), since_reset);
}

TEST_F(StatisticsTest, CountsCanBeHadWithoutText) {
  log_.Of(Call::kGet).calls.Set(4);
  Report(/*reset=*/true);
  log_.Of(Call::kGet).calls.Set(5);
  const Totals* const totals = statistics_.Collect(&log_);
  ASSERT_NE(totals, nullptr);
  EXPECT_EQ(totals->calls[static_cast<size_t>(Call::kGet)].calls, 1u);
  statistics_.EndCollect();
  EXPECT_EQ(Text(), "");
}

TEST_F(StatisticsTest, AClientsLineIsMarked) {
  Print("%d of %s", 3, "these");
  Print("%s", "");
  EXPECT_EQ(Text(), "H  3 of these\nH  \n");
}

TEST_F(StatisticsTest, ALongLineOfTheClientIsCut) {
  Print("%s", std::string(10000, 'x').c_str());
  Print("next");
  EXPECT_EQ(Text(), "H  " + std::string(4095, 'x') + "\nH  next\n");
}

TEST_F(StatisticsTest, WithoutAFileCountsAreStillReset) {
  const auto none = std::make_unique<Statistics>(kRank, kRanks, "loop");
  log_.Of(Call::kGet).calls.Set(4);
  none->Write(&log_, Mask::All(), "nowhere", /*reset=*/true);
  log_.Of(Call::kGet).calls.Set(5);
  const Totals* const totals = none->Collect(&log_);
  ASSERT_NE(totals, nullptr);
  EXPECT_EQ(totals->calls[static_cast<size_t>(Call::kGet)].calls, 1u);
  none->EndCollect();
}

// At the end of the process, an interrupted thread may never release the
// counts.
TEST_F(StatisticsTest, AReportIsGivenUpWhileAnotherIsHeld) {
  ASSERT_NE(statistics_.Collect(&log_), nullptr);
  testing::internal::CaptureStderr();
  std::thread([&] {
    statistics_.Write(&log_, Mask::All(), "at the end", /*reset=*/false);
    Print("a line");
    EXPECT_EQ(statistics_.Collect(&log_), nullptr);
  }).join();
  const std::string warned = testing::internal::GetCapturedStderr();
  EXPECT_NE(warned.find("WARNING"), std::string::npos) << warned;
  EXPECT_NE(warned.find("statistics at the end are not written"),
            std::string::npos)
      << warned;
  EXPECT_NE(warned.find("a line of GASNETT_STATS_PRINTF is not written"),
            std::string::npos)
      << warned;
  EXPECT_EQ(Text(), "");
  statistics_.EndCollect();
  EXPECT_EQ(Report(), (Lines{kCalls, kHandlers, kWaits, kPeers}));
}

TEST_F(StatisticsTest, ThreadsWaitForEachOther) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 50;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int time = 0; time < kTimes; ++time) Print("thread %d", i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Lines lines = LinesFrom(0);
  // A thread drops its line if it waits too long for the other threads.
  EXPECT_LE(lines.size(), size_t{kThreads} * kTimes);
  EXPECT_GT(lines.size(), 0u);
  for (const std::string& line : lines) {
    EXPECT_TRUE(std::regex_match(line, std::regex("H thread \\d"))) << line;
  }
}

TEST_F(StatisticsTest, TheCountsOfTheNetworkComeLast) {
  const uint64_t packets = 12;
  const NetworkCounts counts(
      &packets, [](const void* of, NetworkCounts::Add add) {
        add("packets", *static_cast<const uint64_t*>(of));
        add("repeated", 0);
      });
  const Lines lines = Report();
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(Lines(lines.end() - 3, lines.end()),
            (Lines{" network count", "C packets 12", "C repeated 0"}));
}

}  // namespace
}  // namespace gasnet::observe
