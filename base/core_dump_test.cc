#include "base/core_dump.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

constexpr size_t kPages = 8;

// Returns true if the kernel leaves the mapping at `address` out, according to
// smaps.
bool IsLeftOut(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin, end;  // NOLINT(runtime/int): as %lx
    if (sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_here = at >= begin && at < end;
    }
    if (is_here && line.starts_with("VmFlags:")) {
      return line.find(" dd") != std::string::npos;
    }
  }
  ADD_FAILURE() << "nothing is mapped at " << address;
  return false;
}

class CoreDumpTest : public ::testing::Test {
 protected:
  CoreDumpTest()
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        fd_(memfd_create("core_dump_test", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(2 * kPages * page_)), 0);
    base_ = static_cast<char*>(mmap(nullptr, kPages * page_,
                                    PROT_READ | PROT_WRITE, MAP_SHARED, fd_,
                                    static_cast<off_t>(kPages * page_)));
  }

  ~CoreDumpTest() override {
    ForgetMapping(base_);
    munmap(base_, kPages * page_);
    close(fd_);
  }

  char* Page(size_t number) const { return base_ + number * page_; }

  const size_t page_;
  const int fd_;
  char* base_ = nullptr;
};

TEST_F(CoreDumpTest, OthersMemoryIsLeftOut) {
  ASSERT_FALSE(IsLeftOut(base_));
  LeaveOutOfCore(base_, kPages * page_);
  EXPECT_TRUE(IsLeftOut(base_));
}

TEST_F(CoreDumpTest, PagesInUseArePutIn) {
  LeaveUnusedOutOfCore(fd_, kPages * page_, base_, kPages * page_);
  *Page(2) = *Page(3) = *Page(7) = 1;
  EXPECT_TRUE(IsLeftOut(Page(2)));
  PutUsedIntoCore();
  for (size_t i = 0; i < kPages; ++i) {
    EXPECT_EQ(IsLeftOut(Page(i)), i != 2 && i != 3 && i != 7) << i;
  }
}

TEST_F(CoreDumpTest, OfAForgottenMappingNothingIs) {
  // In total this adds more mappings than the table holds at once.
  for (int round = 0; round < 20; ++round) {
    LeaveUnusedOutOfCore(fd_, kPages * page_, base_, kPages * page_);
    ForgetMapping(base_);
  }
  *Page(2) = 1;
  PutUsedIntoCore();
  EXPECT_TRUE(IsLeftOut(Page(2)));
  LeaveUnusedOutOfCore(fd_, kPages * page_, base_, kPages * page_);
  PutUsedIntoCore();
  EXPECT_FALSE(IsLeftOut(Page(2)));
}

TEST_F(CoreDumpTest, OfAnEmptyMappingNothingIs) {
  LeaveUnusedOutOfCore(fd_, kPages * page_, base_, kPages * page_);
  PutUsedIntoCore();
  EXPECT_TRUE(IsLeftOut(Page(0)));
}

}  // namespace
}  // namespace gasnet
