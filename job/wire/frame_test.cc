#include "job/wire/frame.h"

#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

using Result = FrameReader::Result;

const FrameLimits kLimits =
    FrameLimits().Allow(FrameType::kHello, 8).Allow(FrameType::kGather, 100);

TEST(FrameTest, ComesOutWhole) {
  FrameReader reader(kLimits);
  Frame frame;
  EXPECT_EQ(reader.Next(frame), Result::kNeedMore);
  reader.Append(EncodeFrame(FrameType::kHello, "12345678"));
  reader.Append(EncodeFrame(FrameType::kGather, ""));
  ASSERT_EQ(reader.Next(frame), Result::kFrame);
  EXPECT_EQ(frame.type, FrameType::kHello);
  EXPECT_EQ(frame.payload, "12345678");
  ASSERT_EQ(reader.Next(frame), Result::kFrame);
  EXPECT_EQ(frame.type, FrameType::kGather);
  EXPECT_EQ(frame.payload, "");
  EXPECT_EQ(reader.Next(frame), Result::kNeedMore);
  EXPECT_FALSE(reader.InMiddle());
}

TEST(FrameTest, ComesOutOfSingleBytes) {
  FrameReader reader(kLimits);
  Frame frame;
  const std::string bytes = EncodeFrame(FrameType::kHello, "abc");
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    reader.Append(bytes.substr(i, 1));
    EXPECT_EQ(reader.Next(frame), Result::kNeedMore);
    EXPECT_TRUE(reader.InMiddle());
  }
  reader.Append(bytes.substr(bytes.size() - 1));
  ASSERT_EQ(reader.Next(frame), Result::kFrame);
  EXPECT_EQ(frame.payload, "abc");
}

TEST(FrameTest, RefusesWhatIsNotAllowed) {
  const std::string bad[] = {
      "XJ\x01\0\0\0\0\0",
      "GX\x01\0\0\0\0\0",
      EncodeFrame(FrameType::kHello, "123456789"),
      EncodeFrame(FrameType::kExit, ""),
      EncodeFrame(FrameType(7), ""),
      EncodeFrame(FrameType(0xffff), ""),
  };
  for (const std::string& bytes : bad) {
    FrameReader reader(kLimits);
    Frame frame;
    // Appends zeros, because the string literals above end at their first zero
    // byte.
    reader.Append(bytes + std::string(8, '\0'));
    EXPECT_EQ(reader.Next(frame), Result::kBad) << bytes;
    reader.Append(EncodeFrame(FrameType::kHello, ""));
    EXPECT_EQ(reader.Next(frame), Result::kBad) << "bad for good";
  }
}

TEST(FrameTest, LimitsApplyToTheNextFrame) {
  FrameReader reader(kLimits);
  Frame frame;
  reader.Append(EncodeFrame(FrameType::kHello, ""));
  reader.Append(EncodeFrame(FrameType::kHello, ""));
  EXPECT_EQ(reader.Next(frame), Result::kFrame);
  reader.SetLimits(FrameLimits().Allow(FrameType::kExit, 4));
  EXPECT_EQ(reader.Next(frame), Result::kBad);
}

// Damages frames and cuts them, both at random places. The reader must not
// crash. It may return only frames whose type and size its limits allow.
TEST(FrameTest, SurvivesRandomDamage) {
  std::minstd_rand random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) {
      bytes += EncodeFrame(
          random() % 2 == 0 ? FrameType::kHello : FrameType::kGather,
          std::string(random() % 9, 'p'));
    }
    for (uint32_t hits = random() % 3; hits > 0; --hits) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    FrameReader reader(kLimits);
    Frame frame;
    size_t out = 0;
    for (size_t at = 0; at < bytes.size();) {
      const size_t piece = 1 + random() % 20;
      reader.Append(std::string_view(bytes).substr(at, piece));
      at += piece;
      while (reader.Next(frame) == Result::kFrame) {
        out += kFrameHeaderBytes + frame.payload.size();
        ASSERT_TRUE(kLimits.Accepts(static_cast<uint16_t>(frame.type),
                                    frame.payload.size()));
      }
    }
    ASSERT_LE(out, bytes.size());
  }
}

}  // namespace
}  // namespace gasnet::job
