#include "job/launch/event_loop.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

class EventLoopTest : public ::testing::Test {
 protected:
  EventLoopTest() {
    for (auto& ends : pipes_) {
      int fds[2];
      EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0);
      ends.reader.Reset(fds[0]);
      ends.writer.Reset(fds[1]);
    }
  }

  void Fill(int i) { EXPECT_EQ(write(pipes_[i].writer.get(), "x", 1), 1); }

  struct {
    UniqueFd reader, writer;
  } pipes_[2];
  EventLoop loop_;
  int calls_ = 0;
};

TEST_F(EventLoopTest, CallsBackWhileReady) {
  const int fd = pipes_[0].reader.get();
  ASSERT_TRUE(loop_.Watch(fd, EPOLLIN, [&] { ++calls_; }));
  loop_.Wait(NowNanos());
  EXPECT_EQ(calls_, 0);
  Fill(0);
  loop_.Wait(kNever);
  loop_.Wait(kNever);
  EXPECT_EQ(calls_, 2);
  loop_.Unwatch(fd);
  loop_.Wait(NowNanos());
  EXPECT_EQ(calls_, 2);
}

TEST_F(EventLoopTest, AnEndCountsAsReady) {
  pipes_[0].writer.Reset();
  loop_.Watch(pipes_[0].reader.get(), EPOLLIN, [&] { ++calls_; });
  loop_.Wait(kNever);
  EXPECT_EQ(calls_, 1);
}

// Both descriptors are ready. The first callback closes the descriptor of the
// second callback.
TEST_F(EventLoopTest, CallbacksMayUnwatchOneAnother) {
  for (int i = 0; i < 2; ++i) {
    Fill(i);
    loop_.Watch(pipes_[i].reader.get(), EPOLLIN, [&] {
      ++calls_;
      for (auto& ends : pipes_) {
        loop_.Unwatch(ends.reader.get());
        ends.reader.Reset();
      }
    });
  }
  loop_.Wait(kNever);
  EXPECT_EQ(calls_, 1);
}

TEST_F(EventLoopTest, RegularFilesCannotBeWatched) {
  const UniqueFd file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(loop_.Watch(file.get(), EPOLLIN, [] {}));
}

}  // namespace
}  // namespace gasnet::job
