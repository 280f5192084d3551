// Tests of clients' atomics over a Portals that records its calls.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/portals/network.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/testing/fake_portals.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/rma/atomic.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "job/testing/job_alone.h"

namespace gasnet::portals_conduit {
namespace {

using Call = FakePortals::ItemAtomic::Call;
using rma::Atomic;
using rma::AtomicOperation;
using rma::PostState;
using rma::WordType;

// The fake Portals' queue of completions.
constexpr uint64_t kSafe = 2;
constexpr uint64_t kFirst = 0x1122334455667788;
constexpr uint64_t kSecond = 0x99aabbccddeeff00;

class AtomicsTest : public ::testing::Test {
 protected:
  void Start() {
    setenv("GASNET_PORTAL_FLOW_CONTROL", "0", 1);
    absl::StatusOr<std::unique_ptr<PortalsNetwork>> opened =
        PortalsNetwork::Open(job::JobAlone());
    ASSERT_TRUE(opened.ok()) << opened.status();
    network_ = *std::move(opened);
    ASSERT_TRUE(network_->Start().ok());
    const Segment mine = {reinterpret_cast<uintptr_t>(memory_), sizeof memory_};
    const absl::StatusOr<network::Exposed> exposed = network_->Expose(0, mine);
    ASSERT_TRUE(exposed.ok());
    segments_ = {mine};
    network_->Attach(segments_, {&*exposed, 1});
    ASSERT_TRUE(network_->rma()->Reaches(0));
  }

  Atomic Of(AtomicOperation operation, WordType type) {
    Atomic atomic;
    atomic.operation = operation;
    atomic.type = type;
    atomic.target = &memory_[3];
    atomic.operand = kFirst;
    atomic.expected = kSecond;
    atomic.complete = &complete_;
    return atomic;
  }
  // Posts an atomic. Returns the call of Portals.
  FakePortals::ItemAtomic Post(const Atomic& atomic) {
    EXPECT_EQ(network_->rma()->PostAtomic(atomic), PostState::kPosted);
    EXPECT_FALSE(fake_.item_atomics.empty());
    return fake_.item_atomics.back();
  }
  // Reports that the last operation is complete, and polls.
  void Complete(ptl_event_kind_t type, size_t nbytes) {
    ptl_event_t event = {};
    event.type = type;
    event.ni_fail_type = PTL_NI_OK;
    event.mlength = nbytes;
    event.user_ptr = fake_.operations.back().user;
    fake_.events[kSafe].push_back(event);
    network_->Poll(am::Lanes::kReplies, dispatcher_, false);
  }

