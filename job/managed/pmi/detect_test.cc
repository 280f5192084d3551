#include <stdlib.h>

#include <string>

#include "gtest/gtest.h"
#include "job/managed/pmi/process_manager.h"

namespace gasnet::job {
namespace {

class DetectTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"GASNET_SPAWN_CONTROL", "PMIX_NAMESPACE", "PMIX_RANK", "PMI_FD",
          "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}) {
      unsetenv(name);
    }
  }

  static void OfferPmix() {
    setenv("PMIX_NAMESPACE", "job", 1);
    setenv("PMIX_RANK", "0", 1);
  }
  static void OfferPmi2() {
    setenv("PMI_FD", "5", 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
  }
  static void Choose(const char* choice) {
    setenv("GASNET_SPAWN_CONTROL", choice, 1);
  }
  static std::string Error() {
    const auto kind = DetectPmi();
    return kind.ok() ? "none" : std::string(kind.status().message());
  }
};

TEST_F(DetectTest, NoLauncherIsNone) {
  EXPECT_EQ(*DetectPmi(), PmiKind::kNone);
}

TEST_F(DetectTest, PmixCountsMore) {
  OfferPmi2();
  EXPECT_EQ(*DetectPmi(), PmiKind::kPmi2);
  OfferPmix();
  EXPECT_EQ(*DetectPmi(), PmiKind::kPmix);
}

TEST_F(DetectTest, TheUserChooses) {
  OfferPmi2();
  OfferPmix();
  Choose("PMI2");
  EXPECT_EQ(*DetectPmi(), PmiKind::kPmi2);
  Choose("none");
  EXPECT_EQ(*DetectPmi(), PmiKind::kNone);
  Choose("pmi");
  EXPECT_EQ(*DetectPmi(), PmiKind::kPmix);
}

TEST_F(DetectTest, WhatIsChosenMustBeThere) {
  OfferPmi2();
  Choose("pmix");
  EXPECT_NE(Error().find("no launcher offers that"), std::string::npos);
}

TEST_F(DetectTest, AnotherChoiceIsRefused) {
  Choose("mpi");
  EXPECT_NE(Error().find("accepted: auto, pmix, pmi2, pmi (either), none"),
            std::string::npos);
}

TEST_F(DetectTest, ATaskOfSeveralWithoutPmiIsTold) {
  setenv("SLURM_PROCID", "1", 1);
  setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  EXPECT_EQ(*DetectPmi(), PmiKind::kNone);
  setenv("SLURM_STEP_NUM_TASKS", "3", 1);
  EXPECT_NE(Error().find("this is task 1 of 3 of a Slurm step without PMI"),
            std::string::npos);
  Choose("none");
  EXPECT_EQ(*DetectPmi(), PmiKind::kNone);
}

}  // namespace
}  // namespace gasnet::job
