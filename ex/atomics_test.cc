// Tests atomics over a network that delivers late, in any order, and refuses at
// random: by messages, and by the network itself. Also tests messages that no
// correct peer sends.
#include "ex/atomics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "core/am/message.h"
#include "ex/handler_indices.h"
#include "extended/handler_indices.h"
#include "extended/operations.h"
#include "extended/sync.h"
#include "extended/testing/loopback.h"
#include "extended/wire.h"

namespace gasnet::ex {
namespace {

using extended::Direction;
using extended::High;
using extended::Iop;
using extended::Low;
using extended::Operation;
using extended::Operations;
using extended::Short;
using extended::Sync;
using extended::Transfer;
using extended::testing::Loopback;

template <class T>
T* Target(size_t at = 0) {
  return reinterpret_cast<T*>(Loopback::segment()) + at;
}

template <class T>
void Do(gex_OP_t operation, T* result, T* target, T operand1 = T{},
        T operand2 = T{}) {
  Operation* const started =
      Atomics::StartNb<T>(0, result, target, operation, operand1, operand2);
  if (started != nullptr) Sync::Wait(*started);
}

class AtomicsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    extended::testing::AttachTested();
    [[maybe_unused]] static const bool once =
        (Atomics::RegisterHandlers(), true);
  }
};

template <class T>
void CheckAllOperations() {
  T* const target = Target<T>(3);
  target[-1] = T{100};
  target[1] = T{101};
  for (gex_OP_t operation = 1; operation <= GEX_OP_GET; operation <<= 1) {
    if ((OpsOf(TypeOf<T>()) & operation) == 0) continue;
    for (const int op1 : {0, 3, 7}) {
      *target = static_cast<T>(7);
      T expected = *target;
      std::array<T, 3> got = {T{50}, T{51}, T{52}};
      std::array<T, 3> want = got;
      Apply<T>(operation, &expected, &want[1], static_cast<T>(op1), T{9});
      Do<T>(operation, &got[1], target, static_cast<T>(op1), T{9});
      EXPECT_EQ(*target, expected) << operation;
      EXPECT_EQ(got, want) << operation;
    }
  }
  EXPECT_EQ(target[-1], T{100});
  EXPECT_EQ(target[1], T{101});
}

TEST_F(AtomicsTest, EveryOperationOnEveryType) {
  CheckAllOperations<int32_t>();
  CheckAllOperations<uint32_t>();
  CheckAllOperations<int64_t>();
  CheckAllOperations<uint64_t>();
  CheckAllOperations<float>();
  CheckAllOperations<double>();
}

TEST_F(AtomicsTest, WholeWordsTravel) {
  auto* const target = Target<int64_t>();
  const int64_t large = -0x123456789abcdef;
  int64_t old = 0;
  Do<int64_t>(GEX_OP_SET, nullptr, target, large);
  Do<int64_t>(GEX_OP_FCAS, &old, target, large, large + 1);
  EXPECT_EQ(old, large);
  Do<int64_t>(GEX_OP_GET, &old, target);
  EXPECT_EQ(old, large + 1);
}

TEST_F(AtomicsTest, ManyInFlightComeOutInAnyOrder) {
  constexpr size_t kMany = 300;
  auto* const target = Target<uint32_t>();
  *target = 0;
  std::vector<uint32_t> old(kMany, 0);
  std::vector<Operation*> started;
  for (uint32_t& result : old) {
    started.push_back(
        Atomics::StartNb<uint32_t>(0, &result, target, GEX_OP_FADD, 1, 0));
  }
  for (Operation* const operation : started) Sync::Wait(*operation);
  std::sort(old.begin(), old.end());
  std::vector<uint32_t> expected(kMany);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(old, expected);
}

TEST_F(AtomicsTest, ImplicitOnesCountAsPutsAsGetsOrApart) {
  struct Case {
    gex_OP_t operation;
    bool put, get, rmw;
  };
  auto* const target = Target<int64_t>();
  const Iop& mine = Operations::Mine().implicit();
  for (const Case& of : {Case{GEX_OP_SET, true, false, false},
                         {GEX_OP_GET, false, true, false},
                         {GEX_OP_ADD, false, false, true},
                         {GEX_OP_FADD, false, false, true},
                         {GEX_OP_SWAP, false, false, true},
                         {GEX_OP_CAS, false, false, true}}) {
    int64_t result = 0;
    Loopback::network().Pause(true);
    // The network itself may complete an atomic at once.
    do {
      Atomics::StartNbi<int64_t>(0, &result, target, of.operation, 1, 2);
    } while (mine.IsDone());
    EXPECT_EQ(mine.PutsDone(), !of.put) << of.operation;
    EXPECT_EQ(mine.GetsDone(), !of.get) << of.operation;
    EXPECT_EQ(mine.RmwsDone(), !of.rmw) << of.operation;
    EXPECT_FALSE(mine.IsDone());
    Loopback::network().Pause(false);
    Sync::WaitImplicit(of.put   ? &Iop::PutsDone
                       : of.get ? &Iop::GetsDone
                                : &Iop::RmwsDone);
    EXPECT_TRUE(mine.IsDone());
  }
}

