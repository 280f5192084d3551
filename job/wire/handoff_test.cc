#include "job/wire/handoff.h"

#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(HandoffTest, ReadsWhatItWrites) {
  const Handoff handoff = {
      .rank = 3, .size = 8, .control = 5, .secret = 6, .memory = 7};
  EXPECT_EQ(handoff.ToText(), "rank=3,size=8,control=5,secret=6,memory=7");
  const auto read = Handoff::FromText(handoff.ToText());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->ToText(), handoff.ToText());
}

TEST(HandoffTest, TellsHowTheHostWasReached) {
  const Handoff handoff = {
      .rank = 0,
      .size = 1,
      .control = 5,
      .secret = 6,
      .memory = 7,
      .reached = {.at = "2001:db8::7", .from = "10.0.0.1"}};
  const auto read = Handoff::FromText(handoff.ToText());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reached.at, "2001:db8::7");
  EXPECT_EQ(read->reached.from, "10.0.0.1");
}

TEST(HandoffTest, RefusesAnythingElse) {
  for (const char* bad :
       {"", "rank=3", "rank=8,size=8,control=5,secret=6,memory=7",
        "rank=-1,size=8,control=5,secret=6,memory=7",
        "rank=0,size=65536,control=5,secret=6,memory=7",
        "rank=0,size=8,control=x,secret=6,memory=7",
        "rank=0,size=8,control=5,secret=6,memory=7,more=8",
        "rank=0,size=8,control=5,secret=6,memory=7,rank=0",
        "rank=0,size=8,control=4294967301,secret=6,memory=7",
        "rank=0,size=8,control=5,secret=6,memory=7,reached_at=",
        "rank=0,size=8,control=5,secret=6,memory=7,reached_from=here",
        "rank=0,size=8,control=5,secret=6,,memory=7", "nonsense"}) {
    const auto read = Handoff::FromText(bad);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_NE(std::string(read.status().message()).find(bad),
              std::string::npos);
  }
}

}  // namespace
}  // namespace gasnet::job
