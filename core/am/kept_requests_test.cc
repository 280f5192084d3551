#include "core/am/kept_requests.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

std::vector<std::byte> Bytes(size_t size, unsigned value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}
bool Are(std::span<const std::byte> frame, unsigned value) {
  return std::all_of(frame.begin(), frame.end(), [value](std::byte byte) {
    return byte == static_cast<std::byte>(value);
  });
}

TEST(KeptRequestsTest, ComeOutAsTheyCame) {
  KeptRequests kept(10'000, 100);
  EXPECT_TRUE(kept.Empty());
  auto frame = Bytes(100, 1);
  ASSERT_TRUE(kept.Copy(5, 3, frame));
  std::fill(frame.begin(), frame.end(), std::byte{9});
  KeptRequest held;
  held.source = 6;
  kept.Hold(held);
  ASSERT_TRUE(kept.Copy(7, 1, Bytes(1, 2)));
  EXPECT_FALSE(held.copied);

  KeptRequest& first = kept.Next();
  EXPECT_EQ(first.source, 5u);
  EXPECT_TRUE(first.copied);
  EXPECT_EQ(first.messages, 3u);
  EXPECT_EQ(first.frame.size(), 100u);
  EXPECT_TRUE(Are(first.frame, 1)) << "a copy";
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first.frame.data()) % 16, 0u);
  EXPECT_EQ(&kept.Next(), &held);
  EXPECT_FALSE(kept.Empty());
  KeptRequest& last = kept.Next();
  EXPECT_EQ(last.source, 7u);
  EXPECT_EQ(last.frame.size(), 1u);
  EXPECT_TRUE(kept.Empty());
  kept.Release(first);
  kept.Release(last);
}

TEST(KeptRequestsTest, OneOfTheLargestAlwaysFits) {
  KeptRequests kept(0, 5000);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(kept.Copy(1, 1, Bytes(5000, 7)));
    EXPECT_FALSE(kept.Copy(1, 1, Bytes(1, 7)));
    kept.Release(kept.Next());
  }
}

TEST(KeptRequestsTest, OnlyCopiesAreBounded) {
  KeptRequests kept(0, 16);
  ASSERT_TRUE(kept.Copy(1, 1, Bytes(16, 7)));
  std::vector<KeptRequest> held(100);
  for (KeptRequest& request : held) kept.Hold(request);
  kept.Release(kept.Next());
  for (KeptRequest& request : held) EXPECT_EQ(&kept.Next(), &request);
  EXPECT_TRUE(kept.Empty());
}

// Copies are released out of order, as if several threads ran handlers.
TEST(KeptRequestsTest, CopiesMayComeBackInAnyOrder) {
  constexpr size_t kEach = 64 + 112;  // a copy and its overhead
  KeptRequests kept(3 * kEach, 112);
  const auto copy = [&kept](unsigned value) {
    return kept.Copy(value, 1, Bytes(112, value));
  };
  ASSERT_TRUE(copy(1) && copy(2) && copy(3));
  KeptRequest& first = kept.Next();
  KeptRequest& second = kept.Next();
  kept.Release(second);
  EXPECT_TRUE(copy(4)) << "though the first one is still out";
  EXPECT_FALSE(copy(5));
  kept.Release(first);
  EXPECT_TRUE(copy(5));
  EXPECT_FALSE(copy(6));
  for (const unsigned value : {3, 4, 5}) {
    KeptRequest& request = kept.Next();
    EXPECT_EQ(request.source, value);
    EXPECT_TRUE(Are(request.frame, value));
    kept.Release(request);
  }
}

// One copy is never released. All other memory is reused.
TEST(KeptRequestsTest, OneThatStaysOutKeepsItsOwnRoomAlone) {
  KeptRequests kept(10 * (64 + 64), 64);
  ASSERT_TRUE(kept.Copy(0, 1, Bytes(64, 0)));
  KeptRequest& long_one = kept.Next();
  for (unsigned round = 1; round < 1000; ++round) {
    ASSERT_TRUE(kept.Copy(round, 1, Bytes(64, round))) << round;
    KeptRequest& request = kept.Next();
    EXPECT_TRUE(Are(request.frame, round));
    kept.Release(request);
  }
  EXPECT_TRUE(Are(long_one.frame, 0));
  kept.Release(long_one);
}

TEST(KeptRequestsTest, NoCopyIsOverwritten) {
  std::mt19937 random(1);
  KeptRequests kept(4096, 300);
  std::deque<KeptRequest*> out;
  std::deque<unsigned> waiting;
  unsigned refused = 0;
  for (unsigned i = 0; i < 100'000; ++i) {
    const unsigned choice = random() % 4;
    if (choice < 2) {
      const size_t size = 1 + random() % 300;
      if (kept.Copy(i, 1, Bytes(size, i))) {
        waiting.push_back(i);
      } else {
        ++refused;
      }
    } else if (choice == 2 && !kept.Empty()) {
      out.push_back(&kept.Next());
      ASSERT_EQ(out.back()->source, waiting.front());
      waiting.pop_front();
    } else if (choice == 3 && !out.empty()) {
      const size_t which = random() % out.size();
      ASSERT_TRUE(Are(out[which]->frame, out[which]->source));
      kept.Release(*out[which]);
      out.erase(out.begin() + static_cast<ptrdiff_t>(which));
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_LT(refused, 40'000u);
}

}  // namespace
}  // namespace gasnet::am
