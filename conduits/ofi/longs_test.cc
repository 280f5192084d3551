// Tests Longs whose payload goes ahead as a put. Some providers keep order,
// some fence, and some do neither. A handler must run once and find all of the
// payload. A Long's source must be free when the Long is done.
#include "conduits/ofi/longs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/transfer_ranks.h"
#include "core/rma/send_state.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeFabricOptions;
using testing::TestRank;
using testing::TransferRanks;

struct Provider {
  const char* name;
  LongPath path;
  FakeFabricOptions options;
};

std::vector<Provider> Providers() {
  return {
      {"Ordered", LongPath::kOrdered, {.late = 8, .order = FI_ORDER_SAW}},
      {"OrderedInParts",
       LongPath::kOrdered,
       {.late = 8, .again = 4, .order = FI_ORDER_SAW, .most_bytes = 4000}},
      {"Fenced", LongPath::kFenced, {.late = 8, .fence = true}},
      {"FencedInParts",
       LongPath::kFenced,
       {.late = 8, .again = 4, .fence = true, .most_bytes = 4000}},
      {"InTwoSteps", LongPath::kInTwoSteps, {.late = 8}},
      {"InTwoStepsInParts",
       LongPath::kInTwoSteps,
       {.late = 8, .again = 4, .most_bytes = 4000}},
  };
}

constexpr size_t kLongs = 8;
constexpr size_t kBytes = 20000;

// Sends Longs from rank 0 to rank 1, each to a different address.
class LongsTest : public ::testing::TestWithParam<std::tuple<Provider, bool>> {
 protected:
  LongsTest()
      : ranks_(std::get<Provider>(GetParam()).options, 2),
        longs_(ranks_.ranks()[0].endpoint().paths().long_path,
               ranks_.ranks()[0].messages(), ranks_[0]) {
    ranks_.ranks()[1].handler = [this](TestRank&, const am::Incoming& message) {
      const auto which = static_cast<size_t>(message.args[0]);
      EXPECT_EQ(message.nbytes, kBytes);
      EXPECT_EQ(std::memcmp(ranks_.Memory(1, which * kBytes),
                            wanted_[which].data(), kBytes),
                0)
          << "Long " << which << " is not whole";
      ++handled_[which];
    };
    std::mt19937_64 random(7);
    for (std::vector<std::byte>& each : wanted_) {
      each.resize(kBytes);
      for (std::byte& byte : each) byte = std::byte(random() >> 9);
    }
  }

  am::Post Step(size_t which, const std::byte* source, bool stays,
                am::SendState& send_state) {
    const int32_t argument = static_cast<int32_t>(which);
    return longs_.Send(1, Lane::kRequest,
                       {.category = am::Category::kLong,
                        .handler = testing::kTestHandler,
                        .num_args = 1,
                        .stays = stays,
                        .args = &argument,
                        .payload = source,
                        .nbytes = kBytes,
                        .dest_addr = ranks_.Memory(1, which * kBytes),
                        .send_state = &send_state});
  }
  void AwaitHandlers() {
    for (int polls = 0; handled_ != Once(); ++polls) {
      ASSERT_LT(polls, 100000);
      ranks_.ranks().PollAll();
    }
  }
  static std::array<int, kLongs> Once() {
    std::array<int, kLongs> once;
    once.fill(1);
    return once;
  }

  TransferRanks ranks_;
  Longs longs_;
  std::array<std::vector<std::byte>, kLongs> wanted_;
  std::array<int, kLongs> handled_{};
};

TEST_P(LongsTest, GoTheWayOfTheProvider) {
  EXPECT_EQ(ranks_.ranks()[0].endpoint().paths().long_path,
            std::get<Provider>(GetParam()).path);
}

TEST_P(LongsTest, AHandlerFindsAllOfThePayloadOnce) {
  const bool stays = std::get<bool>(GetParam());
  for (int round = 0; round < 20; ++round) {
    handled_ = {};
    std::memset(ranks_.Memory(1), 0xee, kLongs * kBytes);
    auto sources = wanted_;
    std::array<am::SendState, kLongs> send_states;
    std::array<bool, kLongs> done{};
    while (std::count(done.begin(), done.end(), false) > 0) {
      for (size_t which = 0; which < kLongs; ++which) {
        if (done[which]) continue;
        const std::byte* const source = sources[which].data();
        done[which] =
            Step(which, source, stays, send_states[which]) == am::Post::kDone;
        // The Long is done. The client may now reuse the source.
        if (done[which] && !stays)
          std::ranges::fill(sources[which], std::byte{});
      }
      ranks_.ranks().PollAll();
    }
    AwaitHandlers();
    ranks_.ranks().Settle();
  }
  EXPECT_EQ(ranks_.fabric().counts().unexpected, 0u);
}

// A message without a send state makes no progress.
TEST_P(LongsTest, NothingIsBegunWithoutASendState) {
  const am::Message message = {.category = am::Category::kLong,
                               .handler = testing::kTestHandler,
                               .payload = wanted_[0].data(),
                               .nbytes = kBytes,
                               .dest_addr = ranks_.Memory(1)};
  EXPECT_EQ(longs_.Send(1, Lane::kRequest, message), am::Post::kRetry);
  EXPECT_EQ(ranks_[0].under_way(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Providers, LongsTest,
                         ::testing::Combine(::testing::ValuesIn(Providers()),
                                            ::testing::Bool()),
                         [](const auto& one) {
                           return std::string(
                                      std::get<Provider>(one.param).name) +
                                  (std::get<bool>(one.param) ? "Staying" : "");
                         });

}  // namespace
}  // namespace gasnet::ofi
