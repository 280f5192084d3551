// Tests of requests that the receiver takes out of the ring itself
// (TakeMedium).
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/cache_line.h"
#include "core/am/message.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/link_test_host.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

constexpr uint8_t kWanted = am::kFirstClientHandler;
constexpr uint8_t kOther = kWanted + 1;
constexpr int32_t kArgs[] = {1, -2, 3, 4, 5, 6};
constexpr uint8_t kNumArgs = std::size(kArgs);

using Bytes = std::vector<unsigned char>;

Bytes Pattern(size_t nbytes) {
  Bytes pattern(nbytes);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(nbytes));
  return pattern;
}

class TakeTest : public testing::Test {
 protected:
  TakeTest() {
    for (Rank rank = 0; rank < 3; ++rank) {
      am::HandlerTable& table = host_.engine(rank).handlers();
      table.RegisterClient(kWanted,
                           reinterpret_cast<am::AnyHandler>(+OnWanted));
      table.RegisterClient(kOther, reinterpret_cast<am::AnyHandler>(+OnOther));
    }
    handled_ = 0;
  }

  // Sends from rank 0 to rank 1.
  am::Post Send(const Bytes& payload) {
    return host_.link(0).Send(1, am::Lane::kRequest,
                              {.category = am::Category::kMedium,
                               .handler = kWanted,
                               .num_args = kNumArgs,
                               .args = kArgs,
                               .payload = payload.data(),
                               .nbytes = payload.size()});
  }
  void SendOther(am::Lane lane = am::Lane::kRequest) {
    host_.link(0).Send(1, lane, {.handler = kOther});
  }
  bool Take(Bytes& to, int32_t third = kArgs[2], Rank from = 0) {
    return host_.link(1).TakeMedium(
        {from, kWanted, kNumArgs, to.size()}, to.data(),
        [&](const int32_t* args) {
          return args[2] == third &&
                 std::memcmp(args, kArgs, 2 * sizeof(int32_t)) == 0;
        });
  }

  TestHost host_{3};
  static inline unsigned handled_;

 private:
  static void OnWanted(void*, void*, size_t, int32_t, int32_t, int32_t, int32_t,
                       int32_t, int32_t) {
    ++handled_;
  }
  static void OnOther(void*) { ++handled_; }
};

TEST_F(TakeTest, GetsEverySizeInPlaceOfTheHandler) {
  for (const size_t nbytes : {1, 8, 32, 33, 64, 65, 2048, 4096}) {
    const Bytes payload = Pattern(nbytes);
    ASSERT_EQ(Send(payload), am::Post::kDone);
    Bytes to(nbytes);
    ASSERT_TRUE(Take(to)) << nbytes;
    EXPECT_EQ(to, payload) << nbytes;
    EXPECT_FALSE(Take(to)) << "a second time";
  }
  EXPECT_EQ(host_.engine(1).Poll(), 0u);
  EXPECT_EQ(handled_, 0u);
}

TEST_F(TakeTest, LeavesWhatIsNotWanted) {
  Bytes to(8);
  EXPECT_FALSE(Take(to)) << "nothing has come";
  Send(Pattern(8));
  Bytes other(9);
  EXPECT_FALSE(Take(other)) << "another size";
  EXPECT_FALSE(Take(to, kArgs[2] + 1)) << "other arguments";
  EXPECT_FALSE(Take(to, kArgs[2], 2)) << "another sender";
  EXPECT_EQ(host_.engine(1).Poll(), 1u);
  EXPECT_EQ(handled_, 1u);
}

TEST_F(TakeTest, OvertakesNothingOfItsSender) {
  SendOther();
  Send(Pattern(8));
  Bytes to(8);
  EXPECT_FALSE(Take(to));
  EXPECT_EQ(host_.engine(1).Poll(), 2u);
}

// Cells and payload area come back to the sender each time, also after many
// laps.
TEST_F(TakeTest, MakesRoomForMore) {
  for (const size_t nbytes : {size_t{8}, size_t{2048}}) {
    const Bytes payload = Pattern(nbytes);
    Bytes to(nbytes);
    for (unsigned i = 0; i < 4 * kMaxPayload / 2048; ++i) {
      ASSERT_EQ(Send(payload), am::Post::kDone) << i;
      ASSERT_TRUE(Take(to)) << i;
    }
  }
}

// A sender that finds no room sleeps, and is woken when room comes back.
TEST_F(TakeTest, RingsWhenRoomComesBack) {
  const Bytes payload = Pattern(8);
  while (Send(payload) == am::Post::kDone) continue;
  const uint32_t epoch = host_.link(0).Arm();
  Bytes to(8);
  while (Take(to)) continue;
  host_.link(0).Sleep(epoch, kNever);
  EXPECT_EQ(Send(payload), am::Post::kDone);
}

TEST_F(TakeTest, LetsSenderOfOneKindAloneBeServedLater) {
  EXPECT_FALSE(host_.link(1).HasMessagesBut(kWanted));
  Send(Pattern(8));
  EXPECT_TRUE(host_.link(1).HasMessages());
  EXPECT_FALSE(host_.link(1).HasMessagesBut(kWanted));
  EXPECT_TRUE(host_.link(1).HasMessagesBut(kOther));
  SendOther();
  EXPECT_FALSE(host_.link(1).HasMessagesBut(kWanted));
  SendOther(am::Lane::kReply);
  EXPECT_TRUE(host_.link(1).HasMessagesBut(kWanted));
  host_.engine(1).Poll();
  SendOther();
  EXPECT_TRUE(host_.link(1).HasMessagesBut(kWanted));
}

// TakeMedium() does not end the job because of a corrupt block. Only a poll
// does, and reports the reason.
TEST_F(TakeTest, LeavesABlockThatIsNotInTheRing) {
  Send(Pattern(100));
  unsigned char* const cell =
      host_.base() + host_.layout().cells_at(1, 0, am::Lane::kRequest) +
      Layout::first_cell(1, 0, am::Lane::kRequest) * kCacheLine;
  const uint64_t offset = host_.layout().blocks_bytes();
  std::memcpy(cell + 8, &offset, sizeof(offset));
  Bytes to(100);
  EXPECT_FALSE(Take(to));
  EXPECT_DEATH(host_.engine(1).Poll(), "written by rank 0 is corrupt");
}

}  // namespace
}  // namespace gasnet::hostshm
