// Tests Longs that their target has requested. The requested Longs carry no
// address.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/am/message.h"
#include "core/datagram/testing/cluster.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;

constexpr uint8_t kHandler = 5;
constexpr int32_t kName = 7;

std::array<std::byte, 40'000> place;
int asked, handled, wrong;

void* Land(Rank source, const int32_t* args, unsigned num_args, size_t nbytes) {
  ++asked;
  if (source != 0 || num_args != 1 || args[0] != kName ||
      nbytes > place.size()) {
    ++wrong;
  }
  return place.data();
}

void OnLanded(void*, void* payload, size_t, int32_t name) {
  ++handled;
  if (payload != place.data() || name != kName) ++wrong;
}

class LandingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    asked = handled = wrong = 0;
    am::HandlerTable& to = cluster_.node(1).dispatcher().handlers();
    to.RegisterInternal(kHandler, am::Lane::kReply, am::Category::kLong,
                        &OnLanded);
    to.RegisterLanding(kHandler, &Land);
  }

  void Send(const std::vector<std::byte>& payload) {
    ASSERT_EQ(cluster_.node(0).Send(1, am::Lane::kReply,
                                    {.category = am::Category::kLong,
                                     .handler = kHandler,
                                     .num_args = 1,
                                     .args = &kName,
                                     .payload = payload.data(),
                                     .nbytes = payload.size()}),
              am::Post::kDone);
  }

  Cluster cluster_{testing::NetworkOptions{
      .faults = {.lose = 0.2, .repeat = 0.2, .reorder = 0.2}}};
};

TEST_F(LandingTest, GoesWhereTheLandingSays) {
  int sent = 0;
  for (const size_t nbytes : {1, 100, 1472, 40'000}) {
    place.fill(std::byte{0});
    std::vector<std::byte> payload(nbytes);
    for (size_t i = 0; i < nbytes; ++i) {
      payload[i] = static_cast<std::byte>(i * 7 + nbytes);
    }
    Send(payload);
    ++sent;
    ASSERT_TRUE(cluster_.Run([&] { return handled == sent; }))
        << "seed " << cluster_.network().options().seed;
    EXPECT_EQ(std::memcmp(place.data(), payload.data(), nbytes), 0) << nbytes;
  }
  EXPECT_EQ(asked, sent) << "once for each";
  EXPECT_EQ(wrong, 0);
}

using LandingDeathTest = LandingTest;

TEST_F(LandingDeathTest, WithoutALandingAnAddressIsNeeded) {
  cluster_.node(1).dispatcher().handlers().RegisterLanding(kHandler, nullptr);
  Send(std::vector<std::byte>(100));
  EXPECT_DEATH(cluster_.Run([] { return handled == 1; }),
               "Long active message from rank 0: destination .* is outside");
}

}  // namespace
}  // namespace gasnet::datagram
