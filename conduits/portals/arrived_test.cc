// Tests how messages are decoded: valid and malformed ones, and Longs that
// arrive in two halves.
#include "conduits/portals/arrived.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "conduits/portals/long_reassembly.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr size_t kBytes = 2048;

class ArrivedTest : public ::testing::Test {
 protected:
  ArrivedTest() {
    segment_ = {reinterpret_cast<uintptr_t>(memory_.data()), memory_.size()};
  }

  std::string WhyNot(const PortalsHeader& header, size_t nbytes) {
    const char* const why =
        Read(header, body_.data(), nbytes, segment_, arrived_);
    return why == nullptr ? "" : why;
  }
  void Store(size_t at, uint64_t value) {
    std::memcpy(&body_[at], &value, sizeof value);
  }

  alignas(16) std::array<std::byte, kBytes> body_{};
  std::array<std::byte, 256> memory_{};
  Segment segment_;
  Arrived arrived_;
};

TEST_F(ArrivedTest, TheFirstArgumentIsInTheHeaderAndTheOthersFollow) {
  const int32_t others[] = {-2, 3};
  std::memcpy(body_.data(), others, sizeof others);
  EXPECT_EQ(
      WhyNot({.shape = MessageShape::kShort, .num_args = 3, .word = 1}, 16),
      "");
  const am::Incoming incoming = IncomingOf(4, am::Lane::kRequest, arrived_);
  EXPECT_EQ(incoming.category, am::Category::kShort);
  EXPECT_EQ(incoming.source, 4u);
  EXPECT_EQ(incoming.args[0], 1);
  EXPECT_EQ(incoming.args[1], -2);
  EXPECT_EQ(incoming.args[2], 3);
}

TEST_F(ArrivedTest, APackedLongIsPutInItsPlace) {
  const PortalsHeader header = {.shape = MessageShape::kPackedLong,
                                .payload = 8};
  const BodyLayout layout = BodyLayout::Of(header.shape, 0, 8);
  Store(layout.dest, segment_.base + 100);
  Store(layout.payload, 0x0123456789abcdef);
  EXPECT_EQ(WhyNot(header, layout.end), "");
  EXPECT_EQ(arrived_.payload, &memory_[100]);
  EXPECT_EQ(std::memcmp(&memory_[100], &body_[layout.payload], 8), 0);
}

TEST_F(ArrivedTest, ALongInPlaceNeedsNoOtherHalf) {
  const PortalsHeader header = {.form = Form::kInPlace,
                                .shape = MessageShape::kLong};
  const BodyLayout layout = BodyLayout::Of(header.shape, 0, 0);
  Store(layout.dest, segment_.base + 100);
  Store(layout.size, memory_.size() - 100);
  EXPECT_EQ(WhyNot(header, layout.end), "");
  EXPECT_EQ(arrived_.payload, &memory_[100]);
  EXPECT_EQ(arrived_.nbytes, memory_.size() - 100);
  EXPECT_FALSE(HasHalves(header));
  EXPECT_TRUE(HasHalves({.shape = MessageShape::kLong}));
  Store(layout.size, memory_.size() - 99);
  EXPECT_NE(WhyNot(header, layout.end), "");
  EXPECT_NE(WhyNot({.form = Form::kInPlace, .shape = MessageShape::kShort}, 0),
            "");
}

TEST_F(ArrivedTest, WhatLiesOutsideOfTheSegmentIsNotTaken) {
  const PortalsHeader header = {.shape = MessageShape::kPackedLong,
                                .payload = 8};
  const BodyLayout layout = BodyLayout::Of(header.shape, 0, 8);
  Store(layout.dest, segment_.base + memory_.size() - 7);
  EXPECT_NE(WhyNot(header, layout.end), "");
  Store(layout.dest, segment_.base + memory_.size() - 8);
  EXPECT_EQ(WhyNot(header, layout.end), "");
}

TEST_F(ArrivedTest, WhatNoRankSendsIsNotTaken) {
  EXPECT_NE(WhyNot({.form = Form::kLongData}, 0), "");
  EXPECT_NE(WhyNot({.shape = MessageShape::kShort, .num_args = 17}, 64), "");
  EXPECT_EQ(WhyNot({.shape = MessageShape::kShort, .num_args = 16}, 64), "");
  EXPECT_NE(WhyNot({.shape = MessageShape::kMedium, .payload = 100}, 96), "");
  EXPECT_NE(WhyNot({.shape = MessageShape::kMedium, .payload = 100}, 128), "");
  EXPECT_EQ(WhyNot({.shape = MessageShape::kMedium, .payload = 100}, 112), "");
  EXPECT_NE(WhyNot({.shape = MessageShape::kShort, .payload = 16}, 16), "");
}

