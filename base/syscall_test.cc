#include "base/syscall.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/unique_fd.h"
#include "gtest/gtest.h"

namespace gasnet {
namespace {

class SyscallTest : public ::testing::Test {
 protected:
  SyscallTest() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    left_.Reset(ends[0]);
    right_.Reset(ends[1]);
  }

  UniqueFd left_, right_;
};

TEST_F(SyscallTest, TransfersMoreThanTheSocketHolds) {
  const std::string sent(4 << 20, 'x');
  std::thread writer(
      [&] { EXPECT_TRUE(WriteFull(left_.get(), sent.data(), sent.size())); });
  std::string received(sent.size(), '\0');
  EXPECT_EQ(ReadFull(right_.get(), received.data(), received.size()),
            static_cast<ssize_t>(sent.size()));
  writer.join();
  EXPECT_EQ(sent, received);
}

TEST_F(SyscallTest, ReadIsShortAtTheEnd) {
  ASSERT_TRUE(WriteFull(left_.get(), "abc", 3));
  left_.Reset();
  char data[8];
  EXPECT_EQ(ReadFull(right_.get(), data, sizeof data), 3);
  EXPECT_EQ(ReadFull(right_.get(), data, sizeof data), 0);
}

TEST_F(SyscallTest, WritingToNobodyFailsWithoutSignal) {
  right_.Reset();
  EXPECT_FALSE(WriteFull(left_.get(), "abc", 3));
  EXPECT_EQ(errno, EPIPE);
}

TEST_F(SyscallTest, FlagsGoOnAndOff) {
  EXPECT_TRUE(SetCloseOnExec(left_.get(), false));
  EXPECT_EQ(fcntl(left_.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_TRUE(SetCloseOnExec(left_.get(), true));
  EXPECT_EQ(fcntl(left_.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  EXPECT_TRUE(SetNonBlocking(left_.get()));
  char byte;
  EXPECT_EQ(read(left_.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_FALSE(SetNonBlocking(-1));
}

TEST_F(SyscallTest, ReadsFilesAtAnOffset) {
  const UniqueFd file(open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  char all[4096], tail[4096];
  const ssize_t size = PreadFull(file.get(), all, sizeof all, 0);
  ASSERT_GT(size, 1);
  EXPECT_EQ(PreadFull(file.get(), tail, sizeof tail, 1), size - 1);
  EXPECT_EQ(std::string(all + 1, size - 1), std::string(tail, size - 1));
}

}  // namespace
}  // namespace gasnet
