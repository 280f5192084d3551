#include "tools/gasnetrun/host_list.h"

#include <string>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

TEST(HostListTest, NamesWithAndWithoutSlots) {
  EXPECT_EQ(*ParseHostList("a"), (HostList{{"a", 0}}));
  EXPECT_EQ(*ParseHostList("a,b:8 user@c.d"),
            (HostList{{"a", 0}, {"b", 8}, {"user@c.d", 0}}));
  EXPECT_EQ(
      *ParseHostList("10.0.0.1:2,::1,[fe80::1%eth0]:3,[::2]"),
      (HostList{{"10.0.0.1", 2}, {"::1", 0}, {"fe80::1%eth0", 3}, {"::2", 0}}));
}

TEST(HostListTest, AHostThatIsNamedAgainHasTheSlotsOfBoth) {
  EXPECT_EQ(*ParseHostList("a,b,a"), (HostList{{"a", 2}, {"b", 0}}));
  EXPECT_EQ(*ParseHostList("a:3,a"), (HostList{{"a", 4}}));
}

TEST(HostListTest, WhatIsNoHostIsRefused) {
  for (const char* bad :
       {"", " , ", "-oProxyCommand=x", "a;b", "a:0", "a:x", "a:", "a:65536",
        "[::1", "[::1]x", "[::1]:", "$(x)", "a\"b", "a/b"}) {
    EXPECT_FALSE(ParseHostList(bad).ok()) << bad;
  }
}

TEST(HostListTest, TheMessageNamesTheWord) {
  EXPECT_NE(
      std::string(ParseHostList("good,b@d!").status().message()).find("'b@d!'"),
      std::string::npos);
}

TEST(HostFileTest, OneHostALine) {
  EXPECT_EQ(
      *ParseHostFile("# all of them\n"
                     "a\n"
                     "  b slots=4  max_slots=8\r\n"
                     "\n"
                     "c 2 queue.q <NULL>\n"
                     "d:3 # fast\n"
                     "e UNDEFINED\n"
                     "f max_slots=8 slots=4\n"
                     "a"),
      (HostList{{"a", 2}, {"b", 4}, {"c", 2}, {"d", 3}, {"e", 0}, {"f", 4}}));
}

TEST(HostFileTest, WhatIsNoHostFileIsRefused) {
  for (const char* bad :
       {"", "# nothing\n", "a slots=x", "a slots=0", "a slots=", "-a", "a 0"}) {
    EXPECT_FALSE(ParseHostFile(bad).ok()) << bad;
  }
}

TEST(NamesAndSlotsTest, InTurn) {
  EXPECT_EQ(*ParseNamesAndSlots("a 8 b 4"), (HostList{{"a", 8}, {"b", 4}}));
  EXPECT_FALSE(ParseNamesAndSlots("a 8 b").ok());
  EXPECT_FALSE(ParseNamesAndSlots("8 a").ok());
}

TEST(SlurmListTest, RangesAreExpandedAsWideAsTheyAreWritten) {
  EXPECT_EQ(
      *ParseSlurm("n[08-10,3],login", ""),
      (HostList{{"n08", 0}, {"n09", 0}, {"n10", 0}, {"n3", 0}, {"login", 0}}));
  EXPECT_EQ(
      *ParseSlurm("r[1-2]n[1-2]-ib", "2(x3),1"),
      (HostList{
          {"r1n1-ib", 2}, {"r1n2-ib", 2}, {"r2n1-ib", 2}, {"r2n2-ib", 1}}));
}

TEST(SlurmListTest, WhatSlurmDoesNotWriteIsRefused) {
  for (const char* bad : {"", "n[1-", "n[]", "n[2-1]", "n[a]", "n[1-999999999]",
                          "n[0-65535],m", "n[1-1000]m[1-1000]", "n]1["}) {
    EXPECT_FALSE(ParseSlurm(bad, "").ok()) << bad;
  }
  for (const char* bad : {"x", "1", "1(x", "1(x)", "0(x2)", "1(x99999999)"}) {
    EXPECT_FALSE(ParseSlurm("a,b", bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace gasnet::gasnetrun
