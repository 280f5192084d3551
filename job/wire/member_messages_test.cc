#include "job/wire/member_messages.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "job/wire/limits.h"
#include "job/wire/note.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

MemberHello SomeHello() {
  return {.proof = std::string(Secret::kProofBytes, 's'),
          .rank = 5,
          .cpus = {0, 3},
          .host = "boot:1",
          .name = "node",
          .pid = 77,
          .memory_fd = 9};
}

std::string Payload(const std::string& frame) {
  return frame.substr(kFrameHeaderBytes);
}

TEST(MemberMessagesTest, ReadsWhatItWrites) {
  MemberHello read;
  ASSERT_TRUE(DecodeMemberHello(Payload(EncodeMemberHello(SomeHello())), read));
  EXPECT_EQ(read.rank, 5u);
  EXPECT_EQ(read.cpus, (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(read.host, "boot:1");
  EXPECT_EQ(read.name, "node");
  EXPECT_EQ(read.pid, 77u);
  EXPECT_EQ(read.memory_fd, 9u);
  SharedMemoryPlace place;
  ASSERT_TRUE(DecodePlace(Payload(EncodePlace({77, 9})), place));
  EXPECT_EQ(place.pid, 77u);
  EXPECT_EQ(place.memory_fd, 9u);
}

TEST(MemberMessagesTest, EveryTruncationAndAdditionIsRefused) {
  const std::string whole = Payload(EncodeMemberHello(SomeHello()));
  MemberHello read;
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(DecodeMemberHello(whole.substr(0, size), read)) << size;
  }
  EXPECT_FALSE(DecodeMemberHello(whole + "x", read));
}

TEST(MemberMessagesTest, NumbersThatMakeNoSenseAreRefused) {
  constexpr void (*kSpoils[])(MemberHello&) = {
      [](MemberHello& hello) { hello.cpus.clear(); },
      [](MemberHello& hello) { hello.pid = 0; },
      [](MemberHello& hello) { hello.memory_fd = 0x80000000; },
      [](MemberHello& hello) { hello.host.clear(); },
      [](MemberHello& hello) { hello.host = std::string(257, 'h'); },
  };
  for (const auto spoil : kSpoils) {
    MemberHello hello = SomeHello(), read;
    spoil(hello);
    EXPECT_FALSE(DecodeMemberHello(Payload(EncodeMemberHello(hello)), read));
  }
  SharedMemoryPlace place;
  EXPECT_FALSE(DecodePlace(Payload(EncodePlace({0, 3})), place));
  EXPECT_FALSE(DecodePlace(Payload(EncodePlace({0xffffffff, 3})), place));
}

// No frame is both a report and an order. In addition to reports or orders,
// each side accepts only a few frames of its own.
TEST(RankReportLimitsTest, ReportsAndOrdersAreApart) {
  const FrameLimits reports = RankReportLimits();
  const FrameLimits orders = RankOrderLimits();
  for (uint16_t type = 0; type < kFrameTypes; ++type) {
    EXPECT_FALSE(reports.Accepts(type, 0) && orders.Accepts(type, 0)) << type;
  }
  const auto hello = static_cast<uint16_t>(FrameType::kRankHello);
  EXPECT_TRUE(reports.Accepts(hello, kNoteBytes + 1024));
  EXPECT_FALSE(reports.Accepts(hello, kNoteBytes + 1025));
  const auto statistics = static_cast<uint16_t>(FrameType::kRankStatistics);
  EXPECT_TRUE(reports.Accepts(statistics, kNoteBytes + kMaxStatisticsBytes));
  EXPECT_FALSE(
      reports.Accepts(statistics, kNoteBytes + kMaxStatisticsBytes + 1));
  const auto output = static_cast<uint16_t>(FrameType::kRankOutput);
  EXPECT_FALSE(reports.Accepts(output, kNoteBytes));
}

}  // namespace
}  // namespace gasnet::job