  alignas(8) uint64_t memory_[8] = {};
  FakePortals fake_;
  std::unique_ptr<PortalsNetwork> network_;
  std::vector<Segment> segments_;
  am::Dispatcher dispatcher_;
  rma::PendingCount complete_;
};

TEST_F(AtomicsTest, OnlyIfPortalsIsCoherentWithTheProcessor) {
  fake_.features = ~unsigned{PTL_COHERENT_ATOMICS};
  Start();
  EXPECT_FALSE(network_->rma()->HasAtomics(0));
}

TEST_F(AtomicsTest, EachOperationIsOneOfPortals) {
  Start();
  ASSERT_TRUE(network_->rma()->HasAtomics(0));
  struct Pair {
    AtomicOperation ours;
    ptl_op_t theirs;
  };
  for (const Pair& pair : {Pair{AtomicOperation::kAdd, PTL_SUM},
                           {AtomicOperation::kMultiply, PTL_PROD},
                           {AtomicOperation::kMin, PTL_MIN},
                           {AtomicOperation::kMax, PTL_MAX},
                           {AtomicOperation::kAnd, PTL_BAND},
                           {AtomicOperation::kOr, PTL_BOR},
                           {AtomicOperation::kXor, PTL_BXOR}}) {
    const auto posted = Post(Of(pair.ours, WordType::kU64));
    EXPECT_EQ(posted.call, Call::kAtomic);
    EXPECT_EQ(posted.operation, pair.theirs);
    EXPECT_EQ(posted.source, kFirst);
    EXPECT_EQ(posted.offset, 24u);
    EXPECT_EQ(fake_.operations.back().table,
              ConduitInterface::IndexOf(PortalTable::kSegment));
    EXPECT_FALSE(complete_.IsOver());
    Complete(PTL_EVENT_ACK, 8);
    EXPECT_TRUE(complete_.IsOver());
  }
}

TEST_F(AtomicsTest, SwapsFetchInAnyCase) {
  Start();
  const auto swap = Post(Of(AtomicOperation::kSwap, WordType::kU64));
  EXPECT_EQ(swap.call, Call::kSwap);
  EXPECT_EQ(swap.operation, PTL_SWAP);
  EXPECT_EQ(swap.source, kFirst);
  Complete(PTL_EVENT_REPLY, 8);
  const auto compare =
      Post(Of(AtomicOperation::kCompareAndSwap, WordType::kU64));
  EXPECT_EQ(compare.call, Call::kSwap);
  EXPECT_EQ(compare.operation, PTL_CSWAP);
  EXPECT_EQ(compare.source, kFirst);
  EXPECT_EQ(compare.compared, kSecond);
  Complete(PTL_EVENT_REPLY, 8);
  EXPECT_TRUE(complete_.IsOver());
}

TEST_F(AtomicsTest, EachTypeIsOneOfPortals) {
  Start();
  struct Pair {
    WordType ours;
    ptl_datatype_t theirs;
  };
  for (const Pair& pair : {Pair{WordType::kI32, PTL_INT32_T},
                           {WordType::kU32, PTL_UINT32_T},
                           {WordType::kI64, PTL_INT64_T},
                           {WordType::kU64, PTL_UINT64_T},
                           {WordType::kFloat, PTL_FLOAT},
                           {WordType::kDouble, PTL_DOUBLE}}) {
    const auto posted = Post(Of(AtomicOperation::kAdd, pair.ours));
    EXPECT_EQ(posted.type, pair.theirs);
    EXPECT_EQ(fake_.operations.back().length, rma::SizeOf(pair.ours));
    Complete(PTL_EVENT_ACK, rma::SizeOf(pair.ours));
  }
}

TEST_F(AtomicsTest, TheResultArrivesWithTheCompletion) {
  Start();
  uint64_t result = 0;
  Atomic atomic = Of(AtomicOperation::kAdd, WordType::kU64);
  atomic.result = &result;
  const auto posted = Post(atomic);
  EXPECT_EQ(posted.call, Call::kFetch);
  ASSERT_NE(posted.fetched, nullptr);
  EXPECT_NE(posted.fetched, &result);
  std::memcpy(posted.fetched, &kSecond, 8);
  EXPECT_EQ(result, 0u);
  Complete(PTL_EVENT_REPLY, 8);
  EXPECT_EQ(result, kSecond);
  EXPECT_TRUE(complete_.IsOver());
}

TEST_F(AtomicsTest, ShortWordsAreTheLowOrderBytes) {
  Start();
  uint32_t results[2] = {1, 2};
  Atomic atomic = Of(AtomicOperation::kCompareAndSwap, WordType::kU32);
  atomic.result = results;
  const auto posted = Post(atomic);
  EXPECT_EQ(posted.source, kFirst & 0xffffffff);
  EXPECT_EQ(posted.compared, kSecond & 0xffffffff);
  const uint32_t old = 77;
  std::memcpy(posted.fetched, &old, sizeof old);
  Complete(PTL_EVENT_REPLY, 4);
  EXPECT_EQ(results[0], 77u);
  EXPECT_EQ(results[1], 2u) << "nothing behind the word is written";
}

// The words of operations under way are separate.
TEST_F(AtomicsTest, EachHasWordsOfItsOwn) {
  Start();
  uint64_t results[2] = {};
  std::vector<FakePortals::ItemAtomic> posted;
  std::vector<FakePortals::Operation> operations;
  for (uint64_t& result : results) {
    Atomic atomic = Of(AtomicOperation::kOr, WordType::kU64);
    atomic.result = &result;
    posted.push_back(Post(atomic));
    operations.push_back(fake_.operations.back());
  }
  EXPECT_NE(posted[0].fetched, posted[1].fetched);
  EXPECT_NE(operations[0].offset, operations[1].offset);
  std::memcpy(posted[0].fetched, &kFirst, 8);
  std::memcpy(posted[1].fetched, &kSecond, 8);
  Complete(PTL_EVENT_REPLY, 8);
  EXPECT_EQ(results[0], 0u);
  EXPECT_EQ(results[1], kSecond);
  EXPECT_EQ(complete_.Count(), 1u);
}

TEST_F(AtomicsTest, AreRefusedWithoutAnOpSlot) {
  Start();
  const Atomic atomic = Of(AtomicOperation::kAdd, WordType::kI64);
  unsigned posted = 0;
  while (network_->rma()->PostAtomic(atomic) == PostState::kPosted) ++posted;
  EXPECT_EQ(posted + OpSlots::kForReplies,
            SettingsFromEnvironment(1).msg_limit);
  EXPECT_EQ(complete_.Count(), posted);
  Complete(PTL_EVENT_ACK, 8);
  EXPECT_EQ(network_->rma()->PostAtomic(atomic), PostState::kPosted);
}

// If no descriptor covers all memory, the words lie among the chunks. The fake
// refuses an operation whose memory is not covered.
TEST_F(AtomicsTest, NeedNoDescriptorOfTheirOwn) {
  fake_.longest = size_t{64} << 20;
  Start();
  const size_t bound = fake_.bound.size();
  uint64_t result = 0;
  Atomic atomic = Of(AtomicOperation::kSwap, WordType::kU64);
  atomic.result = &result;
  std::memcpy(Post(atomic).fetched, &kSecond, 8);
  Complete(PTL_EVENT_REPLY, 8);
  EXPECT_EQ(result, kSecond);
  EXPECT_EQ(fake_.bound.size(), bound);
}

}  // namespace
}  // namespace gasnet::portals_conduit
