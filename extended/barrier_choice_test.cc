#include "extended/barrier_choice.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace gasnet::extended {
namespace {

// Without a job there is no snapshot of the environment, so ChooseBarrier()
// reads the environment of this process.
BarrierKind Choose(const char* value, const char* native) {
  setenv("GASNET_BARRIER", value, 1);
  return ChooseBarrier(native);
}

TEST(BarrierChoiceTest, TheConduitsOwnIsTheDefault) {
  EXPECT_EQ(Choose("", "SHM"), BarrierKind::kNative);
  EXPECT_EQ(Choose("default", "SHM"), BarrierKind::kNative);
  EXPECT_EQ(Choose("shm", "SHM"), BarrierKind::kNative);
  EXPECT_EQ(Choose("", nullptr), BarrierKind::kDissemination);
  EXPECT_EQ(Choose("DEFAULT", nullptr), BarrierKind::kDissemination);
}

TEST(BarrierChoiceTest, OthersGoByTheirNames) {
  EXPECT_EQ(Choose("AMDISSEM", "SHM"), BarrierKind::kDissemination);
  EXPECT_EQ(Choose("amcentral", "SHM"), BarrierKind::kCentral);
  EXPECT_EQ(Choose("AMCENTRAL", nullptr), BarrierKind::kCentral);
}

TEST(BarrierChoiceTest, NamesOfOtherImplementationsMeanTheDefault) {
  for (const char* name : {"DISSEM", "rdmadissem", "PSHM"}) {
    EXPECT_EQ(Choose(name, "SHM"), BarrierKind::kNative);
    EXPECT_EQ(Choose(name, nullptr), BarrierKind::kDissemination);
  }
}

TEST(BarrierChoiceTest, ABadNameSaysWhatIsAccepted) {
  EXPECT_DEATH(Choose("tree", "SHM"),
               "GASNET_BARRIER.*tree.*DEFAULT.*AMDISSEM.*AMCENTRAL.*SHM");
  EXPECT_DEATH(Choose("SHM", nullptr), "GASNET_BARRIER.*SHM.*AMCENTRAL");
}

}  // namespace
}  // namespace gasnet::extended
