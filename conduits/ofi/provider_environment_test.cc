#include "conduits/ofi/provider_environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace gasnet::ofi {
namespace {

TEST(ProviderEnvironmentTest, WhatTheUserHasSetStays) {
  unsetenv("FI_UNIVERSE_SIZE");
  unsetenv("FI_PSM3_UUID");
  setenv("FI_PSM2_UUID", "mine", 1);
  setenv("HFI_NO_CPUAFFINITY", "0", 1);
  SetProviderEnvironment(77, 0xc001e5);
  EXPECT_STREQ(getenv("FI_UNIVERSE_SIZE"), "77");
  EXPECT_STREQ(getenv("FI_PSM3_UUID"), "00c001e5-4741-534e-8574-2d6f66690000");
  EXPECT_STREQ(getenv("FI_PSM2_UUID"), "mine");
  EXPECT_STREQ(getenv("HFI_NO_CPUAFFINITY"), "0");
}

// An empty FI_PROVIDER must count as unset: to libfabric, an empty list
// excludes all providers.
TEST(ProviderEnvironmentTest, EmptyIsAsNotSet) {
  setenv("FI_PROVIDER", "", 1);
  setenv("FI_UNIVERSE_SIZE", "", 1);
  SetProviderEnvironment(77, 0xc001e5);
  EXPECT_EQ(getenv("FI_PROVIDER"), nullptr);
  EXPECT_STREQ(getenv("FI_UNIVERSE_SIZE"), "77");
}

}  // namespace
}  // namespace gasnet::ofi
