#include "base/unique_fd.h"

#include <fcntl.h>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

int Open() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }
bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST(UniqueFdTest, ClosesAtTheEnd) {
  const int raw = Open();
  { const UniqueFd fd(raw); }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(UniqueFdTest, MovingPassesOwnership) {
  const int raw = Open();
  UniqueFd first(raw);
  UniqueFd second(std::move(first));
  EXPECT_FALSE(first.valid());
  EXPECT_EQ(second.get(), raw);
  second = UniqueFd(Open());
  EXPECT_TRUE(second.valid());
  EXPECT_TRUE(second.get() == raw || !IsOpen(raw));
}

TEST(UniqueFdTest, ReleaseGivesUp) {
  UniqueFd fd(Open());
  const int raw = fd.Release();
  fd.Reset();
  EXPECT_TRUE(IsOpen(raw));
  close(raw);
}

}  // namespace
}  // namespace gasnet
