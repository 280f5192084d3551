#include "conduits/ofi/node_list.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gasnet::ofi {
namespace {

// Returns the digits of those nodes from 0 to 5 that are in the list.
std::string NodesOf(std::string_view text) {
  const std::optional<NodeList> list = NodeList::Parse(text);
  if (!list) return "refused";
  std::string nodes;
  for (Rank node = 0; node < 6; ++node) {
    if (list->Has(node)) nodes += std::to_string(node);
  }
  return nodes;
}

TEST(NodeListTest, HasTheNodesThatItNames) {
  EXPECT_EQ(NodesOf("0"), "0");
  EXPECT_EQ(NodesOf("3"), "3");
  EXPECT_EQ(NodesOf("0,2-4"), "0234");
  EXPECT_EQ(NodesOf("4-5,1"), "145");
  EXPECT_EQ(NodesOf("2-2"), "2");
  EXPECT_EQ(NodesOf("1-3,2-4,2"), "1234");
  EXPECT_EQ(NodesOf("7-9"), "") << "no job has to have them";
}

TEST(NodeListTest, AStarIsAllNodes) {
  EXPECT_EQ(NodesOf("*"), "012345");
  EXPECT_TRUE(NodeList::Parse("*")->Has(4'294'967'295));
}

TEST(NodeListTest, TheLargestNumberIsOne) {
  EXPECT_TRUE(NodeList::Parse("4294967295")->Has(4'294'967'295));
  EXPECT_EQ(NodesOf("4294967296"), "refused");
  EXPECT_EQ(NodesOf("0-4294967296"), "refused");
}

TEST(NodeListTest, AnythingElseIsRefused) {
  for (const char* const text :
       {"",     ",",     "0,",  ",0",   "0,,1", "-",   "-1", "1-",
        "1--2", "1-2-3", "4-2", "0, 2", " 0",   "0 ",  "+1", "0x1",
        "1.5",  "all",   "**",  "*,0",  "0,*",  "0-*", "0;1"}) {
    EXPECT_EQ(NodesOf(text), "refused") << "'" << text << "'";
  }
}

}  // namespace
}  // namespace gasnet::ofi
