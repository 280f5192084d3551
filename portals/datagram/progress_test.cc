// Tests progress without polls of a waiting program. The transport's thread
// polls for a program that sleeps. A program that looks at empty queues polls
// in some of these looks.
#include <gtest/gtest.h>
#include <portals4.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/datagram/statistics.h"
#include "core/hostshm/doorbell.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "job/testing/thread_state.h"
#include "portals/api/library.h"
#include "portals/datagram/two_ends.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// The transport's thread of rank 1 runs. No other thread polls for rank 1.
class ProgressTest : public TwoEnds {
 protected:
  void SetUp() override {
    TwoEnds::SetUp();
    Open();
    silent_ = MakeEntry(PTL_CT_NONE);
    StartThread(1);
  }
  void TearDown() override {
    if (program_.joinable()) WakeProgram();
    TwoEnds::TearDown();
  }

  // Makes an entry without events. If `ct` is a counter, it counts the puts.
  ptl_pt_index_t MakeEntry(ptl_handle_ct_t ct) {
    ptl_pt_index_t pt = 0;
    EXPECT_EQ(PtlPTAlloc(ni_, 0, PTL_EQ_NONE, PTL_PT_ANY, &pt), PTL_OK);
    ptl_me_t me = {};
    me.start = memory_;
    me.length = sizeof memory_;
    me.ct_handle = ct;
    me.uid = PTL_UID_ANY;
    me.options =
        PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE | PTL_ME_EVENT_COMM_DISABLE;
    if (ct != PTL_CT_NONE) me.options |= PTL_ME_EVENT_CT_COMM;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_handle_me_t entry;
    EXPECT_EQ(PtlMEAppend(ni_, pt, &me, PTL_PRIORITY_LIST, nullptr, &entry),
              PTL_OK);
    return pt;
  }

  // Starts a thread, called the program, which sleeps until an event reaches
  // rank 1.
  void LetProgramSleep() {
    program_ = std::thread([this] {
      ptl_event_t event;
      PtlEQWait(inboxes_[1].eq, &event);
      is_awake_.store(true, std::memory_order_relaxed);
    });
    while (!GetLibrary().IsAsleep()) sched_yield();
  }
  void WakeProgram() {
    Put(0);
    while (!is_awake_.load(std::memory_order_relaxed)) ends_[0]->Poll();
    program_.join();
  }

  // Does a put that wakes no thread. Returns when the put has arrived.
  void PutSilently() {
    const uint64_t before = ReceivedAt1();
    Put(0, silent_);
    while (ReceivedAt1() == before) ends_[0]->Poll();
  }
  uint64_t ReceivedAt1() const {
    return ends_[1]->statistics().packets_received;
  }
  uint64_t LooksOn() const { return ends_[1]->looks_on(); }

  ptl_pt_index_t silent_ = 0;
  alignas(8) char memory_[64] = {};

 private:
  std::thread program_;
  std::atomic<bool> is_awake_{false};
};

TEST_F(ProgressTest, TheThreadStandsInForAProgramThatSleeps) {
  LetProgramSleep();
  for (int puts = 0; puts < 1000 && LooksOn() == 0; ++puts) PutSilently();
  EXPECT_GT(LooksOn(), 0U);
}

TEST_F(ProgressTest, TheThreadDoesNotStandInForAProgramThatComputes) {
  for (int puts = 0; puts < 20; ++puts) PutSilently();
  EXPECT_EQ(LooksOn(), 0U);
}

TEST_F(ProgressTest, StrangersDoNotMakeTheThreadStandIn) {
  ip::Address address = *ip::Address::Parse("127.0.0.1");
  const absl::StatusOr<UniqueFd> stranger = ip::OpenUdpSocket(address);
  ASSERT_TRUE(stranger.ok());
  const auto forged = [this] {
    return ends_[1]->statistics().Dropped(datagram::Drop::kForged);
  };
  LetProgramSleep();
  const std::vector<char> datagram(1000);
  for (uint64_t sent = 1; sent <= 20; ++sent) {
    ASSERT_EQ(sendto(stranger->get(), datagram.data(), datagram.size(), 0,
                     addresses_[1].get(), addresses_[1].size()),
              static_cast<ssize_t>(datagram.size()));
    while (forged() < sent) sched_yield();
  }
  EXPECT_EQ(LooksOn(), 0U);
}

// A packet makes an operation due, and the transport's thread runs it. The test
// blocks the transport's thread in the operation until the test's own thread
// sleeps in Pause. During this time the program appears to sleep.
TEST_F(ProgressTest, APauseDoesNotWaitForTheStandIn) {
  Interface& interface = *GetLibrary().FromHandle(ni_);
  interface.sleepers.fetch_add(1);
  std::atomic<bool> is_held{false};
  std::atomic<bool> pauses{false};
  uint64_t looks = 0;
  on_begin_ = [&, pauser = gettid()] {
    if (gettid() == pauser) return;
    is_held = true;
    while (!pauses || job::StateOf(pauser) != 'S') sched_yield();
    interface.view().header().doorbell.Arm();
    looks = LooksOn();
  };
  ptl_handle_ct_t ct;
  ASSERT_EQ(PtlCTAlloc(ni_, &ct), PTL_OK);
  const ptl_pt_index_t counted = MakeEntry(ct);
  ASSERT_EQ(PtlTriggeredPut(md_, 0, 8, PTL_ACK_REQ, kPeer, silent_, 0, 0,
                            nullptr, 0, ct, 1),
            PTL_OK);
  Put(0, counted);
  while (!is_held) sched_yield();
  pauses = true;
  ends_[1]->Pause();
  EXPECT_EQ(LooksOn(), looks);
  on_begin_ = nullptr;
  ends_[1]->Resume();
  interface.sleepers.fetch_sub(1);
}

TEST_F(ProgressTest, AProgramSleepsUntilItIsWoken) {
  Interface& interface = *GetLibrary().FromHandle(ni_);
  hostshm::Doorbell& bell = interface.view().header().doorbell;
  bell.Arm();
  EXPECT_FALSE(GetLibrary().IsAsleep()) << "it is about to look once more";
  interface.sleepers.fetch_add(1);
  EXPECT_TRUE(GetLibrary().IsAsleep());
  bell.Ring();
  EXPECT_FALSE(GetLibrary().IsAsleep()) << "it has not run since";
  interface.sleepers.fetch_sub(1);
}

TEST_F(ProgressTest, AProgramThatSleepsLeavesTheSocketToTheThread) {
  std::atomic<int> left = 0;
  on_sleep_ = [&] {
    if (left++ > 0) return;
    EXPECT_TRUE(GetLibrary().IsAsleep()) << "it says so first";
  };
  LetProgramSleep();
  while (left == 0) sched_yield();
  WakeProgram();
}

TEST_F(ProgressTest, OfLooksThatFindNothingSomePoll) {
  constexpr unsigned kPolls = 10;
  unsigned polls = 0;
  on_poll_ = [&] { ++polls; };
  for (unsigned looks = 0; looks < kPolls * kLooksPerPoll; ++looks) {
    ASSERT_FALSE(TakeEvent(failures_));
  }
  EXPECT_EQ(polls, kPolls);
}

}  // namespace
}  // namespace gasnet::portals4
