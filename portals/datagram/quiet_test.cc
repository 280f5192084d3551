// Tests the packets and the events of quiet puts.
#include <gtest/gtest.h>
#include <portals4.h>

#include <array>
#include <cstdint>

#include "core/datagram/faults.h"
#include "portals/datagram/two_ends.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

using QuietTest = TwoEnds;

TEST_F(QuietTest, ARoundTripIsTwoPackets) {
  constexpr uint64_t kRounds = 50;
  Open();
  for (uint64_t round = 0; round < kRounds; ++round) {
    Put(0);
    Receive(1);
    Put(1);
    Receive(0);
  }
  EXPECT_EQ(PacketsOf(0), kRounds);
  EXPECT_EQ(PacketsOf(1), kRounds);
  PollUntilDone();
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, AReceiptThatNothingTakesAlongLeavesByItself) {
  Open();
  Put(0);
  Receive(1);
  EXPECT_EQ(PtlMDRelease(md_), PTL_IN_USE);
  PollUntilDone();
  EXPECT_EQ(PacketsOf(1), 1u);
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, AReleaseWaitsForWhatTheTargetHasDone) {
  Open();
  Put(0);
  Receive(1);
  on_poll_ = [this] { PollBoth(); };
  EXPECT_EQ(PtlMDRelease(md_), PTL_OK);
  EXPECT_EQ(PacketsOf(1), 1u);
}

TEST_F(QuietTest, AFailureIsReported) {
  Open();
  constexpr ptl_pt_index_t kNothing = 200;
  Put(0);
  Put(0, kNothing);
  Put(0);
  Receive(1);
  Receive(1);
  PollUntilDone();
  ASSERT_TRUE(TakeEvent(failures_));
  EXPECT_EQ(event_.type, ptl_event_kind_t{PTL_EVENT_ACK});
  EXPECT_EQ(event_.ni_fail_type, ptl_ni_fail_t{PTL_NI_DROPPED});
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, ReceiptsThatAreAsManyAsMayWaitLeaveAtOnce) {
  Open();
  for (size_t i = 0; i < kMaxReceipts; ++i) Put(0);
  for (size_t i = 0; i < kMaxReceipts; ++i) Receive(1);
  EXPECT_GT(PacketsOf(1), 0u);
  PollUntilDone();
}

TEST_F(QuietTest, NothingHasArrivedWhileAReceiptIsOwed) {
  Open();
  Put(0);
  Receive(1);
  EXPECT_FALSE(ends_[1]->HasArrived());
  while (!ends_[1]->HasArrived()) PollBoth();
  EXPECT_EQ(PtlMDRelease(md_), PTL_OK);
}

TEST_F(QuietTest, TheEndOfAProcessSendsReceipts) {
  Open();
  Put(0);
  Receive(1);
  ends_[1]->Drain();
  while (PtlMDRelease(md_) == PTL_IN_USE) ends_[0]->Poll();
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, APutWhoseEndNobodyNoticesIsNotReceipted) {
  Open();
  ptl_handle_ct_t ct;
  ASSERT_EQ(PtlCTAlloc(ni_, &ct), PTL_OK);
  // The descriptor has a counter, but does not count acknowledgements.
  const ptl_md_t md = {source_.data(), kBytes, 0, PTL_EQ_NONE, ct};
  ASSERT_EQ(PtlMDBind(ni_, &md, &md_), PTL_OK);
  Put(0, inboxes_[1].pt, PTL_CT_ACK_REQ);
  EXPECT_EQ(PtlMDRelease(md_), PTL_OK);
  Receive(1);
}

// QuietTest on a network that loses, repeats, and delays packets.
class QuietOnABadNetworkTest : public QuietTest {
 protected:
  void SetUp() override {
    Start(*datagram::Faults::Parse("drop=20,duplicate=10,reorder=20,seed=3"));
  }
};

TEST_F(QuietOnABadNetworkTest, EachIsDoneOnce) {
  constexpr int kRounds = 300;
  Open();
  std::array<int, 2> arrived = {};
  const auto take = [&] {
    PollBoth();
    for (Rank rank = 0; rank < 2; ++rank) {
      while (TakeEvent(inboxes_[rank].eq)) ++arrived[rank];
    }
  };
  for (int round = 0; round < kRounds; ++round) {
    Put(0);
    Put(1);
    take();
  }
  while (arrived[0] < kRounds || arrived[1] < kRounds) take();
  PollUntilDone();
  take();
  EXPECT_EQ(arrived, (std::array<int, 2>{kRounds, kRounds}));
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietOnABadNetworkTest, EachFailureIsReportedOnce) {
  constexpr int kRounds = 100;
  constexpr ptl_pt_index_t kNothing = 200;
  Open();
  for (int round = 0; round < kRounds; ++round) {
    Put(0);
    Put(0, kNothing);
    PollBoth();
  }
  PollUntilDone();
  int failures = 0;
  while (TakeEvent(failures_)) ++failures;
  EXPECT_EQ(failures, kRounds);
}

}  // namespace
}  // namespace gasnet::portals4
