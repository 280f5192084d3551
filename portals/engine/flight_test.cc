#include "portals/engine/flight.h"

#include <sys/wait.h>
#include <unistd.h>

#include "absl/base/thread_annotations.h"
#include "gtest/gtest.h"
#include "portals/engine/entries.h"
#include "portals/engine/event_queue.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

constexpr uint32_t kEvents = 3;

class FlightTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    OpenQueue(peer_.view, *peer_.view.EqAt(1), 0, kEvents);
    for (uint32_t i = 0; i < kCounts.pts; ++i) {
      PtRecord& pt = *peer_.view.Pt(i);
      const Holding holding(pt.lock);
      pt.options = PTL_PT_FLOWCTRL;
      pt.eq.store(ObjectRef::Make(1, peer_.view.EqAt(1)->slot),
                  std::memory_order_relaxed);
      pt.state.store(PtRecord::kEnabled, std::memory_order_relaxed);
      EntryRecord& entry = *peer_.view.EntryAt(i + 1);
      entry.length = 64;
      entry.options = PTL_ME_OP_PUT | PTL_ME_USE_ONCE;
      entry.uid = PTL_UID_ANY;
      entry.pt_list = i << 1;
      entry.slot.Renew(RecordPhase::kLive);
      Link(peer_.view, pt.lists[PTL_PRIORITY_LIST], entry);
    }
  }

  // Claims an entry for a put, and begins a flight. The thread-safety analysis
  // cannot tell that the claim belongs to `pt`.
  FlightRecord* Begin(PtRecord& pt)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    PortalsOperation put;
    put.pt = peer_.view.IndexOf(pt);
    put.length = 8;
    ClaimedEntry claim;
    if (Claim(peer_, pt, put, claim) != PTL_NI_OK) return nullptr;
    return TakeOff(peer_, claim);
  }

  template <class Do>
  void DieAfter(Do action) {
    const pid_t child = fork();
    if (child == 0) {
      IdentifyThisProcess();
      _exit(action() ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    ASSERT_EQ(status, 0);
  }
  // Forks a process that dies in flight. If `releases` is false, the process
  // dies with the lock held. That breaks the portal table entry.
  void DieInFlight(PtRecord& pt, bool releases = true) {
    DieAfter([&] {
      const Holding holding(pt.lock);
      const bool begun = Begin(pt) != nullptr;
      if (!releases) _exit(begun ? 0 : 1);
      return begun;
    });
  }

  static constexpr Counts kCounts = LeastCounts(/*pts=*/2, /*entries=*/2);
  Region region_ = MakeRegion(kCounts);
  PeerInterface peer_{View(region_.memory(), kCounts), getpid(), true};
  PtRecord& pt_ = *peer_.view.Pt(0);
  PtRecord& other_pt_ = *peer_.view.Pt(1);
};

TEST_F(FlightTest, GivesBackTheRoomOfTheDead) {
  DieInFlight(pt_);
  const Holding holding(pt_.lock);
  EXPECT_EQ(pt_.flights, 1U);
  EXPECT_FALSE(Reserve(peer_.view, pt_, kEvents)) << "two are reserved";
  EndDeadFlights(peer_, pt_);
  EXPECT_EQ(pt_.flights, 0U);
  ptl_event_t event;
  ASSERT_EQ(Take(peer_.view, pt_.queue(), event), Taken::kEvent);
  EXPECT_EQ(event.type, PTL_EVENT_AUTO_UNLINK);
  EXPECT_TRUE(Reserve(peer_.view, pt_, kEvents));
}

TEST_F(FlightTest, TakesNoHalfWrittenRecordForAFlight) {
  const Holding holding(pt_.lock);
  FlightRecord* const ours = Begin(pt_);
  ASSERT_NE(ours, nullptr);
  // Prepares a free record that `pt_` has used before. Then another process
  // takes the record and dies before it fills the record.
  FlightRecord& used = peer_.view.Flight(7);
  used.entry.store(1, std::memory_order_relaxed);
  used.pt.store(1, std::memory_order_relaxed);
  FreeFlight(used);
  DieAfter([&] {
    used.mover.store(ThisProcess(), std::memory_order_relaxed);
    return true;
  });
  EndDeadFlights(peer_, pt_);
  EXPECT_EQ(pt_.flights, 1U) << "ours is still in flight";
}

TEST_F(FlightTest, RecordsOfBrokenEntriesAreUsedAgain) {
  const ProcessWord us = ThisProcess();
  DieInFlight(other_pt_, false);
  EXPECT_FALSE(other_pt_.lock.Acquire(DeadHolder::kBreak));
  for (uint32_t i = 0; i < kFlights; ++i) {
    uint64_t free = 0;
    peer_.view.Flight(i).mover.compare_exchange_strong(free, us);
    // A record that is taken but not filled may belong to a living process. So
    // Begin must not reuse it.
  }
  const Holding holding(pt_.lock);
  FlightRecord* const flight = Begin(pt_);
  ASSERT_NE(flight, nullptr);
  EXPECT_EQ(Begin(pt_), nullptr) << "the others belong to live processes";
}

}  // namespace
}  // namespace gasnet::portals4
