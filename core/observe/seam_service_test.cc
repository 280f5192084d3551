// Tests of the observation of handlers that a network serves on a thread of its
// own (seam.h), in every threading mode.
#include <thread>

#include "core/observe/seam.h"
#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

constexpr uint8_t kRequest = 7;
constexpr uint8_t kReply = 8;

using SeamServiceTest = ObservedTest;

// Serves a request of rank 1 with 10 bytes. Its reply has 20.
void Serve() {
  ServiceObservation observation(1, kRequest, 10);
  observation.NoteReply(kReply, 1, 20);
}

TEST_F(SeamServiceTest, ItsThreadCountsBesideTheClients) {
  constexpr uint64_t kEach = 1000;
  std::thread network([] {
    for (uint64_t i = 0; i < kEach; ++i) Serve();
  });
  for (uint64_t i = 0; i < kEach; ++i) {
    Function<Call::kPut>(2, 1);
    const HandlerObservation run(2, kRequest, 1);
  }
  network.join();
  EXPECT_EQ(Now().threads, 2u);
  EXPECT_EQ(OfHandler(kRequest).runs, 2 * kEach);
  EXPECT_EQ(OfHandler(kRequest).bytes, 11 * kEach);
  EXPECT_EQ(OfHandler(kReply).runs, 0u);
  EXPECT_EQ(OfHandler(kReply).sent, kEach);
  EXPECT_EQ(OfHandler(kReply).sent_bytes, 20 * kEach);
  EXPECT_EQ(Of(Call::kPut).calls, kEach);
  EXPECT_EQ(Of(Call::kPut).waits, 0u);
}

TEST_F(SeamServiceTest, TheCallOfTheClientGoesOn) {
  {
    CallScope call(Call::kGet, {.peer = 1, .nbytes = 8});
    std::thread(&Serve).join();
    call.NoteRefused();
  }
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(Of(Call::kGet).refused, 1u);
  EXPECT_TRUE(IsObserved());
}

TEST_F(SeamServiceTest, ItsRunsAreTimed) {
  {
    const ServiceObservation observation(1, kRequest, 0);
    PassTime();
  }
  EXPECT_EQ(OfHandler(kRequest).times.timed, 1u);
  EXPECT_GE(OfHandler(kRequest).times.least, uint64_t{kNanosPerMilli});
}

TEST_F(SeamServiceTest, TheMaskLeavesItOut) {
  SetMask("^A");
  Serve();
  EXPECT_EQ(OfHandler(kRequest).runs, 0u);
  EXPECT_EQ(OfHandler(kReply).sent, 0u);
}

TEST_F(SeamServiceTest, AnotherLifeHasANewLog) {
  Serve();
  End();
  Start();
  Serve();
  EXPECT_EQ(OfHandler(kRequest).runs, 1u);
}

}  // namespace
}  // namespace gasnet::observe
