#include "conduits/ofi/incoming_fragments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "conduits/ofi/frame.h"
#include "core/am/fragment.h"
#include "core/am/tuning.h"

namespace gasnet::ofi {
namespace {

using Result = IncomingFragments::Result;
using Taken = IncomingFragments::Taken;

constexpr Rank kRanks = 20;
constexpr uint32_t kPart = 4096;
constexpr uint32_t kParts = am::kMaxMedium / kPart;

class IncomingFragmentsTest : public ::testing::Test {
 protected:
  ~IncomingFragmentsTest() override {
    for (am::Assembly* const each : complete_) fragments_.Release(*each);
  }

  // Takes part `part` of the largest Medium, as a fragment of message `number`.
  Result Take(Rank source, uint32_t number, uint32_t part,
              am::Category category = am::Category::kMedium,
              void* dest = nullptr, Lane lane = Lane::kRequest) {
    alignas(16) std::byte frame[kPart + 256];
    const size_t end =
        am::EncodeFragment(frame, kFrameHeaderBytes,
                           {.category = category,
                            .handler = static_cast<uint8_t>(200 + source),
                            .payload = payload_.data(),
                            .nbytes = payload_.size(),
                            .dest_addr = dest},
                           {number, part * kPart, kPart});
    Taken taken;
    const Result result =
        fragments_.Take(source, lane, {frame, end}, limits_, taken);
    if (result == Result::kTaken) {
      EXPECT_EQ(taken.frame_bytes, end);
      Note(taken);
    }
    return result;
  }
  void Note(const Taken& taken) {
    if (taken.complete != nullptr) complete_.push_back(taken.complete);
  }
  unsigned TakeAllWaiting() {
    unsigned count = 0;
    for (Taken taken; fragments_.TakeWaiting(limits_, taken); ++count) {
      Note(taken);
    }
    return count;
  }
  // Releases the oldest message that is complete.
  void ReleaseOne() {
    fragments_.Release(*complete_.front());
    complete_.erase(complete_.begin());
  }
  // Begins messages, one from each rank, until there is no room for a message.
  // Returns the rank of the message that has no room.
  Rank Fill() {
    for (Rank rank = 0;; ++rank) {
      if (Take(rank, 1, 0) == Result::kWaits) return rank;
    }
  }

