#include "job/memory/host_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

class HostMemoryTest : public ::testing::TestWithParam<const char*> {
 protected:
  HostMemoryTest() { setenv("GASNET_HOST_MEMORY", GetParam(), 1); }
  ~HostMemoryTest() override { unsetenv("GASNET_HOST_MEMORY"); }
};

TEST_P(HostMemoryTest, IsEmptyUnnamedAndClosedOnExec) {
  const auto fd = CreateHostMemory();
  ASSERT_TRUE(fd.ok()) << fd.status();
  struct stat info;
  ASSERT_EQ(fstat(fd->get(), &info), 0);
  EXPECT_EQ(info.st_size, 0);
  EXPECT_EQ(info.st_nlink, 0u);
  EXPECT_EQ(fcntl(fd->get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(ftruncate(fd->get(), 1 << 20), 0);
  EXPECT_EQ(pwrite(fd->get(), "x", 1, 12345), 1);
}

TEST_P(HostMemoryTest, SomeIsAvailable) {
  const auto fd = CreateHostMemory();
  ASSERT_TRUE(fd.ok());
  EXPECT_GT(AvailableHostMemory(fd->get()), 1u << 20);
  EXPECT_LT(AvailableHostMemory(fd->get()), uint64_t{1} << 50);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostMemoryTest,
                         ::testing::Values("auto", "memfd", "shm", "tmp"));

TEST(AvailableHostMemoryTest, HonoursTheProcessLimits) {
  const auto limited = [](__rlimit_resource resource, rlim_t bytes) {
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    if (setrlimit(resource, &limit) != 0) _exit(2);
    _exit(AvailableHostMemory(-1) <= bytes ? 0 : 1);
  };
  EXPECT_EXIT(limited(RLIMIT_FSIZE, 1 << 20), ::testing::ExitedWithCode(0), "");
  // Sanitizers map more address space than any limit.
  if (kAddressSanitizer || kThreadSanitizer) return;
  EXPECT_EXIT(limited(RLIMIT_AS, 256 << 20), ::testing::ExitedWithCode(0), "");
}

// Other code needs address space too. For example, libfabric maps memory when
// it first reaches a peer.
TEST(AvailableHostMemoryTest, LeavesSomeAddressesForOtherMemory) {
  if (kAddressSanitizer || kThreadSanitizer) {
    GTEST_SKIP() << "sanitizers map more address space than any limit";
  }
  const auto take_all = [] {
    const rlimit limit = {.rlim_cur = 256 << 20, .rlim_max = 256 << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    const auto map = [](size_t bytes) {
      return mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                  0) != MAP_FAILED;
    };
    if (!map(AvailableHostMemory(-1))) _exit(1);
    _exit(map(16 << 20) ? 0 : 1);
  };
  EXPECT_EXIT(take_all(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gasnet::job
