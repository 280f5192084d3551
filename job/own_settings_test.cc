#include "job/own_settings.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

using Entries = std::vector<std::string>;

Entries Changed(const Entries& environment, const Entries& before,
                const Entries& now) {
  Entries all = WithChanges(environment, before, now);
  std::ranges::sort(all);
  return all;
}

TEST(OwnSettingsTest, AreThoseOfGasnet) {
  setenv("GASNET_OWN_SETTINGS_TEST", "a b", 1);
  setenv("OWN_SETTINGS_TEST", "c", 1);
  const Entries own = OwnSettings();
  EXPECT_EQ(std::ranges::count(own, "GASNET_OWN_SETTINGS_TEST=a b"), 1);
  EXPECT_EQ(std::ranges::count(own, "OWN_SETTINGS_TEST=c"), 0);
}

TEST(WithChangesTest, WhatIsUnchangedIsAsTheJobHasIt) {
  const Entries own = {"GASNET_A=mine"};
  const Entries of_job = {"B=1", "GASNET_A=the job's"};
  EXPECT_EQ(Changed(of_job, own, own), of_job);
}

TEST(WithChangesTest, WhatIsNewOrHasAnotherValueHolds) {
  EXPECT_EQ(Changed({"GASNET_A=1", "GASNET_AB=1", "B=1"}, {"GASNET_A=1"},
                    {"GASNET_A=2", "GASNET_C="}),
            (Entries{"B=1", "GASNET_A=2", "GASNET_AB=1", "GASNET_C="}));
}

TEST(WithChangesTest, WhatIsRemovedGoes) {
  EXPECT_EQ(Changed({"GASNET_A=1", "GASNET_AB=1"}, {"GASNET_A=x"}, {}),
            Entries{"GASNET_AB=1"});
}

}  // namespace
}  // namespace gasnet::job
