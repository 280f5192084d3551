// Tests of receive buffers. Each buffer is appended again once, after it is
// unlinked and all its messages are handled. The order of the events must not
// matter.
#include "conduits/portals/request_buffers.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "conduits/portals/testing/fake_portals.h"

namespace gasnet::portals_conduit {
namespace {

constexpr size_t kBuffers = 4;
constexpr size_t kChunk = 512;
constexpr size_t kBytes = 4 * kChunk;

class RequestBuffersTest : public ::testing::Test {
 protected:
  RequestBuffersTest() {
    plan_.chunk = kChunk;
    plan_.credits.buffers = kBuffers;
    plan_.credits.buffer_bytes = kBytes;
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, plan_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    interface_ = *std::move(opened);
    buffers_ =
        std::make_unique<RequestBuffers>(*interface_, plan_, statistics_);
    EXPECT_TRUE(buffers_->Start().ok());
  }

  // Returns the event of a message in a buffer. `index` is the buffer's place
  // in the order of appending.
  ptl_event_t MessageIn(size_t index, size_t at, size_t nbytes) const {
    const FakePortals::Appended& buffer = fake_.appended[index];
    ptl_event_t event = {};
    event.type = PTL_EVENT_PUT;
    event.start = static_cast<std::byte*>(buffer.entry.start) + at;
    event.mlength = nbytes;
    event.user_ptr = buffer.user;
    return event;
  }
  ptl_event_t UnlinkOf(size_t index) const {
    ptl_event_t event = {};
    event.type = PTL_EVENT_AUTO_UNLINK;
    event.user_ptr = fake_.appended[index].user;
    return event;
  }
  // Returns the events of a buffer that Portals fills until less than a chunk
  // is left.
  std::vector<ptl_event_t> Filled(size_t index, std::mt19937& random) const {
    std::vector<ptl_event_t> events = {UnlinkOf(index)};
    for (size_t at = 0; at + kChunk <= kBytes;) {
      const size_t nbytes = random() % (kChunk / 16 + 1) * 16;
      events.push_back(MessageIn(index, at, nbytes));
      at += nbytes;
    }
    return events;
  }
  void Take(const ptl_event_t& event) {
    if (event.type == PTL_EVENT_PUT) return buffers_->Handled(event);
    buffers_->Unlinked(event);
  }

  FakePortals fake_;
  const PortalsSettings settings_ = {};
  Plan plan_;
  PortalsStatistics statistics_{true};
  std::unique_ptr<ConduitInterface> interface_;
  std::unique_ptr<RequestBuffers> buffers_;
};

TEST_F(RequestBuffersTest, PortalsFillsThemApartAndLeavesALastChunk) {
  ASSERT_EQ(fake_.appended.size(), kBuffers);
  for (size_t i = 0; i < kBuffers; ++i) {
    const ptl_me_t& entry = fake_.appended[i].entry;
    EXPECT_EQ(entry.length, kBytes);
    EXPECT_EQ(entry.min_free, kChunk);
    EXPECT_EQ(
        static_cast<std::byte*>(entry.start),
        static_cast<std::byte*>(fake_.appended[0].entry.start) + i * kBytes);
  }
}

// Empty messages lie in no buffer. They arrive before and after, and the buffer
// must still be appended once.
TEST_F(RequestBuffersTest, OneIsAppendedAgainWhenAllOfItIsOverInAnyOrder) {
  std::mt19937 random(1);
  for (size_t filled = 0; filled < 500; ++filled) {
    std::vector<ptl_event_t> events = Filled(filled, random);
    std::shuffle(events.begin(), events.end(), random);
    const auto is_empty = [](const ptl_event_t& event) {
      return event.type == PTL_EVENT_PUT && event.mlength == 0;
    };
    std::stable_partition(events.begin(), events.end(), is_empty);
    for (const ptl_event_t& event : events) {
      ASSERT_EQ(fake_.appended.size(), filled + kBuffers);
      Take(event);
    }
    ASSERT_EQ(fake_.appended.size(), filled + kBuffers + 1);
    // The buffer is appended behind all other buffers. Its memory is unchanged.
    const FakePortals::Appended& again = fake_.appended.back();
    ASSERT_EQ(again.user, fake_.appended[filled].user);
    ASSERT_EQ(again.entry.start, fake_.appended[filled].entry.start);
    Take(MessageIn(filled, 0, 0));
    ASSERT_EQ(fake_.appended.size(), filled + kBuffers + 1);
  }
  EXPECT_EQ(statistics_[Counted::kRefreshes], 500u);
}

TEST_F(RequestBuffersTest, ASlowHandlerHoldsItsBufferAlone) {
  Take(MessageIn(0, 0, kChunk));
  Take(MessageIn(0, kChunk + 16, 3 * kChunk - 32));
  Take(UnlinkOf(0));
  for (size_t i = 1; i < kBuffers; ++i) {
    Take(UnlinkOf(i));
    Take(MessageIn(i, 0, 3 * kChunk + 16));
  }
  // All buffers except the first are appended again. The first still has 16
  // unhandled bytes.
  ASSERT_EQ(fake_.appended.size(), 2 * kBuffers - 1);
  for (size_t i = 1; i < kBuffers; ++i) {
    EXPECT_EQ(fake_.appended[kBuffers + i - 1].user, fake_.appended[i].user);
  }
  Take(MessageIn(0, kChunk, 16));
  ASSERT_EQ(fake_.appended.size(), 2 * kBuffers);
  EXPECT_EQ(fake_.appended.back().user, fake_.appended[0].user);
}

TEST_F(RequestBuffersTest, ThereIsRoomWhileHalfOfThemAreLinked) {
  Take(UnlinkOf(0));
  Take(UnlinkOf(1));
  EXPECT_TRUE(buffers_->HasRoom());
  Take(UnlinkOf(2));
  EXPECT_FALSE(buffers_->HasRoom());
  Take(MessageIn(1, 0, kBytes));
  EXPECT_TRUE(buffers_->HasRoom());
}

TEST_F(RequestBuffersTest, AnEntryForWhichThereIsNoRoomIsAppendedLater) {
  fake_.most_appended = kBuffers;
  for (const size_t i : {0, 1, 2}) {
    Take(MessageIn(i, 0, kBytes));
    Take(UnlinkOf(i));
  }
  EXPECT_TRUE(buffers_->IsBehind());
  EXPECT_FALSE(buffers_->HasRoom());
  fake_.most_appended = kBuffers + 1;
  buffers_->CatchUp();
  EXPECT_TRUE(buffers_->IsBehind());
  EXPECT_TRUE(buffers_->HasRoom());
  fake_.most_appended = 100;
  buffers_->CatchUp();
  EXPECT_FALSE(buffers_->IsBehind());
  EXPECT_EQ(fake_.appended.size(), kBuffers + 3);
}

}  // namespace
}  // namespace gasnet::portals_conduit
