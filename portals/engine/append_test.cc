#include "portals/engine/append.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "gtest/gtest.h"
#include "portals/engine/counter.h"
#include "portals/engine/entries.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

class AppendTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    pt_.state.store(PtRecord::kEnabled, std::memory_order_relaxed);
  }

  // Returns a new entry in the only slot.
  EntryRecord& NewEntry() {
    EntryRecord& entry = *peer_.view.EntryAt(peer_.view.TakeEntry());
    entry.options = PTL_ME_OP_PUT;
    entry.slot.Renew(RecordPhase::kPending);
    return entry;
  }
  Ref Append() {
    EntryRecord& entry = NewEntry();
    EXPECT_EQ(AppendEntry(peer_, entry), PTL_OK);
    return EntryRef::Make(peer_.view.SlotOf(entry), entry.slot);
  }
  // Begins an operation on the entry in the only slot, as if by a live process.
  // When a waiting thread steps back for the first time, the operation ends.
  void BeginFlight() {
    static AppendTest* self;
    self = this;
    {
      const Holding holding(pt_.lock);
      pt_.flights = peer_.view.EntryAt(1)->flights = 1;
    }
    SetIdle([] {
      if (!self->pt_.lock.TryAcquire()) {
        ADD_FAILURE() << "the lock is not released";
        return;
      }
      self->pt_.flights = self->peer_.view.EntryAt(1)->flights = 0;
      self->pt_.lock.Release();
    });
  }
  void TearDown() override { SetIdle(nullptr); }
  Unexpected& AddHeader(uint32_t state) {
    const uint32_t slot = peer_.view.TakeUnexpected();
    Unexpected& header = *peer_.view.UnexpectedAt(slot);
    header.state = state;
    header.mover = ThisProcess();
    const Holding holding(pt_.lock);
    LinkHeader(peer_.view, pt_.headers, slot);
    return header;
  }
  List Entries() {
    const Holding holding(pt_.lock);
    return pt_.lists[PTL_PRIORITY_LIST];
  }
  List Headers() {
    const Holding holding(pt_.lock);
    return pt_.headers;
  }

  static constexpr Counts kCounts = {.pts = 1,
                                     .entries = 1,
                                     .unexpected = 3,
                                     .mds = 1,
                                     .eqs = 1,
                                     .cts = 1,
                                     .triggers = 1};
  Region region_ = MakeRegion(kCounts);
  PeerInterface peer_{View(region_.memory(), kCounts), getpid(), true};
  PtRecord& pt_ = *peer_.view.Pt(0);
};

TEST_F(AppendTest, UnlinksTheEntryThatIsNamed) {
  const Ref first = Append();
  EXPECT_EQ(UnlinkEntry(peer_, first), PTL_OK);
  const Ref second = Append();
  EXPECT_EQ(UnlinkEntry(peer_, first), PTL_ARG_INVALID) << "its slot is used";
  EXPECT_EQ(UnlinkEntry(peer_, second), PTL_OK);
}

TEST_F(AppendTest, AnUnlinkWaitsForAnOperationThatIsAtWork) {
  const Ref entry = Append();
  BeginFlight();
  EXPECT_EQ(UnlinkEntry(peer_, entry), PTL_OK);
  EXPECT_EQ(Entries().count, 0U);
}

TEST_F(AppendTest, AnUnlinkDoesNotWaitForEver) {
  const Ref entry = Append();
  peer_.view.EntryAt(1)->flights = 1;
  EXPECT_EQ(UnlinkEntry(peer_, entry), PTL_IN_USE);
  EXPECT_TRUE(pt_.lock.TryAcquire()) << "it is released";
}

TEST_F(AppendTest, AnUnlinkDoesNotWaitForHeaders) {
  const Ref entry = Append();
  peer_.view.EntryAt(1)->headers = 1;
  SetIdle([] { ADD_FAILURE() << "it steps back"; });
  EXPECT_EQ(UnlinkEntry(peer_, entry), PTL_IN_USE);
}

TEST_F(AppendTest, AFreeWaitsForAnOperationThatIsAtWork) {
  BeginFlight();
  EXPECT_EQ(ClearLists(peer_, pt_), PTL_OK);
}

TEST_F(AppendTest, LinksNothingWhereTheTableEntryIsFree) {
  pt_.state.store(PtRecord::kFree, std::memory_order_relaxed);
  EXPECT_EQ(AppendEntry(peer_, NewEntry()), PTL_ARG_INVALID);
  EXPECT_EQ(Entries().head, 0U);
  EXPECT_TRUE(pt_.lock.TryAcquire()) << "it is released";
}

TEST_F(AppendTest, ASearchPassesByWhatHasNotArrived) {
  CtRecord& ct = *peer_.view.CtAt(peer_.view.TakeCt());
  OpenCounter(ct);
  AddHeader(Unexpected::kThere);
  AddHeader(Unexpected::kMoving);
  AddHeader(Unexpected::kThere);
  EntryRecord probe = {};
  probe.options = PTL_ME_EVENT_CT_OVERFLOW;
  probe.ct = ObjectRef::Make(1, ct.slot);
  EXPECT_EQ(SearchHeaders(peer_, 0, probe, false), PTL_OK);
  EXPECT_EQ(ValueOf(ct).success, 2U);
  EXPECT_EQ(ValueOf(ct).failure, 1U) << "its end";
}

// The list is corrupted: its only header has a predecessor. So removing the
// header does not change the list's head.
TEST_F(AppendTest, HeadersThatDoNotGoEnd) {
  Unexpected& header = AddHeader(Unexpected::kThere);
  header.next.store(1, std::memory_order_relaxed);
  header.prev = 1;
  EntryRecord probe = {};
  EXPECT_EQ(SearchHeaders(peer_, 0, probe, false), PTL_OK);
  EXPECT_EQ(SearchHeaders(peer_, 0, probe, true), PTL_OK);
  header.prev = 2;
  {
    const Holding holding(pt_.lock);
    pt_.headers.head = 1;
  }
  EXPECT_EQ(ClearLists(peer_, pt_), PTL_OK);
}

TEST_F(AppendTest, IsNotHeldUpByAHeaderThatNobodyMoves) {
  AddHeader(Unexpected::kMoving).mover = 0;
  EntryRecord probe = {};
  EXPECT_EQ(SearchHeaders(peer_, 0, probe, false), PTL_OK);
  EXPECT_EQ(SearchHeaders(peer_, 0, probe, true), PTL_OK);
  Append();
  EXPECT_EQ(Entries().count, 1U);
  EXPECT_TRUE(pt_.lock.TryAcquire()) << "it is released";
}

TEST_F(AppendTest, TakesWhatIsBehindAHeaderThatTheDeadMoved) {
  const ProcessWord dead = ThisProcess() ^ (uint64_t{1} << 40);
  AddHeader(Unexpected::kMoving).mover = dead;
  FlightRecord& flight = peer_.view.Flight(0);
  flight.entry.store(1, std::memory_order_relaxed);
  flight.header.store(Headers().head, std::memory_order_relaxed);
  flight.pt.store(1, std::memory_order_relaxed);
  flight.mover.store(dead, std::memory_order_relaxed);
  AddHeader(Unexpected::kThere);
  Append();
  EXPECT_EQ(Headers().count, 0U);
}

}  // namespace
}  // namespace gasnet::portals4
