// Tests the conduit over a Portals with a neutral header. In this header
// handles are structures, and no constant equals that of another Portals.
// First, the conduit must compile. Second, it must pass the values of this
// Portals back unchanged.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/bell.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/messages.h"
#include "conduits/portals/network.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/provider.h"
#include "conduits/portals/testing/fake_portals.h"
#include "core/barrier_vote.h"

namespace gasnet::portals_conduit {
namespace {

class DialectTest : public ::testing::Test {
 protected:
  DialectTest() {
    plan_.chunk = 2048;
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, plan_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (opened.ok()) interface_ = *std::move(opened);
  }

  FakePortals fake_;
  const PortalsSettings settings_ = {};
  Plan plan_;
  std::unique_ptr<ConduitInterface> interface_;
};

TEST_F(DialectTest, EveryDescriptorIsAnotherAndFoundAgain) {
  ASSERT_NE(interface_, nullptr);
  const RemoteTarget to = {.peer = 5};
  for (const Descriptor each :
       {Descriptor::kPut, Descriptor::kVolatilePut, Descriptor::kQuiet,
        Descriptor::kVolatileQuiet}) {
    interface_->Put(each, nullptr, 0, to, nullptr);
  }
  interface_->Get(nullptr, 0, to, nullptr);
  EXPECT_EQ(fake_.Used(), (std::vector<uint64_t>{101, 102, 104, 105, 103}));
  EXPECT_EQ(fake_.last_target, 5u);
  const auto has = [&](size_t i, unsigned option) {
    return (fake_.md_options[i] & option) != 0;
  };
  EXPECT_TRUE(has(0, PTL_MD_EVENT_SEND_DISABLE));
  EXPECT_FALSE(has(0, PTL_MD_VOLATILE));
  EXPECT_TRUE(has(1, PTL_MD_VOLATILE));
  EXPECT_TRUE(has(3, PTL_MD_EVENT_SUCCESS_DISABLE));
  EXPECT_FALSE(has(2, PTL_MD_EVENT_SUCCESS_DISABLE));
  EXPECT_TRUE(has(4, PTL_MD_VOLATILE));
}

TEST_F(DialectTest, RingsStayInTheirQueueWhileOtherLinksAreAwaited) {
  ASSERT_NE(interface_, nullptr);
  constexpr size_t kBell = 4;
  EXPECT_TRUE(interface_->Append({.table = PortalTable::kBell}).ok());
  EXPECT_TRUE(interface_->AwaitLinks().ok());
  ptl_event_t ring = {};
  ring.type = PTL_EVENT_PUT;
  fake_.events[kBell].push_back(ring);
  EXPECT_TRUE(interface_->Append({.table = PortalTable::kSegment}).ok());
  EXPECT_TRUE(interface_->AwaitLinks().ok());
  EXPECT_EQ(fake_.events[kBell].size(), 1u);
}

TEST_F(DialectTest, EntriesAreLinkedAndTheirEventsComeFromTheirQueues) {
  ASSERT_NE(interface_, nullptr);
  for (const PortalTable table :
       {PortalTable::kSegment, PortalTable::kRequests, PortalTable::kReplies,
        PortalTable::kSystem}) {
    EXPECT_TRUE(interface_->Append({.table = table}).ok());
  }
  EXPECT_TRUE(interface_->AwaitLinks().ok());
  ptl_event_t event = {};
  event.type = PTL_EVENT_PUT;
  fake_.events[3].push_back(event);
  EXPECT_FALSE(interface_->Next(Queue::kSafe, event));
  EXPECT_TRUE(interface_->Next(Queue::kRequests, event));
  EXPECT_EQ(event.type, PTL_EVENT_PUT);
}

TEST_F(DialectTest, SetMapMayBeIgnored) {
  ASSERT_NE(interface_, nullptr);
  const std::vector<ptl_process_t> map(2, interface_->id());
  EXPECT_TRUE(interface_->SetMap(map).ok());
  EXPECT_EQ(interface_->id().phys.nid, 3u);
}

// A barrier of five ranks has three steps. Verifies the triggered operations of
// a phase, and the counters of these operations.
TEST_F(DialectTest, ABarrierIsSetUpAPhaseAhead) {
  ASSERT_NE(interface_, nullptr);
  Bell bell(*interface_, 4);
  absl::StatusOr<std::unique_ptr<PortalsBarrier>> made =
      PortalsBarrier::Make(*interface_, 4, 5);
  ASSERT_TRUE(made.ok()) << made.status();
  PortalsBarrier& barrier = **made;
  ASSERT_TRUE(barrier.Start(bell).ok());
  // The first phase uses the second set of three counters.
  EXPECT_EQ(fake_.entry_counters[3], 304u);
  ASSERT_EQ(fake_.triggered.size(), 4u);
  EXPECT_EQ(fake_.triggered[0].counter, 304u);
  EXPECT_EQ(fake_.triggered[0].threshold, 2u);
  EXPECT_EQ(fake_.triggered[0].target, 1u);
  EXPECT_EQ(fake_.triggered[1].incremented, 305u);
  EXPECT_EQ(fake_.triggered[2].counter, 305u);
  EXPECT_EQ(fake_.triggered[2].target, 3u);
  EXPECT_EQ(fake_.triggered[3].incremented, 306u);
  fake_.triggered.clear();
  barrier.Notify({.named = true, .id = 7});
  EXPECT_EQ(fake_.atomics, (std::vector<ptl_rank_t>{0, 4}));
  ASSERT_EQ(fake_.triggered.size(), 4u);
  EXPECT_EQ(fake_.triggered[0].counter, 307u);
  // The phase is complete when the last step's counter is two.
  EXPECT_FALSE(barrier.Done());
  fake_.counts[306].success = 1;
  EXPECT_FALSE(barrier.Done());
  fake_.counts[306].success = 2;
  EXPECT_TRUE(barrier.Done());
}

TEST_F(DialectTest, TheBellIsSetOnceForAPhaseThatIsOpen) {
  ASSERT_NE(interface_, nullptr);
  Bell bell(*interface_, 0);
  absl::StatusOr<std::unique_ptr<PortalsBarrier>> made =
      PortalsBarrier::Make(*interface_, 0, 2);
  ASSERT_TRUE(made.ok()) << made.status();
  PortalsBarrier& barrier = **made;
  ASSERT_TRUE(barrier.Start(bell).ok());
  barrier.RingWhenDone();
  EXPECT_TRUE(fake_.triggered.empty()) << "no phase is open";
  barrier.Notify({});
  EXPECT_TRUE(fake_.operations.empty()) << "nobody waits";
  barrier.RingWhenDone();
  barrier.RingWhenDone();
  ASSERT_EQ(fake_.triggered.size(), 1u);
  EXPECT_EQ(fake_.triggered[0].counter, 302u);
  EXPECT_EQ(fake_.triggered[0].threshold, 1u);
  ptl_event_t event = {};
  event.hdr_data = 1;
  bell.Hear(event);
  barrier.RingWhenDone();
  EXPECT_EQ(fake_.triggered.size(), 2u);
  // A thread may begin to wait before the phase. Notify() then rings the bell,
  // to tell the thread that a phase is open.
  EXPECT_EQ(barrier.Result(), BarrierVote{});
  bell.Begin();
  barrier.Notify({});
  EXPECT_EQ(fake_.operations.size(), 1u);
}

TEST_F(DialectTest, DescriptorsThatCoverAllStay) {
  ASSERT_NE(interface_, nullptr);
  EXPECT_TRUE(interface_->covers_all());
  EXPECT_EQ(fake_.bound.size(), kDescriptors);
}

class LimitedTest : public ::testing::Test {
 protected:
  LimitedTest() {
    fake_.longest = 1 << 20;
    plan_.chunk = 2048;
  }

