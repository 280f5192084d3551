// Tests of place.h on a fake machine: two sockets of four processors, each
// socket with a memory node and a network device.
#include "conduits/ofi/place.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gasnet::ofi {
namespace {

void Write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(
      std::filesystem::path(path).parent_path());
  std::ofstream(path) << text << "\n";
}

class PlaceTest : public ::testing::Test {
 protected:
  PlaceTest() {
    sys_ = absl::StrCat(::testing::TempDir(), "/sys");
    for (int cpu = 0; cpu < 8; ++cpu) {
      Write(absl::StrCat(sys_, "/devices/system/cpu/cpu", cpu,
                         "/topology/physical_package_id"),
            std::to_string(cpu / 4));
    }
    // The memory nodes are numbered in the opposite order of the sockets.
    Write(sys_ + "/devices/system/node/node0/cpulist", "4-7");
    Write(sys_ + "/devices/system/node/node1/cpulist", "0-1,2,3");
    Write(sys_ + "/bus/pci/devices/0000:1a:00.1/local_cpulist", "0-3");
    Write(sys_ + "/bus/pci/devices/0001:9b:00.0/local_cpulist", "4,5,6-7");
  }
  CpuPlacement On(std::vector<int> cpus, size_t index = 0) const {
    return {.cpus = std::move(cpus),
            .earlier = std::vector<std::vector<int>>(index),
            .sys = sys_};
  }
  std::optional<bool> IsNearTo(const CpuPlacement& place, uint16_t domain,
                               uint8_t bus, uint8_t function) {
    bus_.bus_type = FI_BUS_PCI;
    bus_.attr.pci = {domain, bus, 0, function};
    nic_.bus_attr = &bus_;
    info_.nic = &nic_;
    return IsNear(info_, place);
  }

  std::string sys_;
  fi_info info_ = {};
  fid_nic nic_ = {};
  fi_bus_attr bus_ = {};
};

TEST_F(PlaceTest, ADeviceIsNearToItsProcessors) {
  EXPECT_EQ(IsNearTo(On({0, 1}), 0, 0x1a, 1), true);
  EXPECT_EQ(IsNearTo(On({3, 4}), 0, 0x1a, 1), true);
  EXPECT_EQ(IsNearTo(On({4, 5}), 0, 0x1a, 1), false);
  EXPECT_EQ(IsNearTo(On({7}), 1, 0x9b, 0), true);
  EXPECT_EQ(IsNearTo(On({3}), 1, 0x9b, 0), false);
}

TEST_F(PlaceTest, WhatSaysNothingIsNotKnown) {
  EXPECT_EQ(IsNear(info_, On({0})), std::nullopt);
  EXPECT_EQ(IsNearTo(On({0}), 7, 0x1a, 1), std::nullopt);
  bus_.bus_type = FI_BUS_UNKNOWN;
  EXPECT_EQ(IsNear(info_, On({0})), std::nullopt);
}

TEST_F(PlaceTest, ARankIsWhereItsFirstProcessorIs) {
  EXPECT_EQ(NumberOf(DeviceType::kSocket, On({2, 6})), 0);
  EXPECT_EQ(NumberOf(DeviceType::kSocket, On({6})), 1);
  EXPECT_EQ(NumberOf(DeviceType::kNode, On({2, 6})), 1);
  EXPECT_EQ(NumberOf(DeviceType::kNode, On({6})), 0);
  EXPECT_EQ(NumberOf(DeviceType::kProcess, On({6}, 5)), 5);
}

TEST_F(PlaceTest, AMachineThatIsNotDescribedIsOnePlace) {
  const CpuPlacement nowhere = {.cpus = {3}, .sys = "/nowhere"};
  EXPECT_EQ(NumberOf(DeviceType::kSocket, nowhere), 0);
  EXPECT_EQ(NumberOf(DeviceType::kNode, nowhere), 0);
}

TEST(EarlierOnHostTest, IsOfTheRanksOfTheHostBeforeThisOne) {
  const std::vector<CpuMask> masks = {MaskOf({0, 1023}), MaskOf({1}),
                                      MaskOf({2, 1024}), MaskOf({3}),
                                      MaskOf({4})};
  const std::vector<uint32_t> host_of = {0, 1, 0, 0, 0};
  EXPECT_TRUE(EarlierOnHost(masks, host_of, 0).empty());
  EXPECT_TRUE(EarlierOnHost(masks, host_of, 1).empty());
  EXPECT_EQ(EarlierOnHost(masks, host_of, 3),
            (std::vector<std::vector<int>>{{0, 1023}, {2}}));
}

}  // namespace
}  // namespace gasnet::ofi
