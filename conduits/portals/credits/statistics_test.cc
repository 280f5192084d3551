#include "conduits/portals/credits/statistics.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/test_peers.h"

namespace gasnet::portals_conduit::credits {
namespace {

// Returns the credits of rank 0 of three. Rank 0 has served rank 2.
Credits Used() {
  Credits rank = NewRank(0);
  rank.Take(2, 3);
  Serve(rank, 2, Wire(false, 2, 4));
  return rank;
}

TEST(StatisticsTest, HaveALineForTheRankAndOneForEachPeerDealtWith) {
  EXPECT_EQ(StatisticsText(Used()),
            "rank 0: total 120 bank 98 lent 22 requests_sent 1 stalls 0 "
            "requests_served 1 epochs 0 asked_for 1 lent_on_top 2 borrowed 0 "
            "revokes_sent 0 revokes_answered 0 regained 0 returned 0 refused "
            "0\n"
            "peer 2: loan 12 serving 0 loan_given 2 loan_requested 1 send 10 "
            "in_use 3 send_max 3 stalls 0 revoked 0\n");
}

TEST(StatisticsTest, TheFileHasTheRankInItsName) {
  EXPECT_EQ(StatisticsPath("credits.%r", 12), "credits.12");
  EXPECT_EQ(StatisticsPath("%r/a%%r%r", 3), "3/a%33");
  EXPECT_EQ(StatisticsPath("credits", 3), "credits");
}

TEST(StatisticsTest, AreWrittenOverWhatThereIs) {
  const std::string path = testing::TempDir() + "/credits.0";
  std::ofstream(path) << std::string(10000, 'x');
  ASSERT_EQ(WriteStatistics(Used(), path.c_str()), 0);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), StatisticsText(Used()));
}

TEST(StatisticsTest, SayWhatCannotBeWritten) {
  EXPECT_EQ(WriteStatistics(Used(), "/nowhere/at/all"), ENOENT);
  EXPECT_EQ(WriteStatistics(Used(), "/dev/full"), ENOSPC);
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