TEST_F(AtomicsTest, AnAccessRegionHoldsThem) {
  auto* const target = Target<int32_t>();
  *target = 5;
  int32_t results[2] = {};
  Operations::Mine().OpenRegion();
  Loopback::network().Pause(true);
  Atomics::StartNbi<int32_t>(0, &results[0], target, GEX_OP_GET, 0, 0);
  Atomics::StartNbi<int32_t>(0, &results[1], target, GEX_OP_FOR, 0, 0);
  EXPECT_TRUE(Operations::Mine().implicit().IsDone());
  Operation* const region = Sync::CloseRegion();
  ASSERT_NE(region, nullptr);
  Loopback::network().Pause(false);
  Sync::Wait(*region);
  EXPECT_EQ(results[0], 5);
  EXPECT_EQ(results[1], 5);
}

#if defined(GASNET_PAR)
TEST_F(AtomicsTest, ThreadsShareATarget) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 300;
  auto* const target = Target<int64_t>();
  auto* const by_processor = Target<double>(1);
  *target = 0;
  *by_processor = 0;
  std::vector<std::vector<int64_t>> fetched(kThreads);
  std::vector<std::thread> threads;
  for (int me = 0; me < kThreads; ++me) {
    threads.emplace_back([&, me] {
      fetched[me].resize(kRounds);
      for (int i = 0; i < kRounds; ++i) {
        Atomics::StartNbi<int64_t>(0, &fetched[me][i], target, GEX_OP_FADD, 1,
                                   0);
        // Updates the word once over the network, and once directly. A rank
        // that maps the target does the latter.
        Atomics::StartNbi<double>(0, nullptr, by_processor, GEX_OP_ADD, 1, 0);
        Apply<double>(GEX_OP_ADD, by_processor, nullptr, 1, 0);
      }
      Sync::WaitImplicit(&Iop::IsDone);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int64_t> all;
  for (const auto& some : fetched) {
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<int64_t> expected(kThreads * kRounds);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(*by_processor, 2 * kThreads * kRounds);
}
#endif

// Tests of corrupted messages follow.

// Sends a message as rank 5 would and handles it.
void Forge(const am::Message& message, am::Lane lane) {
  Loopback::network().SetSource(5);
  while (Loopback::network().Send(0, lane, message) != am::Post::kDone) {
  }
  while (Loopback::network().InFlight() > 0) Loopback::engine().Poll();
}
void ForgeRequest(int32_t kind, const void* target) {
  const std::array<int32_t, 9> args = {1, 1, kind, Low(target), High(target), 1,
                                       0, 2, 0};
  Forge(Short(kAtomicRequest, args), am::Lane::kRequest);
}
template <size_t N>
void ForgeReply(uint8_t handler, const std::array<int32_t, N>& args) {
  Forge(Short(handler, args), am::Lane::kReply);
}

constexpr int32_t kI64 = 2 << 8;
constexpr int32_t kFloat = 4 << 8;

TEST_F(AtomicsTest, RequestsOfKindsThatDoNotExist) {
  // The kinds have numbers beyond the last operation or type, bits outside of
  // both fields, or bitwise operations on floating-point types.
  for (const int32_t kind :
       {kI64 | 25, kI64 | 32, kI64 | 255, 6 << 8, 31 << 8, 32 << 8, 1 << 16, -1,
        INT32_MIN, kFloat | 7, kFloat | 21}) {
    EXPECT_DEATH(ForgeRequest(kind, Target<int64_t>()),
                 "rank 5 asked for an atomic of kind 0x[0-9a-f]+, which does")
        << kind;
  }
}

TEST_F(AtomicsTest, RequestsOutsideOfTheSegment) {
  alignas(8) int64_t outside = 7;
  EXPECT_DEATH(ForgeRequest(kI64, &outside),
               "rank 5 called gex_AD_Op on 0x[0-9a-f]+ with 8 bytes here");
  EXPECT_DEATH(ForgeRequest(kI64, nullptr), "rank 5 called gex_AD_Op on 0x0");
  EXPECT_DEATH(ForgeRequest(kI64, Loopback::segment() + Loopback::kSegmentSize),
               "rank 5 called gex_AD_Op");
}

TEST_F(AtomicsTest, RequestsThatAreNotAligned) {
  EXPECT_DEATH(ForgeRequest(kI64, Loopback::segment() + 4),
               "rank 5 asked for an atomic of 8 bytes on .* not aligned");
  EXPECT_DEATH(ForgeRequest(kFloat, Loopback::segment() + 2),
               "rank 5 asked for an atomic of 4 bytes on .* not aligned");
}

TEST_F(AtomicsTest, RepliesThatFitNoOperation) {
  EXPECT_DEATH(ForgeReply(kAtomicDoneReply, std::array<int32_t, 2>{-1, 1}),
               "rank 5 answered operation 4294967295 .*there is no such");
  EXPECT_DEATH(
      ForgeReply(kAtomicFetchReply, std::array<int32_t, 4>{-1, 1, 0, 0}),
      "rank 5 .*there is no such");

  int64_t result = 0;
  Operations& mine = Operations::Mine();
  const auto values = [](const Transfer& transfer) {
    return std::array{extended::Index(transfer), extended::Generation(transfer),
                      1, 2};
  };
  const auto done = [](const Transfer& transfer) {
    return std::array{extended::Index(transfer),
                      extended::Generation(transfer)};
  };
  const Transfer& fetch = mine.StartRmw(5, &result, 8, nullptr);
  const Transfer& plain = mine.StartRmw(5, nullptr, 0, nullptr);
  const Transfer& other = mine.StartRmw(3, &result, 8, nullptr);
  const Transfer& set = mine.StartPut(5, nullptr);
  const Transfer& get = mine.StartGet(5, &result, 8, nullptr);
  const Transfer& long_get = mine.StartGet(5, &result, 7, nullptr);
  EXPECT_DEATH(ForgeReply(kAtomicDoneReply, done(fetch)),
               "with 0 bytes where 8 were");
  EXPECT_DEATH(ForgeReply(kAtomicDoneReply, done(set)), "goes the other way");
  EXPECT_DEATH(ForgeReply(kAtomicDoneReply, done(get)), "goes the other way");
  EXPECT_DEATH(ForgeReply(kAtomicFetchReply, values(plain)),
               "with 8 bytes where 0 were");
  EXPECT_DEATH(ForgeReply(kAtomicFetchReply, values(other)),
               "another rank was asked");
  EXPECT_DEATH(ForgeReply(kAtomicFetchReply, values(get)),
               "goes the other way");
  EXPECT_DEATH(ForgeReply(kAtomicGetReply, values(fetch)),
               "goes the other way");
  EXPECT_DEATH(ForgeReply(kAtomicGetReply, values(set)), "goes the other way");
  EXPECT_DEATH(ForgeReply(kAtomicGetReply, values(long_get)),
               "with 8 bytes where 7 were");
  EXPECT_DEATH(ForgeReply(extended::kPutDoneReply, done(plain)),
               "goes the other way");
  auto stale = values(fetch);
  ++stale[1];
  EXPECT_DEATH(ForgeReply(kAtomicFetchReply, stale), "not in flight");

  ForgeReply(kAtomicFetchReply, values(fetch));
  EXPECT_EQ(result, int64_t{2} << 32 | 1);
  EXPECT_DEATH(ForgeReply(kAtomicFetchReply, values(fetch)), "not in flight");
}

// The handlers accept only Shorts in one lane, with the right number of
// arguments.
TEST_F(AtomicsTest, MessagesThatAHandlerDoesNotTake) {
  const std::array<int32_t, 9> nine = {};
  const std::array<int32_t, 3> three = {};
  for (uint8_t handler = kAtomicRequest; handler <= kAtomicFetchReply;
       ++handler) {
    EXPECT_DEATH(Forge(Short(handler, three), am::Lane::kRequest),
                 "rank 5 sent a Short request with 3")
        << int{handler};
    EXPECT_DEATH(Forge(Short(handler, nine), am::Lane::kReply),
                 "rank 5 sent a Short reply with 9")
        << int{handler};
  }
}

}  // namespace
}  // namespace gasnet::ex
