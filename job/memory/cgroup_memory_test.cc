#include "job/memory/cgroup_memory.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

// A tree of files like the kernel's.
class CgroupMemoryTest : public ::testing::Test {
 protected:
  CgroupMemoryTest() { std::filesystem::remove_all(root_); }
  ~CgroupMemoryTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }

  void WriteV2(const std::string& group, const std::string& limit,
               const std::string& usage) {
    Write("/sys/fs/cgroup" + group + "/memory.max", limit);
    Write("/sys/fs/cgroup" + group + "/memory.current", usage);
  }

  const std::string root_ =
      ::testing::TempDir() + "cgroup_memory_test/" +
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

TEST_F(CgroupMemoryTest, NoGroupsNoLimit) {
  EXPECT_EQ(AvailableCgroupMemory(root_), kUnlimited);
}

TEST_F(CgroupMemoryTest, Version2) {
  Write("/proc/self/cgroup", "0::/a/b");
  WriteV2("/a/b", "1000", "300");
  EXPECT_EQ(AvailableCgroupMemory(root_), 700u);
}

TEST_F(CgroupMemoryTest, CacheThatCanGoIsNotInUse) {
  Write("/proc/self/cgroup", "0::/a");
  WriteV2("/a", "1000", "300");
  Write("/sys/fs/cgroup/a/memory.stat", "anon 100\ninactive_file 150");
  EXPECT_EQ(AvailableCgroupMemory(root_), 850u);
}

TEST_F(CgroupMemoryTest, GroupsAboveCountToo) {
  Write("/proc/self/cgroup", "0::/a/b/c");
  WriteV2("/a/b/c", "max", "10");
  WriteV2("/a/b", "1000", "300");
  WriteV2("/a", "500", "400");
  EXPECT_EQ(AvailableCgroupMemory(root_), 100u);
}

TEST_F(CgroupMemoryTest, UseAboveTheLimitLeavesNothing) {
  Write("/proc/self/cgroup", "0::/a");
  WriteV2("/a", "100", "300");
  EXPECT_EQ(AvailableCgroupMemory(root_), 0u);
}

TEST_F(CgroupMemoryTest, Version1) {
  Write("/proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/job\n0::/");
  const std::string group = "/sys/fs/cgroup/memory/job";
  Write(group + "/memory.limit_in_bytes", "5000");
  Write(group + "/memory.usage_in_bytes", "2000");
  Write(group + "/memory.stat", "cache 1\ntotal_inactive_file 500");
  EXPECT_EQ(AvailableCgroupMemory(root_), 3500u);
}

// In a container, /proc/self/cgroup has the path on the host. The mount shows
// only the container's own group.
TEST_F(CgroupMemoryTest, PathsThatAreNotVisible) {
  Write("/proc/self/cgroup", "0::/system/container/77");
  WriteV2("", "1000", "100");
  EXPECT_EQ(AvailableCgroupMemory(root_), 900u);
}

}  // namespace
}  // namespace gasnet::job
