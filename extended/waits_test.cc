// Tests that calls that can wait serve the network even if they have nothing to
// wait for.
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

  // Checks that the call runs a handler. The call is repeated, since the link
  // delivers at random.
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

// One message is in flight. A call that serves the network would sooner or
// later handle the message. So if it is not handled, none of the calls serves.
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

// Handles of roots and of their leaves may be in one array, in any order. The
// handles become invalid together.
TEST_F(WaitsTest, LeavesEndWithTheirRoot) {
  for (const bool leaf_first : {true, false}) {
    Iop& iop = Operations::Mine().TakeIop();
    iop.loan.readers.store(1);
    const Handle root = ToHandle(iop);
    const Handle leaf = Api::LeafOf("gex_Event_QueryLeaf", root, kSources);
    ASSERT_NE(leaf, nullptr);
    Handle both[] = {leaf_first ? leaf : root, leaf_first ? root : leaf};
    EXPECT_FALSE(Api::TryAll("gex_Event_TestAll", both, 2, Serving::kNot));
    EXPECT_FALSE(Api::TrySome("gex_Event_TestSome", both, 2, Serving::kNot));
    EXPECT_NE(both[0], nullptr);
    EXPECT_NE(both[1], nullptr);
    iop.loan.readers.store(0);
    EXPECT_TRUE(Api::TryAll("gex_Event_TestAll", both, 2, Serving::kNot));
    EXPECT_EQ(both[0], nullptr);
    EXPECT_EQ(both[1], nullptr);
  }
}

// When a leaf is inspected, its root's record may already belong to another
// operation.
TEST_F(WaitsTest, ALeafIsNotTakenForOneOfTheNextOperation) {
  Iop& iop = Operations::Mine().TakeIop();
  iop.loan.readers.store(1);
  const Handle root = ToHandle(iop);
  Handle all[] = {root, Api::LeafOf("gex_Event_QueryLeaf", root, kSources)};
  iop.loan.readers.store(0);
  Api::WaitSome("gex_Event_WaitSome", all, 2);
  EXPECT_EQ(all[0], nullptr);
  EXPECT_EQ(all[1], nullptr);
}

}  // namespace
}  // namespace gasnet::extended