  std::vector<std::byte> payload_ =
      std::vector<std::byte>(am::kMaxMedium, std::byte{7});
  am::RecordLimits limits_;
  IncomingFragments fragments_{kRanks, 0};
  std::vector<am::Assembly*> complete_;
};

TEST_F(IncomingFragmentsTest, AMessageIsCompleteWithItsLastFragment) {
  for (uint32_t part = 0; part < kParts; ++part) {
    EXPECT_TRUE(complete_.empty());
    EXPECT_EQ(Take(3, 1, (part + 5) % kParts), Result::kTaken);
  }
  ASSERT_EQ(complete_.size(), 1u);
  const am::Incoming& message = complete_[0]->message;
  EXPECT_EQ(message.source, 3u);
  EXPECT_EQ(message.handler, 203);
  ASSERT_EQ(message.nbytes, payload_.size());
  EXPECT_EQ(std::memcmp(message.payload, payload_.data(), message.nbytes), 0);
}

TEST_F(IncomingFragmentsTest, MessagesOfRanksAndLanesAreApart) {
  for (uint32_t part = 0; part < kParts; ++part) {
    Take(3, 1, part);
    Take(4, 1, part);
    Take(3, 1, part, am::Category::kMedium, nullptr, Lane::kReply);
  }
  EXPECT_EQ(complete_.size(), 3u);
}

TEST_F(IncomingFragmentsTest, WhatFindsNoRoomWaitsUntilThereIsSome) {
  const Rank full = Fill();
  EXPECT_EQ(full, 4u) << "the least room";
  EXPECT_FALSE(fragments_.MayTakeWaiting());
  EXPECT_EQ(TakeAllWaiting(), 0u);
  for (uint32_t part = 1; part < kParts; ++part) {
    EXPECT_EQ(Take(full, 1, part), Result::kWaits);
    EXPECT_EQ(Take(0, 1, part), Result::kTaken);
  }
  EXPECT_EQ(complete_.size(), 1u);
  EXPECT_EQ(TakeAllWaiting(), 0u) << "its handler has not run";
  ReleaseOne();
  EXPECT_TRUE(fragments_.MayTakeWaiting());
  EXPECT_EQ(TakeAllWaiting(), kParts);
  ASSERT_EQ(complete_.size(), 1u);
  EXPECT_EQ(complete_[0]->message.source, full);
  EXPECT_FALSE(fragments_.MayTakeWaiting());
}

// Each lane has its own memory limit, so replies are served while requests
// wait.
TEST_F(IncomingFragmentsTest, RequestsThatWaitDelayNoReply) {
  Fill();
  for (uint32_t part = 0; part < kParts; ++part) {
    EXPECT_EQ(Take(9, 1, part, am::Category::kMedium, nullptr, Lane::kReply),
              Result::kTaken);
  }
  EXPECT_EQ(complete_.size(), 1u);
}

// Fragments of messages that have begun wait behind fragments of messages that
// still have no room. In the end all messages are complete.
TEST_F(IncomingFragmentsTest, EverythingThatWaitsIsCompleteInTheEnd) {
  const Rank full = Fill();
  std::set<Rank> heard;
  for (uint32_t part = 1; part < kParts; ++part) {
    for (Rank rank = full; rank < kRanks; ++rank) {
      EXPECT_EQ(Take(rank, 1, part), Result::kWaits);
    }
  }
  for (Rank rank = full + 1; rank < kRanks; ++rank) {
    EXPECT_EQ(Take(rank, 1, 0), Result::kWaits);
  }
  for (Rank rank = 0; rank < full; ++rank) {
    for (uint32_t part = 1; part < kParts; ++part) {
      EXPECT_EQ(Take(rank, 1, part), Result::kTaken);
    }
  }
  for (int i = 0; i < 100 && !complete_.empty(); ++i) {
    heard.insert(complete_.front()->message.source);
    ReleaseOne();
    TakeAllWaiting();
  }
  EXPECT_EQ(heard.size(), kRanks);
}

// New frames do not overtake waiting ones. If they did, a rank that never stops
// sending would starve all other ranks.
TEST_F(IncomingFragmentsTest, WhatWaitsIsNotOvertaken) {
  const Rank full = Fill();
  for (uint32_t part = 1; part < kParts; ++part) Take(0, 1, part);
  ReleaseOne();
  EXPECT_EQ(Take(0, 2, 0), Result::kWaits);
  EXPECT_EQ(TakeAllWaiting(), 1u) << "there is room for one";
  for (uint32_t part = 1; part < kParts; ++part) {
    EXPECT_EQ(Take(full, 1, part), Result::kTaken);
  }
  EXPECT_EQ(complete_.size(), 1u);
}

TEST_F(IncomingFragmentsTest, AFragmentOfAnotherMessageIsMalformed) {
  EXPECT_EQ(Take(0, 1, 0), Result::kTaken);
  payload_.resize(am::kMaxMedium - 16);
  EXPECT_EQ(Take(0, 1, 1), Result::kMalformed) << "of another length";
  payload_.resize(am::kMaxMedium + kPart);
  EXPECT_EQ(Take(0, 2, 0), Result::kMalformed) << "too long";
}

TEST_F(IncomingFragmentsTest, ALongIsPutInPlaceInsideOfTheSegment) {
  std::vector<std::byte> segment(am::kMaxMedium);
  limits_.segments[0] = {reinterpret_cast<uintptr_t>(segment.data()),
                         segment.size()};
  for (uint32_t part = 0; part < kParts; ++part) {
    Take(0, 1, part, am::Category::kLong, segment.data());
  }
  ASSERT_EQ(complete_.size(), 1u);
  EXPECT_EQ(complete_[0]->message.payload, segment.data());
  EXPECT_EQ(segment, payload_);
  EXPECT_DEATH(Take(1, 1, 0, am::Category::kLong, segment.data() + 1),
               "Long active message from rank 1: .* outside this rank");
}

}  // namespace
}  // namespace gasnet::ofi