  std::unique_ptr<ConduitInterface> Open() {
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, plan_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? *std::move(opened) : nullptr;
  }

  FakePortals fake_;
  const PortalsSettings settings_ = {};
  Plan plan_;
  alignas(64) std::byte chunks_[4096];
};

TEST_F(LimitedTest, TwoDescriptorsCoverTheChunks) {
  const std::unique_ptr<ConduitInterface> interface = Open();
  ASSERT_NE(interface, nullptr);
  EXPECT_FALSE(interface->covers_all());
  EXPECT_EQ(interface->most_volatile(), 0u);
  EXPECT_TRUE(interface->CoverChunks(chunks_, sizeof chunks_).ok());
  EXPECT_EQ(fake_.bound.size(), 2u);
  EXPECT_EQ(interface->bound(), 2u);
  interface->Put(Descriptor::kQuiet, chunks_ + 100, 8, {}, nullptr);
  interface->Put(Descriptor::kVolatileQuiet, chunks_ + 7, 0, {}, nullptr);
  interface->SendEmpty({}, nullptr);
  ASSERT_EQ(fake_.operations.size(), 3u);
  EXPECT_EQ(fake_.operations[0].offset, 100u);
  EXPECT_EQ(fake_.operations[1].offset, 7u);
  EXPECT_EQ(fake_.operations[2].offset, 0u);
}

// The five descriptors over all memory are used together or not at all.
TEST_F(LimitedTest, SomeDescriptorsOverAllMemoryAreNotEnough) {
  fake_.longest = PTL_SIZE_MAX;
  fake_.most_bound = 4;
  fake_.busy = 3;
  const std::unique_ptr<ConduitInterface> interface = Open();
  ASSERT_NE(interface, nullptr);
  EXPECT_FALSE(interface->covers_all());
  EXPECT_TRUE(fake_.bound.empty());
}

TEST_F(LimitedTest, ChunksThatNoDescriptorCoversAreToldOf) {
  fake_.longest = 1024;
  const std::unique_ptr<ConduitInterface> interface = Open();
  ASSERT_NE(interface, nullptr);
  const absl::Status status = interface->CoverChunks(chunks_, sizeof chunks_);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("GASNET_PORTAL_SB_CHUNKS"),
            std::string::npos);
}

// Verifies that the whole conduit compiles.
static_assert(!std::is_abstract_v<PortalsNetwork>);

}  // namespace
}  // namespace gasnet::portals_conduit
