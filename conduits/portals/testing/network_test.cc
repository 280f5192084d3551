// Tests of the network over a Portals that records its calls. They check the
// order of the network's start, and the order in which a poll takes events.
#include "conduits/portals/network.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "conduits/portals/settings.h"
#include "conduits/portals/system_message.h"
#include "conduits/portals/testing/fake_portals.h"
#include "core/am/dispatcher.h"
#include "job/testing/job_alone.h"

namespace gasnet::portals_conduit {
namespace {

// Queues of the fake Portals.
constexpr uint64_t kSystem = 1;
constexpr uint64_t kSafe = 2;
constexpr uint64_t kRequests = 3;

class NetworkTest : public ::testing::Test {
 protected:
  NetworkTest() {
    // Flow control is off, since a rank has no credits for requests to itself.
    setenv("GASNET_PORTAL_FLOW_CONTROL", "0", 1);
    Open();
  }

  void Open() {
    absl::StatusOr<std::unique_ptr<PortalsNetwork>> opened =
        PortalsNetwork::Open(job::JobAlone());
    ASSERT_TRUE(opened.ok()) << opened.status();
    network_ = *std::move(opened);
  }
  size_t EventsLeft() {
    size_t left = 0;
    for (const auto& [queue, events] : fake_.events) left += events.size();
    return left;
  }
  bool IsAppended(PortalTable table) {
    return std::any_of(fake_.appended.begin(), fake_.appended.end(),
                       [&](const FakePortals::Appended& each) {
                         return each.table == ConduitInterface::IndexOf(table);
                       });
  }
  // Adds three events: a system message, the answer to a request, and the
  // report that Portals shut the entry of requests.
  void Arrive() {
    ptl_event_t event = {};
    event.type = PTL_EVENT_PUT;
    event.ni_fail_type = PTL_NI_OK;
    event.hdr_data =
        SystemMessage{.kind = SystemMessage::Kind::kBlocked}.HeaderData();
    fake_.events[kSystem].push_back(event);
    EXPECT_EQ(network_->Send(0, am::Lane::kRequest, {.handler = 200}),
              am::Post::kDone);
    event.pt_index = ConduitInterface::IndexOf(PortalTable::kReplies);
    event.match_bits = PortalsHeader{.form = Form::kNothing}.MatchBits();
    event.hdr_data = 0;
    fake_.events[kSafe].push_back(event);
    event.type = PTL_EVENT_PT_DISABLED;
    fake_.events[kRequests].push_back(event);
  }

  void AttachEverything() {
    const std::vector<Segment> everything = {{0, UINTPTR_MAX}};
    const absl::StatusOr<network::Exposed> exposed =
        network_->Expose(0, everything[0]);
    ASSERT_TRUE(exposed.ok());
    network_->Attach(everything, {&*exposed, 1});
  }

  FakePortals fake_;
  std::unique_ptr<PortalsNetwork> network_;
  am::Dispatcher dispatcher_;
};

TEST_F(NetworkTest, RanksAreKnownBeforeAnythingIsReachedByThem) {
  EXPECT_TRUE(fake_.appended.empty());
  ASSERT_TRUE(network_->Start().ok());
  ASSERT_EQ(fake_.map.size(), 1u);
  EXPECT_EQ(fake_.map[0].phys.nid, 3u);
  EXPECT_EQ(fake_.map[0].phys.pid, 4u);
  EXPECT_EQ(fake_.appended_before_map, 0u);
}

TEST_F(NetworkTest, AllIsLinkedWhenItHasStarted) {
  ASSERT_TRUE(network_->Start().ok());
  for (const PortalTable table : {PortalTable::kRequests, PortalTable::kReplies,
                                  PortalTable::kSystem, PortalTable::kBell}) {
    EXPECT_TRUE(IsAppended(table));
  }
  EXPECT_EQ(fake_.taken.size(), fake_.appended.size());
  EXPECT_EQ(EventsLeft(), 0u);
}

TEST_F(NetworkTest, AnEntryThatIsNotLinkedEndsTheStart) {
  fake_.link_result = PTL_NI_PT_DISABLED;
  EXPECT_FALSE(network_->Start().ok());
}

TEST_F(NetworkTest, ASegmentOfEverythingIsOneEntryOverAllMemory) {
  ASSERT_TRUE(network_->Start().ok());
  AttachEverything();
  EXPECT_TRUE(network_->rma()->Reaches(0));
  for (const FakePortals::Appended& each : fake_.appended) {
    if (each.table != ConduitInterface::IndexOf(PortalTable::kSegment))
      continue;
    EXPECT_EQ(each.entry.start, nullptr);
    EXPECT_EQ(each.entry.length, PTL_SIZE_MAX);
  }
  EXPECT_TRUE(IsAppended(PortalTable::kSegment));
  EXPECT_EQ(EventsLeft(), 0u);
}

TEST_F(NetworkTest, AllMemoryIsReachedByMessagesWherePortalsDoesNotTakeIt) {
  fake_.features = 0;
  Open();
  ASSERT_TRUE(network_->Start().ok());
  AttachEverything();
  EXPECT_FALSE(network_->rma()->Reaches(0));
  EXPECT_FALSE(IsAppended(PortalTable::kSegment));
}

TEST_F(NetworkTest, APollTakesSystemMessagesThenRepliesThenRequests) {
  ASSERT_TRUE(network_->Start().ok());
  fake_.taken.clear();
  Arrive();
  network_->Poll(am::Lanes::kAll, dispatcher_, false);
  EXPECT_EQ(fake_.taken, (std::vector<uint64_t>{kSystem, kSafe, kRequests}));
}

TEST_F(NetworkTest, APollOfRepliesLeavesRequestsWhereTheyAre) {
  ASSERT_TRUE(network_->Start().ok());
  fake_.taken.clear();
  Arrive();
  network_->Poll(am::Lanes::kReplies, dispatcher_, false);
  EXPECT_EQ(fake_.taken, (std::vector<uint64_t>{kSystem, kSafe}));
  EXPECT_EQ(fake_.events[kRequests].size(), 1u);
}

// A poll takes all events of one queue before any of the next.
TEST_F(NetworkTest, APollEmptiesEachQueueInItsTurn) {
  ASSERT_TRUE(network_->Start().ok());
  Arrive();
  Arrive();
  // The second request has another chunk.
  fake_.events[kSafe][1].remote_offset = SettingsFromEnvironment(2).chunk;
  fake_.taken.clear();
  network_->Poll(am::Lanes::kAll, dispatcher_, false);
  EXPECT_EQ(fake_.taken, (std::vector<uint64_t>{kSystem, kSystem, kSafe, kSafe,
                                                kRequests, kRequests}));
}

}  // namespace
}  // namespace gasnet::portals_conduit
