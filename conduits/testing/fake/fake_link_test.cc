// Tests of Longs whose payload goes ahead of the header, between two ranks in
// one process. They check when the source may be reused, and that the handler
// finds the payload.
#include "conduits/testing/fake/fake_link.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "base/asymmetric_fence.h"
#include "core/hostshm/layout.h"
#include "core/rma/testing/fake_rma.h"

namespace gasnet::fake {
namespace {

// Verifies that a concept requires each member: a class without the member must
// not satisfy the concept. A static_assert checks that the full class satisfies
// it.
#define WITHOUT(What, Full, member)      \
  struct Full##Without_##member : Full { \
    void member() = delete;              \
  };                                     \
  static_assert(!What<Full##Without_##member>)

WITHOUT(am::Link, FakeLink, Send);
WITHOUT(am::Link, FakeLink, Poll);
WITHOUT(am::Link, FakeLink, MaxMedium);
WITHOUT(am::Link, FakeLink, MaxLong);
WITHOUT(am::Link, FakeLink, Arm);
WITHOUT(am::Link, FakeLink, Sleep);
WITHOUT(am::Link, FakeLink, Disarm);
WITHOUT(am::Link, FakeLink, WakeOwn);

constexpr size_t kSegmentBytes = 1 << 20;
constexpr size_t kBytes = 4096;
constexpr uint8_t kHandler = am::kFirstClientHandler;

std::vector<std::string> heard;
void OnLong(void*, void* payload, size_t nbytes) {
  heard.emplace_back(static_cast<char*>(payload), nbytes);
}

unsigned char* Map(size_t bytes) {
  return static_cast<unsigned char*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

class FakeLinkTest : public ::testing::Test {
 protected:
  static constexpr Rank kRanks = 2;

  FakeLinkTest() : layout_(kRanks), base_(Map(layout_.total())) {
    heard.clear();
    AsymmetricFence::Register();
    memory_ = Map(kRanks * kSegmentBytes);
    for (Rank rank = 0; rank < kRanks; ++rank) {
      const auto at = reinterpret_cast<uintptr_t>(SegmentOf(rank));
      reached_.push_back({at, kSegmentBytes, SegmentOf(rank)});
      segments_.push_back({at, kSegmentBytes});
    }
    dispatcher_.handlers().RegisterClient(
        kHandler, reinterpret_cast<am::AnyHandler>(&OnLong));
  }
  ~FakeLinkTest() override {
    munmap(base_, layout_.total());
    munmap(memory_, kRanks * kSegmentBytes);
  }

  void Open(bool ordered) {
    for (Rank rank = 0; rank < kRanks; ++rank) {
      rmas_.emplace_back(rma::testing::FakeRmaOptions{
          .seed = rank + 1, .refuse = 0, .done = 0});
      rmas_[rank].SetSegments(rank, reached_);
      links_.emplace_back(rmas_[rank], ordered);
      links_[rank].host().Init(base_, layout_, rank, ranks_, kRanks);
      links_[rank].SetSegments(segments_);
      links_[rank].SetOwnSegment(0, segments_[rank]);
    }
  }

  unsigned char* SegmentOf(Rank rank) const {
    return memory_ + rank * kSegmentBytes;
  }
  // Returns a source in the segment. The network reads it in place.
  char* source() const { return reinterpret_cast<char*>(SegmentOf(0)); }
  am::Post Send(bool stays, am::SendState& send_state) {
    return links_[0].Send(1, am::Lane::kRequest,
                          {.category = am::Category::kLong,
                           .handler = kHandler,
                           .stays = stays,
                           .payload = source(),
                           .nbytes = kBytes,
                           .dest_addr = SegmentOf(1),
                           .send_state = &send_state});
  }
  void PollAll() {
    for (FakeLink& link : links_) link.Poll(am::Lanes::kAll, dispatcher_);
  }
  std::string Hear() {
    while (heard.empty()) PollAll();
    return heard.front();
  }

  const std::vector<Rank> ranks_ = {0, 1};
  const hostshm::Layout layout_;
  unsigned char* const base_;
  unsigned char* memory_;
  std::vector<MappedSegment> reached_;
  std::vector<Segment> segments_;
  std::deque<rma::testing::FakeRma> rmas_;
  std::deque<FakeLink> links_;
  am::Dispatcher dispatcher_;
};

const std::string kBefore(kBytes, 'b');
const std::string kAfter(kBytes, 'a');

TEST_F(FakeLinkTest, NothingIsBegunWithoutASendState) {
  Open(true);
  EXPECT_EQ(links_[0].Send(1, am::Lane::kRequest,
                           {.category = am::Category::kLong,
                            .handler = kHandler,
                            .payload = source(),
                            .nbytes = kBytes,
                            .dest_addr = SegmentOf(1)}),
            am::Post::kRetry);
  EXPECT_EQ(rmas_[0].counts().posted, 0u);
}

TEST_F(FakeLinkTest, ALongAsyncIsSentBeforeItsSourceIsRead) {
  Open(true);
  kBefore.copy(source(), kBytes);
  am::SendState send_state;
  ASSERT_EQ(Send(true, send_state), am::Post::kDone);
  kAfter.copy(source(), kBytes);
  EXPECT_EQ(Hear(), kAfter);
}

TEST_F(FakeLinkTest, ALongIsSentWhenItsSourceHasBeenRead) {
  Open(true);
  kBefore.copy(source(), kBytes);
  am::SendState send_state;
  ASSERT_EQ(Send(false, send_state), am::Post::kRetry);
  while (Send(false, send_state) == am::Post::kRetry) {
    links_[0].Poll(am::Lanes::kReplies, dispatcher_);
  }
  kAfter.copy(source(), kBytes);
  EXPECT_EQ(Hear(), kBefore);
  PollAll();
  EXPECT_EQ(heard.size(), 1u);
}

TEST_F(FakeLinkTest, AnUnorderedLongAsyncIsHeldUntilItIsInPlace) {
  Open(false);
  kBefore.copy(source(), kBytes);
  am::SendState send_state;
  ASSERT_EQ(Send(true, send_state), am::Post::kRetry);
  while (Send(true, send_state) == am::Post::kRetry) {
    ASSERT_TRUE(heard.empty());
    PollAll();
  }
  EXPECT_EQ(std::memcmp(SegmentOf(1), kBefore.data(), kBytes), 0);
  EXPECT_EQ(Hear(), kBefore);
}

}  // namespace
}  // namespace gasnet::fake
