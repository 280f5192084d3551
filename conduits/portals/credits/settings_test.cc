#include "conduits/portals/credits/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>
#include <utility>
#include <vector>

namespace gasnet::portals_conduit::credits {
namespace {

// Returns the settings of a process whose environment has these variables and
// no others. Settings may also come from the environment of a job, but a
// process can set that only once. So this function replaces its own.
CreditSettings With(
    const std::vector<std::pair<const char*, const char*>>& variables) {
  EXPECT_EQ(clearenv(), 0);
  for (const auto& [name, value] : variables) setenv(name, value, 1);
  return SettingsFromEnvironment(8);
}

TEST(SettingsTest, HasDefaults) {
  const CreditSettings settings = With({});
  EXPECT_EQ(settings.mode, Mode::kDynamic);
  EXPECT_EQ(settings.max_per_node, 400);
  EXPECT_EQ(settings.epoch_duration, 1024u);
  EXPECT_EQ(settings.lender_limit, 256);
  EXPECT_EQ(settings.revoke_limit, 128);
  EXPECT_EQ(settings.num_scavenge, 8);
  EXPECT_EQ(settings.per_node, std::nullopt);
  EXPECT_EQ(settings.bank, std::nullopt);
  EXPECT_EQ(settings.receive_space, std::nullopt);
  EXPECT_FALSE(settings.statistics);
  EXPECT_EQ(settings.statistics_file, "gasnet_portal_credits.%r");
}

TEST(SettingsTest, TakesWhatTheEnvironmentSays) {
  const CreditSettings settings =
      With({{"GASNET_PORTAL_MAX_CRED_PER_NODE", "300"},
            {"GASNET_PORTAL_EPOCH_DURATION", "64"},
            {"GASNET_PORTAL_CRED_PER_NODE", "20"},
            {"GASNET_PORTAL_BANKED_CREDITS", "0"},
            {"GASNET_PORTAL_AMRECV_SPACE", "2M"},
            {"GASNET_PORTAL_LENDER_LIMIT", "1"},
            {"GASNET_PORTAL_REVOKE_LIMIT", "2"},
            {"GASNET_PORTAL_NUM_SCAVENGE", "3"},
            {"GASNET_PORTAL_CREDIT_STATS", "1"},
            {"GASNET_PORTAL_CREDIT_STATS_FILE", "/tmp/c.%r"}});
  EXPECT_EQ(settings.max_per_node, 300);
  EXPECT_EQ(settings.epoch_duration, 64u);
  EXPECT_EQ(settings.per_node, 20);
  EXPECT_EQ(settings.bank, 0u);
  EXPECT_EQ(settings.receive_space, 2u << 20);
  EXPECT_EQ(settings.lender_limit, 1);
  EXPECT_EQ(settings.revoke_limit, 2);
  EXPECT_EQ(settings.num_scavenge, 3);
  EXPECT_TRUE(settings.statistics);
  EXPECT_EQ(settings.statistics_file, "/tmp/c.%r");
}

TEST(SettingsTest, HasThreeModes) {
  const char* const flow = "GASNET_PORTAL_FLOW_CONTROL";
  const char* const dynamic = "GASNET_PORTAL_DYNAMIC_CREDITS";
  EXPECT_EQ(With({{flow, "no"}}).mode, Mode::kOff);
  EXPECT_EQ(With({{flow, "no"}, {dynamic, "1"}}).mode, Mode::kOff);
  EXPECT_EQ(With({{dynamic, "false"}}).mode, Mode::kStatic);
  EXPECT_EQ(With({{flow, "1"}, {dynamic, "1"}}).mode, Mode::kDynamic);
}

TEST(SettingsDeathTest, NamesWhatIsWrong) {
  const auto read = [](const char* name, const char* value) {
    With({{name, value}});
  };
  EXPECT_DEATH(read("GASNET_PORTAL_FLOW_CONTROL", "perhaps"),
               "GASNET_PORTAL_FLOW_CONTROL.*perhaps");
  EXPECT_DEATH(read("GASNET_PORTAL_DYNAMIC_CREDITS", "2"),
               "GASNET_PORTAL_DYNAMIC_CREDITS.*2");
  EXPECT_DEATH(read("GASNET_PORTAL_MAX_CRED_PER_NODE", "7"),
               "GASNET_PORTAL_MAX_CRED_PER_NODE.*7.*from 8 to 65528");
  EXPECT_DEATH(read("GASNET_PORTAL_CRED_PER_NODE", "7"),
               "GASNET_PORTAL_CRED_PER_NODE.*7.*from 8 to 400");
  EXPECT_DEATH(read("GASNET_PORTAL_CRED_PER_NODE", "401"),
               "GASNET_PORTAL_CRED_PER_NODE.*401.*from 8 to 400");
  EXPECT_DEATH(read("GASNET_PORTAL_EPOCH_DURATION", "0"),
               "GASNET_PORTAL_EPOCH_DURATION.*0.*from 1 to");
  EXPECT_DEATH(read("GASNET_PORTAL_BANKED_CREDITS", "-1"),
               "GASNET_PORTAL_BANKED_CREDITS.*-1.*from 0");
  EXPECT_DEATH(read("GASNET_PORTAL_AMRECV_SPACE", "much"),
               "GASNET_PORTAL_AMRECV_SPACE.*much");
  EXPECT_DEATH(read("GASNET_PORTAL_LENDER_LIMIT", "65529"),
               "GASNET_PORTAL_LENDER_LIMIT.*65529.*from 0 to 65528");
  EXPECT_DEATH(read("GASNET_PORTAL_REVOKE_LIMIT", "many"),
               "GASNET_PORTAL_REVOKE_LIMIT.*many");
  EXPECT_DEATH(read("GASNET_PORTAL_NUM_SCAVENGE", "65"),
               "GASNET_PORTAL_NUM_SCAVENGE.*65.*from 1 to 64");
  EXPECT_DEATH(read("GASNET_PORTAL_CREDIT_STATS", "all"),
               "GASNET_PORTAL_CREDIT_STATS.*all");
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
