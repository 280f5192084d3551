#include "core/network/agreement.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "job/job.h"

namespace gasnet::network {
namespace {

constexpr Offer kHere = {.max_medium = 700, .device = 4, .inode = 11};

TEST(CombineTest, TheLeastOfAllIsTheLimit) {
  std::vector<Offer> offers(3, kHere);
  const std::array<Rank, 1> alone = {1};
  EXPECT_EQ(Combine(offers, alone, kHere).max_medium, 700u);
  for (size_t which = 0; which < offers.size(); ++which) {
    offers[which].max_medium = 600 - which;
    EXPECT_EQ(Combine(offers, alone, kHere).max_medium, 600 - which);
  }
}

// The namespaces of other hosts' ranks do not matter, nor does the namespace of
// a rank without neighbours.
TEST(CombineTest, TheGroupMayShareANamespace) {
  const std::array<Rank, 2> group = {0, 2};
  const std::array<Rank, 1> alone = {0};
  const auto shares = [&](const Offer& other) {
    const Offer elsewhere = {.max_medium = 1, .device = 9, .inode = 9};
    return Combine(std::array{kHere, elsewhere, other}, group, kHere)
        .one_namespace;
  };
  EXPECT_TRUE(shares(kHere));
  EXPECT_FALSE(shares({.max_medium = 700, .device = 5, .inode = 11}));
  EXPECT_FALSE(shares({.max_medium = 700, .device = 4, .inode = 12}));
  const Offer unknown = {.max_medium = 700};
  EXPECT_FALSE(shares(unknown));
  EXPECT_FALSE(Combine(std::array{unknown, unknown, unknown}, group, unknown)
                   .one_namespace);
  EXPECT_TRUE(Combine(std::array{unknown}, alone, unknown).one_namespace);
}

TEST(AgreeTest, AFailureToStartIsOfAll) {
  int argc = 0;
  char** argv = nullptr;
  // One job for all tests: it lives as long as its process.
  static const absl::StatusOr<job::Job*> job =
      job::Job::Start(&argc, &argv, "test");
  ASSERT_TRUE(job.ok());
  const std::array<Rank, 1> alone = {0};
  const absl::StatusOr<Agreed> agreed =
      Agree(**job, alone, absl::OkStatus(), 700);
  ASSERT_TRUE(agreed.ok());
  EXPECT_EQ(agreed->max_medium, 700u);
  EXPECT_TRUE(agreed->one_namespace);
  ::testing::internal::CaptureStderr();
  const absl::StatusOr<Agreed> failed =
      Agree(**job, alone, absl::UnavailableError("no thread"), 700);
  EXPECT_NE(
      ::testing::internal::GetCapturedStderr().find("gasnet_init: no thread"),
      std::string::npos);
  // Agree() has already reported the failure.
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace gasnet::network
