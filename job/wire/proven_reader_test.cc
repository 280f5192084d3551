#include "job/wire/proven_reader.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "job/wire/frame.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

constexpr size_t kMax = 256 << 10;

class ProvenReaderTest : public testing::Test {
 protected:
  using Result = ProvenReader::Result;

  // Returns a first frame with `proof`, followed by `more` further bytes.
  std::string First(std::string_view proof, size_t more) {
    std::string payload(sizeof(uint32_t), '\1');
    payload += proof;
    payload.append(more, 'x');
    return EncodeFrame(FrameType::kMember, payload);
  }
  // Feeds the reader pieces of at most Appetite() bytes. Returns the first
  // result that is not kNeedMore, or the result after the last bytes.
  Result Feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t some = std::min(bytes.size(), reader_.Appetite());
      reader_.Append(bytes.substr(0, some));
      read_ += some;
      bytes.remove_prefix(some);
      const Result result = reader_.Next(frame_);
      if (result != Result::kNeedMore) return result;
    }
    return Result::kNeedMore;
  }

  const Secret secret_ = Secret::FromBytes(std::string(Secret::kBytes, 's'));
  const std::string wrong_ = std::string(Secret::kProofBytes, 'w');
  ProvenReader reader_{FrameLimits().Allow(FrameType::kMember, kMax), secret_};
  Frame frame_;
  size_t read_ = 0;
};

TEST_F(ProvenReaderTest, AdmitsNothingBehindAProofThatIsNotRight) {
  EXPECT_EQ(Feed(First(wrong_, 100'000)), Result::kWrongProof);
  EXPECT_EQ(read_, ProvenReader::kFirstBytes);
}

TEST_F(ProvenReaderTest, WantsTheRestOfAProofThatComesInPieces) {
  const std::string first = First(wrong_, 100'000);
  for (size_t i = 0; i + 1 < ProvenReader::kFirstBytes; ++i) {
    EXPECT_EQ(reader_.Appetite(), ProvenReader::kFirstBytes - i);
    EXPECT_EQ(Feed(first.substr(i, 1)), Result::kNeedMore);
  }
  EXPECT_EQ(reader_.Appetite(), 1u);
}

TEST_F(ProvenReaderTest, AdmitsAnythingBehindTheRightProof) {
  EXPECT_EQ(Feed(First(secret_.proof(), 100'000)), Result::kFrame);
  EXPECT_EQ(frame_.payload.size(),
            sizeof(uint32_t) + Secret::kProofBytes + 100'000);
  EXPECT_EQ(Feed(First(wrong_, 7)), Result::kFrame) << "proven once";
}

TEST_F(ProvenReaderTest, RefusesAFrameTooShortForAProof) {
  EXPECT_EQ(Feed(EncodeFrame(FrameType::kMember, "short")), Result::kBad);
}

TEST_F(ProvenReaderTest, RefusesWhatIsNoFrame) {
  EXPECT_EQ(Feed(std::string(ProvenReader::kFirstBytes, '?')), Result::kBad);
}

}  // namespace
}  // namespace gasnet::job
