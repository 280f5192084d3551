// Tests frames that no rank of the job has sent, over the fake fabric. No part
// of such a frame may be used, and the job must go on unaffected.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "conduits/ofi/frame.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/test_ranks.h"
#include "core/am/records.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeFabricOptions;
using testing::Flood;
using testing::MediumOf;
using testing::TestRank;
using testing::TestRanks;

// Returns a valid frame, for tests to change.
std::vector<std::byte> FrameOf(const FrameHeader& header, size_t payload) {
  std::vector<std::byte> medium(payload);
  const am::Message message = {.category = am::Category::kMedium,
                               .handler = testing::kTestHandler,
                               .payload = medium.data(),
                               .nbytes = medium.size()};
  std::vector<std::byte> frame(
      am::RecordLayout::Of(kFrameHeaderBytes, message).end);
  header.Encode(frame.data());
  am::EncodeMessage(frame.data(), kFrameHeaderBytes, message);
  return frame;
}

class ForeignFrames : public ::testing::TestWithParam<bool> {
 protected:
  ForeignFrames() {
    ranks_.SetHandler([&](TestRank&, const am::Incoming&) { ++handled_; });
  }
  void Intrude(const std::vector<std::byte>& frame) {
    ranks_.fabric().Intrude(ranks_[1].endpoint().name(), frame);
    ranks_.Settle();
  }
  // Verifies that traffic of many windows still passes in both directions.
  void CheckTraffic() {
    handled_ = 0;
    const std::vector<std::byte> payload(ranks_.limits().whole);
    for (unsigned i = 0; i < 100; ++i) {
      const Rank from = i % 2;
      ranks_.SendPatiently(ranks_[from], 1 - from, Lane::kRequest,
                           MediumOf(payload));
    }
    ranks_.Settle();
    EXPECT_EQ(handled_, 100u);
    EXPECT_EQ(ranks_[1].failures, std::vector<std::string>{});
  }

  TestRanks ranks_{FakeFabricOptions{.multi_receive = GetParam()}, 2};
  unsigned handled_ = 0;
};

TEST_P(ForeignFrames, AFrameOfTheJobIsTaken) {
  Intrude(FrameOf({testing::kTestCookie, 0}, 8));
  EXPECT_EQ(handled_, 1u);
}

TEST_P(ForeignFrames, OthersAreDropped) {
  std::vector<std::vector<std::byte>> frames = {
      FrameOf({testing::kTestCookie + 1, 0}, 8),
      FrameOf({testing::kTestCookie, 2}, 8),
      FrameOf({testing::kTestCookie, ~Rank{0}}, 8),
      FrameOf({testing::kTestCookie, 0, static_cast<Lane>(2)}, 8),
      FrameOf({testing::kTestCookie, 0, Lane::kRequest, {1, 0}}, 8),
      FrameOf({testing::kTestCookie, 0, Lane::kReply, {0, 65535}}, 8),
      FrameOf({testing::kTestCookie, 0, Lane::kRequest, {}, true}, 8),
      FrameOf({testing::kTestCookie, 0}, ranks_.limits().whole + 1),
      {},
      std::vector<std::byte>(1),
      std::vector<std::byte>(kFrameHeaderBytes - 1),
      std::vector<std::byte>(kFrameHeaderBytes),
  };
  // The first frame is truncated. The second one has a record of an unknown
  // kind.
  std::vector<std::byte> frame = FrameOf({testing::kTestCookie, 0}, 64);
  frame.resize(frame.size() - 16);
  frames.push_back(frame);
  frame = FrameOf({testing::kTestCookie, 0}, 8);
  frame[kFrameHeaderBytes] = std::byte{3};
  frames.push_back(frame);
  for (const std::vector<std::byte>& each : frames) Intrude(each);
  EXPECT_EQ(handled_, 0u);
  CheckTraffic();
}

TEST_P(ForeignFrames, BytesAtRandomAreDropped) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> frame(random() % ranks_.limits().frame_bytes);
    for (std::byte& each : frame) each = static_cast<std::byte>(random());
    Intrude(frame);
  }
  EXPECT_EQ(handled_, 0u);
  CheckTraffic();
}

// Each of these frames uses up a buffer. The test sends more of these frames
// than there are buffers.
TEST_P(ForeignFrames, OnesThatFitIntoNoBufferAreDropped) {
  const std::vector<std::byte> huge(ranks_.limits().buffer_bytes + 1);
  for (size_t i = 0; i < 2 * ranks_.limits().buffers; ++i) Intrude(huge);
  EXPECT_EQ(handled_, 0u);
  CheckTraffic();
}

// No part of a dropped frame may be used. Even its valid credit must be
// ignored.
TEST_P(ForeignFrames, CreditOfADroppedFrameIsNotTaken) {
  const std::vector<std::byte> payload(ranks_.limits().whole);
  while (Flood(ranks_[1], 0, MediumOf(payload)) > 0) {
    for (int i = 0; i < 50; ++i) ranks_[1].Poll();
  }
  const am::CreditUnits one = am::CreditFor(ranks_.limits().frame_bytes);
  std::vector<std::byte> bad_record =
      FrameOf({testing::kTestCookie, 0, Lane::kRequest, {one, 0}}, 8);
  bad_record[kFrameHeaderBytes] = std::byte{3};
  for (const std::vector<std::byte>& each :
       {FrameOf({testing::kTestCookie, 0, Lane::kRequest, {one, 65535}}, 8),
        bad_record}) {
    ranks_.fabric().Intrude(ranks_[1].endpoint().name(), each);
    for (int i = 0; i < 50; ++i) ranks_[1].Poll();
  }
  EXPECT_EQ(Flood(ranks_[1], 0, MediumOf(payload)), 0u);
}

INSTANTIATE_TEST_SUITE_P(Buffers, ForeignFrames, ::testing::Bool());

}  // namespace
}  // namespace gasnet::ofi
