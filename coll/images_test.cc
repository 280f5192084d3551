#include "coll/images.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "coll/request.h"
#include "core/thread/mode.h"

namespace gasnet::coll {
namespace {

CollectiveRequest Gather(void* dest, void* source, size_t nbytes = 8) {
  CollectiveRequest request;
  request.call = "gather_all";
  request.kind = CollectiveKind::kGatherAll;
  request.nbytes = nbytes;
  request.dests = dest;
  request.sources = source;
  return request;
}

// Returns a pointer that stands for an operation and is never dereferenced.
CollectiveOperation* SomeOperation() {
  static int it;
  return reinterpret_cast<CollectiveOperation*>(&it);
}

TEST(ImagesTest, LastOneHasAddressesOfAll) {
  ImageMeetings meetings;
  Images images(meetings, 3);
  int areas[6];
  EXPECT_EQ(
      images.Enter(2, Gather(areas + 2, areas + 5), false, false).complete,
      nullptr);
  EXPECT_EQ(images.Enter(0, Gather(areas, areas + 3), false, false).complete,
            nullptr);
  const Images::Entry last =
      images.Enter(1, Gather(areas + 1, areas + 4), false, false);
  ASSERT_NE(last.complete, nullptr);
  const CollectiveRequest& request = last.complete->request();
  ASSERT_EQ(request.dests.count(), 3u);
  ASSERT_EQ(request.sources.count(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(request.dests[i], reinterpret_cast<std::byte*>(areas + i));
    EXPECT_EQ(request.sources[i], reinterpret_cast<std::byte*>(areas + 3 + i));
  }
}

TEST(ImagesTest, RootsAreaIsThatOfTheRoot) {
  ImageMeetings meetings;
  Images images(meetings, 2);
  int areas[2];
  CollectiveRequest request = Gather(nullptr, areas);
  request.root_area = areas;
  images.Enter(0, request, false, true);
  request.root_area = areas + 1;
  const Images::Entry last = images.Enter(1, request, false, false);
  EXPECT_EQ(last.complete->request().root_area, areas);
}

TEST(ImagesTest, ListsOfTheNodeStay) {
  ImageMeetings meetings;
  Images images(meetings, 2);
  int areas[4];
  void* const dests[] = {areas, areas + 1};
  CollectiveRequest request = Gather(nullptr, nullptr);
  request.dests = Addresses(dests, 2);
  request.sources = Addresses(dests, 2);
  images.Enter(0, request, true, true);
  const Images::Entry last = images.Enter(1, request, true, true);
  EXPECT_EQ(last.complete->request().dests[1],
            reinterpret_cast<std::byte*>(areas + 1));
}

TEST(ImagesTest, VotesComeTogether) {
  ImageMeetings meetings;
  Images images(meetings, 2);
  CollectiveRequest request;
  request.kind = CollectiveKind::kBarrier;
  request.vote = {.named = true, .mismatch = false, .id = 4};
  images.Enter(0, request, false, false);
  request.vote.id = 5;
  EXPECT_TRUE(
      images.Enter(1, request, false, false).complete->request().vote.mismatch);
}

// One image is ahead of the other image. The calls of the first image wait, in
// order, for the calls of the second image.
TEST(ImagesTest, CallsBelongTogetherByNumber) {
  ImageMeetings meetings;
  Images images(meetings, 2);
  int areas[8];
  Ticket* early[4];
  for (size_t i = 0; i < 4; ++i) {
    early[i] =
        images.Enter(0, Gather(areas + i, areas, i), false, false).ticket;
  }
  for (size_t i = 0; i < 4; ++i) {
    const Images::Entry late =
        images.Enter(1, Gather(areas + 4 + i, areas, i), false, false);
    ASSERT_NE(late.complete, nullptr);
    EXPECT_EQ(late.complete, early[i]->meeting);
    EXPECT_FALSE(early[i]->meeting->has_begun());
    ImageMeetings::SetBegun(*late.complete, SomeOperation());
    EXPECT_TRUE(early[i]->meeting->has_begun());
    int released = 0;
    const auto release = [&released](CollectiveOperation&) { ++released; };
    meetings.Leave(*late.ticket, release);
    EXPECT_EQ(released, 0);
    meetings.Leave(*early[i], release);
    EXPECT_EQ(released, 1);
  }
}

TEST(ImagesTest, RefuseDifferentCalls) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ImageMeetings meetings;
  Images images(meetings, 2);
  int area;
  images.Enter(0, Gather(&area, &area, 8), false, false);
  EXPECT_DEATH(images.Enter(1, Gather(&area, &area, 9), false, false),
               "different collectives: one gather_all .nbytes 8.*nbytes 9");
}

TEST(ImagesTest, PromiseWhatAllOfThemPromise) {
  constexpr uint32_t kDst = 1u << 10;
  constexpr uint32_t kSrc = 1u << 11;
  static_assert(kPromises == (kDst | kSrc));
  ImageMeetings meetings;
  Images images(meetings, 3);
  int areas[6];
  const auto enter = [&](uint32_t image, uint32_t promises) {
    CollectiveRequest request = Gather(areas + image, areas + 3 + image);
    request.flags = 0x52 | promises;
    return images.Enter(image, request, false, false).complete;
  };
  enter(0, kDst | kSrc);
  enter(1, kDst);
  const ImageMeeting* const all = enter(2, kDst | kSrc);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(all->request().flags, 0x52 | kDst);
}

TEST(ImagesTest, RefuseOtherModes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ImageMeetings meetings;
  Images images(meetings, 2);
  int area;
  CollectiveRequest request = Gather(&area, &area);
  request.flags = 0x52;
  images.Enter(0, request, false, false);
  request.flags = 0x94;
  EXPECT_DEATH(images.Enter(1, request, false, false),
               "different collectives: .*flags 0x52.*flags 0x94");
}

// The last image to enter begins the operation, the last image to leave
// releases it, and no image hangs.
TEST(ImagesTest, ThreadsMeet) {
  if (!thread::kConcurrent) GTEST_SKIP() << "for one thread at a time";
  constexpr uint32_t kImages = 4;
  constexpr int kCalls = 2000;
  ImageMeetings meetings;
  Images images(meetings, kImages);
  std::atomic<int> begun{0};
  std::atomic<int> released{0};
  std::vector<std::thread> threads;
  for (uint32_t image = 0; image < kImages; ++image) {
    threads.emplace_back([&, image] {
      int area;
      for (int call = 0; call < kCalls; ++call) {
        const Images::Entry entry =
            images.Enter(image, Gather(&area, &area, static_cast<size_t>(call)),
                         false, false);
        if (entry.complete != nullptr) {
          ++begun;
          ImageMeetings::SetBegun(*entry.complete, SomeOperation());
        }
        while (!entry.ticket->meeting->has_begun()) std::this_thread::yield();
        EXPECT_EQ(entry.ticket->meeting->request().nbytes,
                  static_cast<size_t>(call));
        meetings.Leave(*entry.ticket,
                       [&](CollectiveOperation&) { ++released; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(begun, kCalls);
  EXPECT_EQ(released, kCalls);
}

}  // namespace
}  // namespace gasnet::coll
