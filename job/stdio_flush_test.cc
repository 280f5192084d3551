#include "job/stdio_flush.h"

#include <stdio.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/clock.h"
#include "base/sanitizer.h"
#include "gtest/gtest.h"
#include "job/testing/pipe.h"

namespace gasnet::job {
namespace {

using testing::ExitedWithCode;

constexpr int kReturned = 42;
constexpr char kItsExitFlushes[] =
    "_exit of the thread sanitizer flushes all streams, and waits for them";

// A death test's process with one word in each of three buffers: stdout, stderr
// and a stream that the test has opened. The test reads the words that are
// flushed.
class StdioFlushDeathTest : public testing::Test {
 protected:
  void Print() {
    Put(stdout, out_);
    Put(stderr, err_);
    own_ = fdopen(dup(client_.writer()), "w");
    setvbuf(own_, nullptr, _IOFBF, BUFSIZ);
    fputc('c', own_);
  }

  // Locks the stream forever, on another thread.
  static void Lock(FILE* stream) {
    TestPipe locked;
    std::thread([&locked, stream] {
      flockfile(stream);
      locked.Say('l');
      for (;;) pause();
    }).detach();
    locked.Await();
  }

  [[noreturn]] static void FlushAndEnd() {
    FlushStdioBeforeEnd(17);
    _exit(kReturned);
  }

  // Returns the flushed words once the process has ended.
  std::string Flushed() {
    std::string words;
    for (TestPipe* const pipe : {&out_, &err_, &client_}) {
      pipe->CloseWriter();
      const char word = pipe->Await();
      if (word != '\0') words += word;
    }
    return words;
  }

  FILE* own_ = nullptr;

 private:
  static void Put(FILE* stream, const TestPipe& pipe) {
    dup2(pipe.writer(), fileno(stream));
    setvbuf(stream, nullptr, _IOFBF, BUFSIZ);
    fputc(stream == stdout ? 'o' : 'e', stream);
  }

  TestPipe out_, err_, client_;
};

TEST_F(StdioFlushDeathTest, FlushesAllStreams) {
  EXPECT_EXIT(
      {
        Print();
        FlushAndEnd();
      },
      ExitedWithCode(kReturned), "");
  EXPECT_EQ(Flushed(), "oec");
}

TEST_F(StdioFlushDeathTest, EndsWithTheCodeWhereAClientsStreamIsLocked) {
  if (kThreadSanitizer) GTEST_SKIP() << kItsExitFlushes;
  EXPECT_EXIT(
      {
        Print();
        Lock(own_);
        SetFlushLimit(kNanosPerMilli);
        FlushAndEnd();
      },
      ExitedWithCode(17), "");
  EXPECT_EQ(Flushed(), "oe");
}

// stdin is locked, as by a thread in a blocking read.
TEST_F(StdioFlushDeathTest, LeavesTheClientsStreamsWhereStdinIsLocked) {
  if (kThreadSanitizer) GTEST_SKIP() << kItsExitFlushes;
  EXPECT_EXIT(
      {
        Print();
        Lock(stdin);
        FlushAndEnd();
      },
      ExitedWithCode(kReturned), "");
  EXPECT_EQ(Flushed(), "oe");
}

TEST_F(StdioFlushDeathTest, FlushesTheOtherWhereOneIsLocked) {
  if (kThreadSanitizer) GTEST_SKIP() << kItsExitFlushes;
  EXPECT_EXIT(
      {
        Print();
        Lock(stdout);
        FlushAndEnd();
      },
      ExitedWithCode(kReturned), "");
  EXPECT_EQ(Flushed(), "e");
}

}  // namespace
}  // namespace gasnet::job
