#include "conduits/ofi/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace gasnet::ofi {
namespace {

OfiSettings WithListers(const char* nodes) {
  setenv("GASNET_OFI_LIST_DEVICES_NODES", nodes, 1);
  return SettingsFromEnvironment({.cpus = {0}});
}

TEST(SettingsTest, NodeZeroListsDevicesWhereNoOtherIsNamed) {
  for (const OfiSettings& settings :
       {SettingsFromEnvironment({.cpus = {0}}), WithListers("")}) {
    EXPECT_FALSE(settings.list_devices);
    EXPECT_TRUE(settings.listers.Has(0));
    EXPECT_FALSE(settings.listers.Has(1));
  }
}

TEST(SettingsTest, TheNodesThatListDevicesAreThoseThatAreNamed) {
  const OfiSettings settings = WithListers("1,3");
  EXPECT_FALSE(settings.listers.Has(0));
  EXPECT_TRUE(settings.listers.Has(3));
}

// libfabric itself also obeys FI_PROVIDER.
TEST(SettingsTest, AProviderIsNamedByOurVariableOrAdmittedByThatOfLibfabric) {
  setenv("FI_PROVIDER", "^sockets", 1);
  const OfiSettings list = SettingsFromEnvironment({.cpus = {0}});
  setenv("GASNET_OFI_PROVIDER", "verbs", 1);
  const OfiSettings name = SettingsFromEnvironment({.cpus = {0}});
  unsetenv("GASNET_OFI_PROVIDER");
  unsetenv("FI_PROVIDER");
  EXPECT_EQ(list.provider, "");
  EXPECT_EQ(list.admitted, "^sockets");
  EXPECT_EQ(name.provider, "verbs");
  EXPECT_EQ(name.admitted, "");
}

TEST(SettingsDeathTest, ABadListOfNodesIsNamedWithWhatIsAccepted) {
  EXPECT_DEATH(WithListers("0,x"),
               "GASNET_OFI_LIST_DEVICES_NODES is '0,x'; accepted are numbers "
               "of nodes and ranges of them with commas between them "
               "\\(0,2-4\\), or \\*");
}

}  // namespace
}  // namespace gasnet::ofi
