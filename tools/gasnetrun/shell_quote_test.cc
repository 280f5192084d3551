#include "tools/gasnetrun/shell_quote.h"

#include <stdio.h>

#include <string>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

// Returns the text that a real shell makes of `quoted`.
std::string Echoed(const std::string& quoted) {
  FILE* shell = popen(("printf %s " + quoted).c_str(), "r");
  std::string text;
  for (int c; (c = getc(shell)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(shell), 0);
  return text;
}

TEST(ShellQuoteTest, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(ShellQuote("./a-b_c=1,2:3@4%5+6"), "./a-b_c=1,2:3@4%5+6");
  EXPECT_EQ(ShellQuote(""), "''");
}

TEST(ShellQuoteTest, AShellReadsTheSameText) {
  for (const std::string text :
       {"a b", "it's", "'", "''", "$HOME `id` \\", "line\nbreak", "*", "~",
        "\xff\xfe", "\"quoted\""}) {
    EXPECT_EQ(Echoed(ShellQuote(text)), text);
  }
}

TEST(ShellQuoteTest, WordsAreSeparated) {
  EXPECT_EQ(ShellQuoteAll({"echo", "a b", ""}), "echo 'a b' ''");
}

}  // namespace
}  // namespace gasnet::gasnetrun
