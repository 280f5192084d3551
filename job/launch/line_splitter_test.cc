#include "job/launch/line_splitter.h"

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(LineSplitterTest, HoldsTheBeginningOfALine) {
  LineSplitter splitter({});
  EXPECT_EQ(splitter.Take("one\ntw"), "one\n");
  EXPECT_EQ(splitter.Take(""), "");
  EXPECT_EQ(splitter.Take("o\n\nx"), "two\n\n");
  EXPECT_EQ(splitter.Finish(), "x\n");
  EXPECT_EQ(splitter.Finish(), "");
}

TEST(LineSplitterTest, TagsEveryLine) {
  LineSplitter splitter({.tag = "[3] "});
  EXPECT_EQ(splitter.Take("a\n\nb"), "[3] a\n[3] \n");
  EXPECT_EQ(splitter.Finish(), "[3] b\n");
}

TEST(LineSplitterTest, PassesTheBeginningOfALineWhenAsked) {
  LineSplitter splitter({.tag = "[3] "});
  EXPECT_EQ(splitter.Take("x\nname? "), "[3] x\n");
  ASSERT_TRUE(splitter.HasPartial());
  EXPECT_EQ(splitter.Pass(), "[3] name? ");
  EXPECT_FALSE(splitter.HasPartial());
  EXPECT_EQ(splitter.Finish(), "");
  EXPECT_EQ(splitter.Take("thanks\n"), "[3] thanks\n");
}

TEST(LineSplitterTest, PassesEverythingWhereNobodyElseWrites) {
  LineSplitter splitter({.passes_partial = true});
  EXPECT_EQ(splitter.Take("password: "), "password: ");
  EXPECT_EQ(splitter.Finish(), "");
}

TEST(LineSplitterTest, ReturnEndsALineOnlyWhereAsked) {
  LineSplitter pipe({});
  EXPECT_EQ(pipe.Take("1%\r2%\r"), "");
  LineSplitter terminal({.tag = "[0] ", .ends_at_return = true});
  EXPECT_EQ(terminal.Take("1%\r2%\r3"), "[0] 1%\r[0] 2%\r");
  EXPECT_EQ(terminal.Take("\r\nx\n"), "[0] 3\r\n[0] x\n");
}

TEST(LineSplitterTest, HoldsNoLineWithoutEnd) {
  LineSplitter splitter({});
  size_t passed = 0;
  const std::string piece(64 << 10, 'x');
  for (int i = 0; i < 100; ++i) passed += splitter.Take(piece).size();
  EXPECT_GE(passed, 4u << 20);
}

}  // namespace
}  // namespace gasnet::job
