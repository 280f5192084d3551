#include "conduits/portals/credits/credit_tables.h"
#include "absl/status/status.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "conduits/portals/credits/credit_byte.h"

namespace gasnet::portals_conduit::credits {
namespace {

BufferPlan Plan(uint32_t peers, const CreditSettings& settings = {},
                size_t chunk = 2048, uint32_t servers = 1) {
  return PlanBuffers(peers, chunk, servers, settings).value();
}

TEST(StartingCreditsTest, AreThoseOfTheTable) {
  const uint32_t rows[][3] = {
      {2, 256, 512},   {8, 128, 512},    {32, 64, 1024},  {128, 32, 2048},
      {512, 16, 4096}, {1024, 12, 6144}, {4096, 6, 8192}, {10000, 6, 4096}};
  for (const auto& [nodes, per_node, bank] : rows) {
    EXPECT_EQ(StartingCredits::For(nodes).per_node, per_node) << nodes;
    EXPECT_EQ(StartingCredits::For(nodes).bank, bank) << nodes;
  }
}

TEST(StartingCreditsTest, GoByTheLogarithmBetweenRows) {
  EXPECT_EQ(StartingCredits::For(4).per_node, 192u) << "half of the way to 8";
  EXPECT_EQ(StartingCredits::For(16).per_node, 96u);
  EXPECT_EQ(StartingCredits::For(16).bank, 768u);
  EXPECT_EQ(StartingCredits::For(2048).bank, 7168u);
}

TEST(StartingCreditsTest, EndWithTheTable) {
  EXPECT_EQ(StartingCredits::For(1).per_node, 256u);
  EXPECT_EQ(StartingCredits::For(65534).per_node, 6u);
  EXPECT_EQ(StartingCredits::For(65534).bank, 4096u);
}

TEST(BufferPlanTest, HasRoomForAllThatIsPromised) {
  for (const size_t chunk : {size_t{1024}, size_t{2048}}) {
    for (const uint32_t servers : {1u, 4u}) {
      for (uint32_t peers = 0; peers < 12000; peers += 1 + peers / 7) {
        const BufferPlan plan = Plan(peers, {}, chunk, servers);
        const StartingCredits table = StartingCredits::For(peers + 1);
        EXPECT_GE(plan.per_node, LeastCredits(chunk));
        EXPECT_GE(plan.per_node, table.per_node);
        EXPECT_GE(plan.bank, table.bank);
        EXPECT_EQ(plan.total, uint64_t{peers} * plan.per_node + plan.bank);
        // The rule of credit_tables.h. No credits are promised for one buffer
        // per server.
        EXPECT_EQ(plan.total, uint64_t{plan.buffers - servers} *
                                  (plan.chunks_per_buffer - 1) * chunk / 256);
        EXPECT_EQ(plan.buffer_bytes, plan.chunks_per_buffer * chunk);
        EXPECT_GE(plan.buffers, 3u);
      }
    }
  }
}

TEST(BufferPlanTest, HasTheNumberOfBuffersOfTheTable) {
  // ceil((256 + 512) * 256 / (31 * 2048)) + 1
  EXPECT_EQ(Plan(1).buffers, 5u);
  EXPECT_EQ(Plan(1).bank, 4u * 31 * 8 - 256);
  // ceil((10000 * 6 + 4096) * 256 / (127 * 1024)) + 1
  EXPECT_EQ(Plan(9999, {}, 1024).buffers, 128u);
  EXPECT_EQ(Plan(9999, {}, 1024, 3).buffers, 130u);
}

TEST(BufferPlanTest, TakesWhatIsSet) {
  CreditSettings settings;
  settings.per_node = 20;
  settings.bank = 5;
  const BufferPlan plan = Plan(7, settings);
  EXPECT_EQ(plan.per_node, 20);
  EXPECT_GE(plan.bank, 5u);
  EXPECT_LT(plan.bank, 5u + 2 * 31 * 8) << "but for what fills the buffers";
}

TEST(BufferPlanTest, StaysBelowTheMaxOfANode) {
  CreditSettings settings;
  settings.max_per_node = 50;
  EXPECT_EQ(Plan(1, settings).per_node, 50);
}

TEST(BufferPlanTest, StaticCreditsHaveNothingInTheBank) {
  CreditSettings settings;
  settings.mode = Mode::kStatic;
  EXPECT_EQ(Plan(7, settings).per_node, 128 + 512 / 7);
  settings.bank = 100;
  EXPECT_EQ(Plan(7, settings).per_node, 128) << "unless one is asked for";
}

TEST(ReceiveSpaceTest, WhatIsLeftGoesToTheBank) {
  CreditSettings settings;
  settings.receive_space = 10 << 20;
  const BufferPlan plan = Plan(7, settings);
  EXPECT_EQ(plan.per_node, 128);
  EXPECT_EQ(plan.total, 159u * 31 * 8);
  EXPECT_EQ(plan.bank, plan.total - 7 * 128);
  EXPECT_LE(plan.buffers * plan.buffer_bytes, *settings.receive_space);
}

TEST(ReceiveSpaceTest, LittleTakesFromTheBankAndThenFromThePeers) {
  CreditSettings settings;
  settings.receive_space = 320 << 10;
  const BufferPlan plan = Plan(7, settings);
  EXPECT_EQ(plan.per_node, 128);
  EXPECT_LT(plan.bank, 512u);
  settings.receive_space = 100 << 10;
  const BufferPlan small = Plan(7, settings);
  EXPECT_LT(small.per_node, 128);
  EXPECT_GE(small.per_node, 8);
  EXPECT_LT(small.bank, 7u);
  EXPECT_LE(small.buffers * small.buffer_bytes, *settings.receive_space);
}

// If a space is too small, the error names the smallest space, and that space
// is accepted.
TEST(ReceiveSpaceTest, TheLeastIsNamedAndIsEnough) {
  for (const uint32_t peers : {1u, 7u, 100u, 1000u, 10000u}) {
    for (const uint32_t servers : {1u, 3u}) {
      CreditSettings settings;
      settings.receive_space = 100;
      const absl::Status status =
          PlanBuffers(peers, 1024, servers, settings).status();
      ASSERT_FALSE(status.ok());
      const std::string text(status.message());
      EXPECT_NE(text.find("GASNET_PORTAL_AMRECV_SPACE is 100 bytes"),
                std::string::npos);
      const size_t at = text.find("1024 bytes: ");
      ASSERT_NE(at, std::string::npos) << text;
      settings.receive_space = std::stoull(text.substr(at + 12));
      const BufferPlan plan = Plan(peers, settings, 1024, servers);
      EXPECT_GE(plan.per_node, 4);
      EXPECT_LE(plan.buffers * plan.buffer_bytes, *settings.receive_space);
      --*settings.receive_space;
      EXPECT_FALSE(PlanBuffers(peers, 1024, servers, settings).ok());
    }
  }
}

TEST(ReceiveSpaceTest, WithoutCreditsThreeSmallBuffersWillDo) {
  CreditSettings settings;
  settings.mode = Mode::kOff;
  settings.receive_space = 3 * 4096;
  const BufferPlan plan = Plan(7, settings);
  EXPECT_EQ(plan.buffers, 3u);
  EXPECT_EQ(plan.buffer_bytes, 4096u);
  EXPECT_EQ(plan.per_node, 0);
  EXPECT_EQ(plan.bank, plan.total);
}

TEST(ReceiveSpaceTest, TooMuchIsAMistake) {
  CreditSettings settings;
  settings.receive_space = UINT64_MAX;
  EXPECT_FALSE(PlanBuffers(7, 2048, 1, settings).ok());
  settings.receive_space = (uint64_t{1} << 36) + 1;
  EXPECT_FALSE(PlanBuffers(7, 2048, 1, settings).ok());
  --*settings.receive_space;
  const BufferPlan plan = Plan(7, settings);
  EXPECT_EQ(plan.bank, plan.total - 7 * 128) << "it fits";
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
