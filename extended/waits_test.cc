// Calls that would wait serve the network even if there is nothing to wait for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include "core/am/message.h"
#include "extended/extended.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::AttachTested;
using testing::Loopback;
using Api = Front;

constexpr uint8_t kNote = am::kFirstClientHandler;

std::atomic<int> handled{0};

void Note(void*) { ++handled; }

class WaitsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    AttachTested();
    Loopback::engine().handlers().RegisterClient(
        kNote, reinterpret_cast<am::AnyHandler>(&Note));
  }

  // Checks that the call, repeated since the link delivers at random, runs a
  // handler.
  template <class Call>
  static void ExpectToServe(Call call) {
    const int before = handled;
    while (Loopback::network().Send(0, am::Lane::kRequest,
                                    {.handler = kNote}) != am::Post::kDone) {
    }
    while (handled == before) call();
  }
};

TEST_F(WaitsTest, BarriersServe) {
  ExpectToServe([] {
    Barriers::Mine().Notify({});
    EXPECT_EQ(Barriers::Mine().Wait({}), Barriers::Outcome::kMatched);
  });
  ExpectToServe([] {
    Barriers::Mine().Notify({});
    EXPECT_EQ(Barriers::Mine().Try({}), Barriers::Outcome::kMatched);
  });
}

TEST_F(WaitsTest, TransfersOfNothingServe) {
  std::byte* const there = Loopback::segment();
  std::byte here{};
  ExpectToServe([&] { Api::Put("gasnet_put", 0, there, &here, 0); });
  ExpectToServe([&] { Api::Get("gasnet_get", &here, 0, there, 0); });
  ExpectToServe([&] { Api::Memset("gasnet_memset", 0, there, 7, 0); });
}

TEST_F(WaitsTest, SyncsOfNothingServe) {
  ExpectToServe([] { Api::Wait("gasnet_wait_syncnb", nullptr); });
  ExpectToServe([] { Api::WaitAll("gasnet_wait_syncnb_all", nullptr, 0); });
  ExpectToServe([] { Api::WaitSome("gasnet_wait_syncnb_some", nullptr, 0); });
  ExpectToServe(
      [] { Api::WaitImplicit("gasnet_wait_syncnbi_all", &Iop::IsDone); });
}

// One message waits. The first call that serves handles it, so none of these
// does.
TEST_F(WaitsTest, TriesThatDoNotPollServeNobody) {
  const int before = handled;
  while (Loopback::network().Send(0, am::Lane::kRequest, {.handler = kNote}) !=
         am::Post::kDone) {
  }
  Handle none = nullptr;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(Api::Try("gasnet_try_syncnb_nopoll", none, Serving::kNot));
    EXPECT_TRUE(
        Api::TryAll("gasnet_try_syncnb_all_nopoll", &none, 1, Serving::kNot));
    EXPECT_TRUE(
        Api::TrySome("gasnet_try_syncnb_some_nopoll", &none, 1, Serving::kNot));
  }
  EXPECT_EQ(handled, before);
  while (handled == before) Api::Try("gasnet_try_syncnb", none);
}

}  // namespace
}  // namespace gasnet::extended
