// Tests a segment over Portals itself. This rank is its own peer.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/start.h"
#include "core/segment.h"
#include "job/job.h"
#include "job/testing/job_alone.h"

namespace gasnet::portals_conduit {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kSize = kPage;
constexpr std::byte kUntouched{0x55};

// The segment, between two pages of other memory.
alignas(kPage) std::byte memory[3 * kPage];
std::byte* const segment = memory + kPage;

// Exposes the segment, once, as a job does.
ConduitInterface& Exposed() {
  static const std::unique_ptr<ConduitInterface> interface = [] {
    job::Job& job = job::JobAlone();
    absl::StatusOr<PortalsStartup> started =
        StartInterfaces(job, /*threads=*/false);
    EXPECT_TRUE(started.ok()) << started.status();
    std::unique_ptr<ConduitInterface> made = std::move(started->interface);
    EXPECT_TRUE(made->SetMap(started->processes).ok());
    const auto exposed =
        ExposeSegment(*made, {reinterpret_cast<uintptr_t>(segment), kSize});
    EXPECT_TRUE(exposed.ok()) << exposed.status();
    EXPECT_TRUE(exposed->reached);
    return made;
  }();
  return *interface;
}

class SegmentTest : public ::testing::Test {
 protected:
  SegmentTest() : interface_(Exposed()) {
    std::fill(std::begin(memory), std::end(memory), kUntouched);
  }

  // Waits for the next event of the queue and returns the event.
  ptl_event_t Await(Queue queue) {
    ptl_event_t event;
    while (!interface_.Next(queue, event)) sched_yield();
    return event;
  }
  bool IsQuiet(Queue queue) {
    ptl_event_t event;
    return !interface_.Next(queue, event);
  }
  ptl_event_t Put(const void* from, size_t nbytes, uint64_t offset) {
    interface_.Put(Descriptor::kPut, from, nbytes, {.offset = offset}, nullptr);
    return Await(Queue::kSafe);
  }
  ptl_event_t Get(void* to, size_t nbytes, const RemoteTarget& from) {
    interface_.Get(to, nbytes, from, nullptr);
    return Await(Queue::kSafe);
  }
  static bool IsUntouched(const std::byte* from, size_t nbytes) {
    return std::all_of(from, from + nbytes,
                       [](std::byte each) { return each == kUntouched; });
  }

  ConduitInterface& interface_;
  std::array<std::byte, 2 * kPage> local_ = {};
};

TEST_F(SegmentTest, PutsAndGetsReachItsFirstByteAndItsLast) {
  EXPECT_EQ(Put(local_.data(), kSize, 0).ni_fail_type, PTL_NI_OK);
  EXPECT_EQ(std::memcmp(segment, local_.data(), kSize), 0);
  EXPECT_TRUE(IsUntouched(memory, kPage));
  EXPECT_TRUE(IsUntouched(segment + kSize, kPage));
  segment[0] = std::byte{1};
  segment[kSize - 1] = std::byte{2};
  EXPECT_EQ(Get(local_.data(), kSize, {}).ni_fail_type, PTL_NI_OK);
  EXPECT_EQ(local_[0], std::byte{1});
  EXPECT_EQ(local_[kSize - 1], std::byte{2});
}

// Portals truncates some of these puts and fails others.
TEST_F(SegmentTest, NothingBesideItIsWritten) {
  for (const uint64_t offset : {kSize - 8, kSize, kSize + 8, kSize + kPage,
                                uint64_t{0} - 8, uint64_t{0} - kPage}) {
    Put(local_.data(), 16, offset);
    EXPECT_TRUE(IsUntouched(memory, kPage)) << offset;
    EXPECT_TRUE(IsUntouched(segment + kSize, kPage)) << offset;
  }
}

TEST_F(SegmentTest, NothingBesideItIsRead) {
  for (const uint64_t offset : {kSize, kSize + 8, uint64_t{0} - 16}) {
    Get(local_.data(), 16, {.offset = offset});
    EXPECT_EQ(local_[0], std::byte{0}) << offset;
  }
}

TEST_F(SegmentTest, OfPutsAndGetsTheTargetIsNotTold) {
  Put(local_.data(), 8, 0);
  Get(local_.data(), 8, {});
  for (const Queue queue :
       {Queue::kSystem, Queue::kSafe, Queue::kRequests, Queue::kBell}) {
    EXPECT_TRUE(IsQuiet(queue));
  }
}

// Each payload causes one event. The queue of this event is that of requests or
// replies, depending on the Long.
TEST_F(SegmentTest, ThePayloadOfALongIsToldOf) {
  for (const PortalTable table :
       {PortalTable::kLongs, PortalTable::kReplyLongs}) {
    const bool is_reply = table == PortalTable::kReplyLongs;
    // The put is quiet: it causes no event at the initiator. An event of a
    // reply at the initiator would be in the same queue as the target's event.
    interface_.Put(Descriptor::kQuiet, local_.data(), 24,
                   {.table = table, .offset = 40, .header_data = 7}, nullptr);
    const ptl_event_t event = Await(is_reply ? Queue::kSafe : Queue::kRequests);
    EXPECT_EQ(event.type, PTL_EVENT_PUT);
    EXPECT_TRUE(ConduitInterface::IsOf(event, table));
    EXPECT_EQ(event.start, segment + 40);
    EXPECT_EQ(event.mlength, 24u);
    EXPECT_EQ(event.hdr_data, 7u);
    EXPECT_TRUE(IsQuiet(Queue::kSafe));
    EXPECT_TRUE(IsQuiet(Queue::kRequests));
  }
}

TEST_F(SegmentTest, NothingIsReadByTheEntriesOfLongs) {
  for (const PortalTable table :
       {PortalTable::kLongs, PortalTable::kReplyLongs}) {
    EXPECT_NE(Get(local_.data(), 8, {.table = table}).ni_fail_type, PTL_NI_OK);
    EXPECT_EQ(local_[0], std::byte{0});
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
