#include "conduits/udp/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <utility>
#include <vector>

namespace gasnet::udp {
namespace {

// Makes these variables the whole environment of the process. The settings are
// read from it, because this test starts no job with another environment.
void HaveEnvironment(
    const std::vector<std::pair<const char*, const char*>>& variables) {
  ASSERT_EQ(clearenv(), 0);
  for (const auto& [name, value] : variables) setenv(name, value, 1);
}

TEST(SettingsTest, HasDefaults) {
  HaveEnvironment({});
  const UdpSettings settings = SettingsFromEnvironment();
  EXPECT_EQ(settings.depth, 256u);
  EXPECT_EQ(settings.initial_timeout, 10'000'000);
  EXPECT_EQ(settings.silence_limit, 0);
  EXPECT_EQ(settings.backoff, 2);
  EXPECT_FALSE(settings.encrypt);
  EXPECT_TRUE(settings.offload);
  EXPECT_FALSE(settings.statistics);
  EXPECT_FALSE(settings.progress);
  EXPECT_EQ(settings.rails, 0u);
  EXPECT_FALSE(settings.faults.any());
  EXPECT_EQ(settings.addresses.master, "");
  EXPECT_EQ(settings.addresses.worker, "");
}

TEST(SettingsTest, TakesWhatTheEnvironmentSaysInMicroseconds) {
  HaveEnvironment({{"GASNET_MASTERIP", "192.0.2.1"},
                   {"GASNET_WORKERIP", "192.0.2.0/24"},
                   {"GASNET_NETWORKDEPTH", "16"},
                   {"GASNET_REQUESTTIMEOUT_INITIAL", "500"},
                   {"GASNET_REQUESTTIMEOUT_MAX", "2000000"},
                   {"GASNET_REQUESTTIMEOUT_BACKOFF", "4"},
                   {"GASNET_UDP_ENCRYPT", "yes"},
                   {"GASNET_UDP_OFFLOAD", "0"},
                   {"GASNET_UDP_STATISTICS", "1"},
                   {"GASNET_UDP_PROGRESS", "1"},
                   {"GASNET_UDP_RAILS", "5"},
                   {"GASNET_UDP_FAULTS", "drop=5,seed=7"}});
  const UdpSettings settings = SettingsFromEnvironment();
  EXPECT_EQ(settings.addresses.master, "192.0.2.1");
  EXPECT_EQ(settings.addresses.worker, "192.0.2.0/24");
  EXPECT_EQ(settings.depth, 16u);
  EXPECT_EQ(settings.initial_timeout, 500'000);
  EXPECT_EQ(settings.silence_limit, 2'000'000'000);
  EXPECT_EQ(settings.backoff, 4);
  EXPECT_TRUE(settings.encrypt);
  EXPECT_FALSE(settings.offload);
  EXPECT_TRUE(settings.statistics);
  EXPECT_TRUE(settings.progress);
  EXPECT_EQ(settings.rails, 5u);
  EXPECT_EQ(settings.faults.drop, 5);
  EXPECT_EQ(settings.faults.seed, 7u);
}

TEST(SettingsDeathTest, NamesWhatIsWrong) {
  const auto read = [](const char* name, const char* value) {
    HaveEnvironment({{name, value}});
    SettingsFromEnvironment();
  };
  EXPECT_DEATH(read("GASNET_NETWORKDEPTH", "3"),
               "GASNET_NETWORKDEPTH.*3.*4.*256");
  EXPECT_DEATH(read("GASNET_REQUESTTIMEOUT_BACKOFF", "1"),
               "GASNET_REQUESTTIMEOUT_BACKOFF");
  EXPECT_DEATH(read("GASNET_UDP_OFFLOAD", "perhaps"),
               "GASNET_UDP_OFFLOAD.*perhaps");
  for (const char* const network :
       {"192.0.2.0/33", "192.0.2.0/", "192.0.2.0/-1", "2001:db8::/129",
        "192.0.2/24", "eth0/24", "/"}) {
    EXPECT_DEATH(read("GASNET_WORKERIP", network),
                 "GASNET_WORKERIP is '.*'; accepted are an address, a network")
        << network;
  }
  EXPECT_DEATH(read("GASNET_MASTERIP", "192.0.2.0/99"),
               "GASNET_MASTERIP is '192.0.2.0/99'");
  EXPECT_DEATH(read("GASNET_UDP_STATISTICS", "all"),
               "GASNET_UDP_STATISTICS.*all");
  EXPECT_DEATH(read("GASNET_UDP_RAILS", "9"), "GASNET_UDP_RAILS.*9.*0.*8");
  EXPECT_DEATH(read("GASNET_UDP_FAULTS", "drop"),
               "GASNET_UDP_FAULTS is 'drop'; accepted is a list such as");
}

}  // namespace
}  // namespace gasnet::udp
