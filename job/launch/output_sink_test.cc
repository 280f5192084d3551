#include "job/launch/output_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

struct Ends {
  UniqueFd reader, writer;
};

Ends MakePipe() {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Ends MakeSocket() {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

class OutputSinkTest : public ::testing::TestWithParam<Ends (*)()> {
 protected:
  OutputSinkTest() { signal(SIGPIPE, SIG_IGN); }

  Ends ends_ = GetParam()();
  OutputSink sink_{ends_.writer.get()};
};

TEST_P(OutputSinkTest, KeepsWhatASlowReaderDoesNotTake) {
  const std::string text(4 << 20, 'x');
  sink_.Append(text);
  sink_.Append("end");
  sink_.Write();
  EXPECT_TRUE(sink_.IsPending());
  EXPECT_TRUE(sink_.IsBackedUp());
  std::string got(text.size() + 3, '\0');
  for (size_t size = 0; size < got.size();) {
    const ssize_t n =
        read(ends_.reader.get(), got.data() + size, got.size() - size);
    ASSERT_GT(n, 0);
    size += static_cast<size_t>(n);
    sink_.Write();
  }
  EXPECT_EQ(got, text + "end");
  EXPECT_FALSE(sink_.IsPending());
  EXPECT_EQ(sink_.error(), 0);
}

int64_t PeakKibibytes() {
  rusage usage;
  EXPECT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss;
}

TEST_P(OutputSinkTest, KeepsNothingThatAReaderHasTakenThoughItIsNeverDone) {
  constexpr size_t kPiece = 64 << 10;
  constexpr int64_t kMaxKibibytes = 32 << 10;
  const std::string piece(kPiece, 'x');
  std::string got(kPiece, '\0');
  sink_.Append(std::string(1 << 20, 'x'));
  const int64_t before = PeakKibibytes();
  for (int i = 0; i < 2048; ++i) {
    sink_.Append(piece);
    sink_.Write();
    ASSERT_TRUE(sink_.IsPending());
    for (size_t size = 0; size < kPiece;) {
      const ssize_t n = read(ends_.reader.get(), got.data(), kPiece - size);
      ASSERT_GT(n, 0);
      size += static_cast<size_t>(n);
      sink_.Write();
    }
  }
  EXPECT_LT(PeakKibibytes() - before, kMaxKibibytes);
}

TEST_P(OutputSinkTest, LeavesTheSharedDescriptionBlocking) {
  sink_.Append("x");
  sink_.Write();
  EXPECT_EQ(fcntl(ends_.writer.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST_P(OutputSinkTest, DropsEverythingOnceTheReaderIsGone) {
  ends_.reader.Reset();
  sink_.Append("x");
  sink_.Write();
  EXPECT_EQ(sink_.error(), EPIPE);
  sink_.Append(std::string(1 << 20, 'x'));
  sink_.Write();
  EXPECT_FALSE(sink_.IsPending());
}

INSTANTIATE_TEST_SUITE_P(Kinds, OutputSinkTest,
                         ::testing::Values(MakePipe, MakeSocket));

TEST(SameFileTest, TellsWhetherOutputsMix) {
  const Ends one = MakePipe();
  const Ends other = MakePipe();
  const UniqueFd duplicate(dup(one.writer.get()));
  EXPECT_TRUE(AreSameFile(one.writer.get(), duplicate.get()));
  EXPECT_FALSE(AreSameFile(one.writer.get(), other.writer.get()));
  EXPECT_FALSE(AreSameFile(-1, -1));
}

}  // namespace
}  // namespace gasnet::job
