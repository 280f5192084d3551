#include "conduits/portals/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "base/log.h"

namespace gasnet::portals {
namespace {

// The process's environment is this and nothing else: until there is a job's,
// which is set once, that is what counts.
void HaveEnvironment(
    const std::vector<std::pair<const char*, const char*>>& variables) {
  ASSERT_EQ(clearenv(), 0);
  for (const auto& [name, value] : variables) setenv(name, value, 1);
}

TEST(SettingsTest, HasDefaults) {
  HaveEnvironment({});
  const Settings settings = SettingsFromEnvironment(2);
  EXPECT_EQ(settings.msg_limit, 250u);
  EXPECT_TRUE(settings.packed_long);
  EXPECT_EQ(settings.sb_chunks, 512u);
  EXPECT_EQ(settings.rpl_chunks, 64u);
  EXPECT_EQ(settings.safe_limit, 12u);
  EXPECT_EQ(settings.am_limit, 8u);
  EXPECT_EQ(settings.sys_limit, 0u);
  EXPECT_EQ(settings.chunk, 2048u);
  EXPECT_FALSE(settings.iface.has_value());
  EXPECT_FALSE(settings.statistics);
}

TEST(SettingsTest, ManyRanksHaveSmallerChunks) {
  HaveEnvironment({});
  EXPECT_EQ(SettingsFromEnvironment(1024).chunk, 2048u);
  EXPECT_EQ(SettingsFromEnvironment(1025).chunk, 1024u);
}

TEST(SettingsTest, TakesWhatTheEnvironmentSays) {
  HaveEnvironment({{"GASNET_PORTAL_MSG_LIMIT", "4"},
                   {"GASNET_PORTAL_PACKED_LONG", "0"},
                   {"GASNET_PORTAL_SB_CHUNKS", "1"},
                   {"GASNET_PORTAL_RPL_CHUNKS", "2"},
                   {"GASNET_PORTAL_SAFE_LIMIT", "3"},
                   {"GASNET_PORTAL_AM_LIMIT", "5"},
                   {"GASNET_PORTAL_SYS_LIMIT", "6"},
                   {"GASNET_PORTAL_CHUNK", "1024"},
                   {"GASNET_PORTAL_IFACE", "7"},
                   {"GASNET_PORTAL_STATISTICS", "1"}});
  const Settings settings = SettingsFromEnvironment(2);
  EXPECT_EQ(settings.msg_limit, 4u);
  EXPECT_FALSE(settings.packed_long);
  EXPECT_EQ(settings.sb_chunks, 1u);
  EXPECT_EQ(settings.rpl_chunks, 2u);
  EXPECT_EQ(settings.safe_limit, 3u);
  EXPECT_EQ(settings.am_limit, 5u);
  EXPECT_EQ(settings.sys_limit, 6u);
  EXPECT_EQ(settings.chunk, 1024u);
  EXPECT_EQ(settings.iface, 7u);
  EXPECT_TRUE(settings.statistics);
}

TEST(SettingsTest, WhatWasDroppedIsTaken) {
  HaveEnvironment({{"GASNET_PORTAL_ACCEL", "1"}, {"GASNET_FIREHOSE_M", "8"}});
  SetLogIdentity(0, 2);
  testing::internal::CaptureStderr();
  SettingsFromEnvironment(2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "GASNET_FIREHOSE_M has no effect"),
            std::string::npos);
}

// No memory is registered, but a script may say how.
TEST(SettingsTest, WhatIsOfRegistrationIsTaken) {
  HaveEnvironment({{"GASNET_PORTAL_NUM_TMPMD", "1"},
                   {"GASNET_PORTAL_PUTGET_BOUNCE_LIMIT", "1k"},
                   {"GASNET_PHYSMEM_PINNABLE_RATIO", "0.5"},
                   {"GASNET_USE_FIREHOSE", "y"},
                   {"GASNET_FIREHOSE_MAXVICTIM_M", "64"},
                   {"GASNET_FIREHOSE_MAXREGION_SIZE", "128K"},
                   {"GASNET_FIREHOSE_MAXVICTIM_R", "16"},
                   {"GASNET_FIREHOSE_VERBOSE", "1"}});
  EXPECT_EQ(SettingsFromEnvironment(2).msg_limit, 250u);
}

TEST(SettingsDeathTest, NamesWhatIsWrong) {
  const auto read = [](const char* name, const char* value) {
    HaveEnvironment({{name, value}});
    SettingsFromEnvironment(2);
  };
  EXPECT_DEATH(read("GASNET_PORTAL_MSG_LIMIT", "3"),
               "GASNET_PORTAL_MSG_LIMIT.*3.*4");
  EXPECT_DEATH(read("GASNET_PORTAL_SB_CHUNKS", "0"),
               "GASNET_PORTAL_SB_CHUNKS.*0.*1");
  EXPECT_DEATH(read("GASNET_PORTAL_CHUNK", "512"),
               "GASNET_PORTAL_CHUNK.*512.*1024");
  EXPECT_DEATH(read("GASNET_PORTAL_ACCEL", "perhaps"), "GASNET_PORTAL_ACCEL");
  EXPECT_DEATH(read("GASNET_PORTAL_SILENCE_NOTICE", "-1"),
               "GASNET_PORTAL_SILENCE_NOTICE.*-1");
  for (const char* const name :
       {"GASNET_PORTAL_NUM_TMPMD", "GASNET_PORTAL_PUT_BOUNCE_LIMIT",
        "GASNET_PORTAL_GET_BOUNCE_LIMIT", "GASNET_PORTAL_PUTGET_BOUNCE_LIMIT",
        "GASNET_PHYSMEM_PINNABLE_RATIO", "GASNET_USE_FIREHOSE",
        "GASNET_FIREHOSE_MAXVICTIM_M", "GASNET_FIREHOSE_MAXREGION_SIZE",
        "GASNET_FIREHOSE_MAXVICTIM_R", "GASNET_FIREHOSE_VERBOSE"}) {
    EXPECT_DEATH(read(name, "plenty"), std::string(name) + ".*plenty");
  }
}

}  // namespace
}  // namespace gasnet::portals