TEST_F(ArrivedTest, APayloadThatIsFetchedIsNamed) {
  const PortalsHeader header = {.shape = MessageShape::kMedium,
                                .is_fetched = true};
  const BodyLayout layout = BodyLayout::Of(header.shape, 0, 0, true);
  Store(layout.size, uint64_t{3} << 32 | kFetchedBytes);
  EXPECT_EQ(WhyNot(header, layout.end), "");
  EXPECT_EQ(arrived_.offer, 3u);
  EXPECT_EQ(arrived_.nbytes, kFetchedBytes);
  Store(layout.size, uint64_t{3} << 32 | (kFetchedBytes + 1));
  EXPECT_NE(WhyNot(header, layout.end), "") << "too large";
  Store(layout.size, uint64_t{3} << 32);
  EXPECT_NE(WhyNot(header, layout.end), "") << "empty";
  Store(layout.size, uint64_t{kLanes * kOffersEach} << 32 | 100);
  EXPECT_NE(WhyNot(header, layout.end), "") << "no offer";
  Store(layout.size, uint64_t{kLanes * kOffersEach - 1} << 32 | 100);
  EXPECT_EQ(WhyNot(header, layout.end), "");
  EXPECT_NE(WhyNot(header, layout.end + 16), "");
  for (const MessageShape shape : {MessageShape::kShort, MessageShape::kLong}) {
    EXPECT_NE(WhyNot({.shape = shape, .is_fetched = true},
                     BodyLayout::Of(shape, 0, 0, true).end),
              "");
  }
  const PortalsHeader both = {
      .shape = MessageShape::kMedium, .payload = 16, .is_fetched = true};
  EXPECT_NE(WhyNot(both, BodyLayout::Of(both.shape, 0, 16, true).end), "");
}

TEST_F(ArrivedTest, ALongThatIsFetchedGoesNowhereElse) {
  const PortalsHeader header = {.shape = MessageShape::kPackedLong,
                                .is_fetched = true};
  const BodyLayout layout = BodyLayout::Of(header.shape, 0, 0, true);
  Store(layout.size, memory_.size());
  Store(layout.dest, segment_.base);
  const std::array<std::byte, 256> before = memory_;
  EXPECT_EQ(WhyNot(header, layout.end), "");
  EXPECT_EQ(arrived_.payload, memory_.data());
  EXPECT_EQ(memory_, before) << "it is not here yet";
  Store(layout.dest, segment_.base + 1);
  EXPECT_NE(WhyNot(header, layout.end), "");
}

class LongReassemblyTest : public ::testing::Test {
 protected:
  LongReassemblyTest() {
    header_.header.handler = 200;
    header_.payload = place_.data();
    header_.nbytes = place_.size();
    payload_.payload = place_.data();
    payload_.nbytes = place_.size();
  }

  std::optional<Arrived> Join(const LongReassembly::Name& name,
                              LongReassembly::Which which) {
    const bool is_header = which == LongReassembly::Which::kHeader;
    return long_reassembly_.Join(name, which, is_header ? header_ : payload_,
                                 why_);
  }

  std::array<std::byte, 64> place_;
  Arrived header_ = {};
  Arrived payload_ = {};
  LongReassembly long_reassembly_;
  const char* why_ = nullptr;
};

TEST_F(LongReassemblyTest, EitherHalfMayComeFirst) {
  for (const auto first :
       {LongReassembly::Which::kHeader, LongReassembly::Which::kPayload}) {
    const auto second = first == LongReassembly::Which::kHeader
                            ? LongReassembly::Which::kPayload
                            : LongReassembly::Which::kHeader;
    EXPECT_FALSE(Join({1, Lane::kRequest, 5}, first).has_value());
    const std::optional<Arrived> whole = Join({1, Lane::kRequest, 5}, second);
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(whole->header.handler, 200);
    EXPECT_TRUE(long_reassembly_.IsEmpty());
  }
}

TEST_F(LongReassemblyTest, OnlyWhatBelongsTogetherIsJoined) {
  EXPECT_FALSE(Join({1, Lane::kRequest, ~0u}, LongReassembly::Which::kHeader)
                   .has_value());
  for (const LongReassembly::Name& other :
       {LongReassembly::Name{2, Lane::kRequest, ~0u},
        LongReassembly::Name{1, Lane::kReply, ~0u},
        LongReassembly::Name{1, Lane::kRequest, 0}}) {
    EXPECT_FALSE(Join(other, LongReassembly::Which::kPayload).has_value());
    EXPECT_EQ(why_, nullptr);
  }
  EXPECT_TRUE(Join({1, Lane::kRequest, ~0u}, LongReassembly::Which::kPayload)
                  .has_value());
}

TEST_F(LongReassemblyTest, AHalfTwiceOrAnotherPlaceIsMalformed) {
  Join({1, Lane::kRequest, 1}, LongReassembly::Which::kHeader);
  EXPECT_FALSE(Join({1, Lane::kRequest, 1}, LongReassembly::Which::kHeader));
  EXPECT_NE(why_, nullptr);
  payload_.nbytes -= 1;
  EXPECT_FALSE(Join({1, Lane::kRequest, 1}, LongReassembly::Which::kPayload));
  EXPECT_NE(why_, nullptr);
}

}  // namespace
}  // namespace gasnet::portals_conduit
