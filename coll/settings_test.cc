// Tests the default settings, and how the environment changes them.
#include "coll/settings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace gasnet::coll {
namespace {

constexpr size_t kMaxMedium = 1 << 16;

class SettingsTest : public ::testing::Test {
 protected:
  ~SettingsTest() override { unsetenv("GASNET_COLL_OPT"); }
};

TEST_F(SettingsTest, WithoutOptimisationAllGoStraightToAll) {
  setenv("GASNET_COLL_OPT", "no", 1);
  const CollSettings settings = SettingsFromEnvironment(kMaxMedium);
  EXPECT_EQ(settings.flat_reduce, SIZE_MAX);
  EXPECT_EQ(settings.flat_far, SIZE_MAX);
  EXPECT_EQ(settings.flat_near, SIZE_MAX);
  EXPECT_EQ(settings.chain_from, SIZE_MAX);
  EXPECT_EQ(settings.central_from, SIZE_MAX);
  EXPECT_EQ(settings.ring_from, SIZE_MAX);
  EXPECT_EQ(settings.segment, 0u);
  EXPECT_EQ(settings.leaders, 0u);
}

TEST_F(SettingsTest, EverySettingIsReadAsItIsDescribed) {
  CollSettings settings = SettingsFromEnvironment(kMaxMedium);
  settings.chain_from = 77;
  settings.segment = 78;
  settings.eager_near = 79;
  const std::string text = DescribeSettings(settings);
  CollSettings read;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_EQ(ReadSetting(text.substr(at, end - at), kMaxMedium, read), "");
    at = end + 1;
  }
  EXPECT_EQ(DescribeSettings(read), text);
  EXPECT_EQ(read.chain_from, 77u);
  EXPECT_EQ(read.segment, 78u);
  EXPECT_EQ(read.eager_near, 79u);
}

}  // namespace
}  // namespace gasnet::coll
