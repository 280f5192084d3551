#include "conduits/portals/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "base/log.h"

namespace gasnet::portals_conduit {
namespace {

// Makes these variables the whole environment of the process. A job can replace
// the environment that settings come from, but only once. So this function
// replaces the environment of the process.
void HaveEnvironment(
    const std::vector<std::pair<const char*, const char*>>& variables) {
  ASSERT_EQ(clearenv(), 0);
  for (const auto& [name, value] : variables) setenv(name, value, 1);
}

TEST(SettingsTest, HasDefaults) {
  HaveEnvironment({});
  const PortalsSettings settings = SettingsFromEnvironment(2);
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
  const PortalsSettings settings = SettingsFromEnvironment(2);
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

RegistrationSettings Registration(
    const std::vector<std::pair<const char*, const char*>>& variables) {
  HaveEnvironment(variables);
  return SettingsFromEnvironment(2).registration;
}

TEST(SettingsTest, RegistrationHasDefaults) {
  const RegistrationSettings settings = Registration({});
  EXPECT_EQ(settings.put_bounce, 2048u);
  EXPECT_EQ(settings.get_bounce, 2040u);
  EXPECT_TRUE(settings.firehose);
  EXPECT_EQ(settings.temporaries, 1024u);
  EXPECT_EQ(settings.regions, 1024u);
  EXPECT_EQ(settings.region_bytes, 128u << 10);
  EXPECT_EQ(settings.cached_bytes, 128u << 20);
  EXPECT_FALSE(settings.verbose);
  EXPECT_EQ(settings.pinnable, 0.75);
}

TEST(SettingsTest, RegistrationIsAsTheEnvironmentSays) {
  const RegistrationSettings settings =
      Registration({{"GASNET_PORTAL_NUM_TMPMD", "1"},
                    {"GASNET_PHYSMEM_PINNABLE_RATIO", "0.5"},
                    {"GASNET_USE_FIREHOSE", "n"},
                    {"GASNET_FIREHOSE_VERBOSE", "1"}});
  EXPECT_EQ(settings.temporaries, 1u);
  EXPECT_EQ(settings.pinnable, 0.5);
  EXPECT_FALSE(settings.firehose);
  EXPECT_TRUE(settings.verbose);
}

TEST(SettingsTest, BounceLimitsEndAtAChunkWhichHasAnAddressForGets) {
  const auto limits = [](const char* limit, const char* chunk) {
    const RegistrationSettings settings =
        Registration({{"GASNET_PORTAL_PUTGET_BOUNCE_LIMIT", limit},
                      {"GASNET_PORTAL_CHUNK", chunk}});
    return std::pair(settings.put_bounce, settings.get_bounce);
  };
  EXPECT_EQ(limits("0", "1024"), std::pair(0u, 0u));
  EXPECT_EQ(limits("8", "1024"), std::pair(8u, 8u));
  EXPECT_EQ(limits("1016", "1024"), std::pair(1016u, 1016u));
  EXPECT_EQ(limits("1K", "1024"), std::pair(1024u, 1016u));
  EXPECT_EQ(limits("1025", "1024"), std::pair(1024u, 1016u));
}

TEST(SettingsTest, ABounceLimitOfItsOwnGoesBeforeThatOfBoth) {
  const RegistrationSettings put =
      Registration({{"GASNET_PORTAL_PUTGET_BOUNCE_LIMIT", "100"},
                    {"GASNET_PORTAL_PUT_BOUNCE_LIMIT", "200"}});
  EXPECT_EQ(put.put_bounce, 200u);
  EXPECT_EQ(put.get_bounce, 100u);
  const RegistrationSettings get =
      Registration({{"GASNET_PORTAL_GET_BOUNCE_LIMIT", "300"}});
  EXPECT_EQ(get.put_bounce, 2048u);
  EXPECT_EQ(get.get_bounce, 300u);
}

// Firehose sizes without a unit are in megabytes. All other sizes are in bytes.
TEST(SettingsTest, SizesOfFirehoseAreInMegabytes) {
  const RegistrationSettings settings =
      Registration({{"GASNET_FIREHOSE_MAXVICTIM_M", "64"},
                    {"GASNET_FIREHOSE_MAXREGION_SIZE", "2"}});
  EXPECT_EQ(settings.cached_bytes, 64u << 20);
  EXPECT_EQ(settings.region_bytes, 2u << 20);
  EXPECT_EQ(settings.regions, 32u);
  const RegistrationSettings with_units =
      Registration({{"GASNET_FIREHOSE_MAXVICTIM_M", "64K"},
                    {"GASNET_FIREHOSE_MAXREGION_SIZE", "4096B"}});
  EXPECT_EQ(with_units.cached_bytes, 64u << 10);
  EXPECT_EQ(with_units.region_bytes, 4096u);
}

TEST(SettingsTest, RegionsAreAsManyAsTheirMemoryHasRoomFor) {
  const RegistrationSettings fewer =
      Registration({{"GASNET_FIREHOSE_MAXVICTIM_R", "16"}});
  EXPECT_EQ(fewer.regions, 16u);
  EXPECT_EQ(fewer.cached_bytes, 16u * (128 << 10));
  const RegistrationSettings cut =
      Registration({{"GASNET_FIREHOSE_MAXVICTIM_R", "16"},
                    {"GASNET_FIREHOSE_MAXVICTIM_M", "1"}});
  EXPECT_EQ(cut.regions, 8u);
  EXPECT_EQ(cut.cached_bytes, 1u << 20);
  const RegistrationSettings least =
      Registration({{"GASNET_FIREHOSE_MAXVICTIM_M", "4K"}});
  EXPECT_EQ(least.regions, 1u);
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
}  // namespace gasnet::portals_conduit
