#include "core/observe/output.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <cstdarg>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

std::string Contents(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

size_t CountOf(const std::string& part, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Gives each test its own directory.
class OutputTest : public testing::Test {
 protected:
  OutputTest() {
    std::string name = testing::TempDir() + "/output.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) abort();
    directory_ = name;
  }
  std::string Path(const std::string& name) const {
    return directory_ + "/" + name;
  }
  void Open(const std::string& name, Rank rank) {
    const absl::Status opened = output_.Open(Path(name), rank);
    ASSERT_TRUE(opened.ok()) << opened.message();
  }
  // The object is too large for some stacks.
  std::unique_ptr<Output> made_ = std::make_unique<Output>();
  Output& output_ = *made_;
  std::string directory_;
};

TEST(OutputPathTest, EachPercentSignIsTheRank) {
  EXPECT_EQ(Output::PathFor("stats", 7), "stats");
  EXPECT_EQ(Output::PathFor("stats.%", 7), "stats.7");
  EXPECT_EQ(Output::PathFor("%/a%b%%", 12), "12/a12b1212");
  EXPECT_EQ(Output::PathFor("%", 0), "0");
  EXPECT_EQ(Output::PathFor("", 3), "");
}

TEST_F(OutputTest, NothingIsOpenAtFirst) { EXPECT_FALSE(output_.IsOpen()); }

TEST_F(OutputTest, TextIsWrittenWhenItIsFlushed) {
  Open("stats.%", 3);
  EXPECT_TRUE(output_.IsOpen());
  output_.Print("%s has %d\n", "rank", 3);
  EXPECT_EQ(Contents(Path("stats.3")), "");
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats.3")), "rank has 3\n");
  output_.Flush();
  output_.Print("more\n");
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats.3")), "rank has 3\nmore\n");
}

TEST_F(OutputTest, AFileOfTheRanksOwnIsEmptiedFirst) {
  std::ofstream(Path("stats.3")) << "what was there before\n";
  Open("stats.%", 3);
  EXPECT_EQ(Contents(Path("stats.3")), "");
  output_.Print("new\n");
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats.3")), "new\n");
}

TEST_F(OutputTest, RanksAppendToOneFile) {
  std::ofstream(Path("stats")) << "before\n";
  Open("stats", 0);
  const auto other = std::make_unique<Output>();
  ASSERT_TRUE(other->Open(Path("stats"), 1).ok());
  output_.Print("rank 0\n");
  other->Print("rank 1\n");
  output_.Flush();
  other->Flush();
  output_.Print("rank 0 again\n");
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats")), "before\nrank 0\nrank 1\nrank 0 again\n");
}

TEST_F(OutputTest, OthersMayReadTheFile) {
  const mode_t before = umask(022);
  Open("stats", 0);
  umask(before);
  struct stat about;
  ASSERT_EQ(stat(Path("stats").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0644u);
}

TEST_F(OutputTest, AFileThatCannotBeOpenedIsAnErrorThatNamesIt) {
  const absl::Status opened = output_.Open(Path("none/stats.%"), 5);
  EXPECT_FALSE(opened.ok());
  EXPECT_NE(opened.message().find(Path("none/stats.5")), std::string::npos)
      << opened.message();
  EXPECT_NE(opened.message().find("No such file"), std::string::npos)
      << opened.message();
  EXPECT_FALSE(output_.IsOpen());
}

TEST_F(OutputTest, StdoutIsAFile) {
  CaptureStdout();
  EXPECT_TRUE(output_.Open("stdout", 0).ok());
  output_.Print("text\n");
  output_.Flush();
  EXPECT_EQ(GetCapturedStdout(), "text\n");
}

TEST_F(OutputTest, StderrIsAFileToo) {
  for (const char* const name : {"stderr", "-"}) {
    CaptureStderr();
    const auto output = std::make_unique<Output>();
    EXPECT_TRUE(output->Open(name, 0).ok());
    EXPECT_TRUE(output->IsOpen());
    output->Print("text of %s\n", name);
    output->Flush();
    EXPECT_EQ(GetCapturedStderr(), std::string("text of ") + name + "\n");
  }
}

// Messages still reach stderr after the output has ended.
TEST_F(OutputTest, StderrStaysOpenWhenTheOutputEnds) {
  CaptureStderr();
  {
    const auto output = std::make_unique<Output>();
    ASSERT_TRUE(output->Open("stderr", 0).ok());
  }
  const auto output = std::make_unique<Output>();
  ASSERT_TRUE(output->Open("-", 0).ok());
  output->Print("still\n");
  output->Flush();
  EXPECT_EQ(GetCapturedStderr(), "still\n");
}

TEST_F(OutputTest, MuchTextArrivesInOrder) {
  Open("stats", 0);
  std::string expected;
  for (int i = 0; i < 30000; ++i) {
    output_.Print("line %d\n", i);
    expected += "line " + std::to_string(i) + "\n";
  }
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats")), expected);
}

TEST_F(OutputTest, LinesOfAnyLengthThatFitAreWhole) {
  Open("stats", 0);
  std::string expected;
  for (size_t length = 0; length <= 4095; length += 273) {
    const std::string line(length, 'x');
    for (int i = 0; i < 5; ++i) {
      output_.Print("%s", line.c_str());
      expected += line;
    }
  }
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats")), expected);
}

TEST_F(OutputTest, ALongerLineIsCut) {
  Open("stats", 0);
  for (const size_t length : {size_t{4096}, size_t{5000}, size_t{200000}}) {
    output_.Print("%s", std::string(length, 'x').c_str());
    output_.Print("|\n");
  }
  output_.Flush();
  const std::string cut = std::string(4095, 'x') + "|\n";
  EXPECT_EQ(Contents(Path("stats")), cut + cut + cut);
}

void PrintList(Output& output, const char* format, ...) {
  va_list args;
  va_start(args, format);
  output.PrintV(format, args);
  va_end(args);
}

TEST_F(OutputTest, AListOfArgumentsIsFormatted) {
  Open("stats", 0);
  PrintList(output_, "%d %s%%\n", 12, "of 100");
  output_.Flush();
  EXPECT_EQ(Contents(Path("stats")), "12 of 100%\n");
}

TEST_F(OutputTest, AFullDiskIsReportedOnce) {
  ASSERT_TRUE(output_.Open("/dev/full", 0).ok());
  CaptureStderr();
  for (int i = 0; i < 5; ++i) {
    output_.Print("lost\n");
    output_.Flush();
  }
  // The dropped text does not collect in memory.
  for (int i = 0; i < 30000; ++i) output_.Print("lost again\n");
  output_.Flush();
  const std::string reported = GetCapturedStderr();
  EXPECT_EQ(CountOf("GASNET_STATSFILE: cannot write: No space left on device",
                    reported),
            1u)
      << reported;
  EXPECT_EQ(CountOf("\n", reported), 1u) << reported;
}

}  // namespace
}  // namespace gasnet::observe
