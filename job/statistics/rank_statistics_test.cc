#include "job/statistics/rank_statistics.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max();
constexpr uint64_t kMaxCount = std::numeric_limits<uint64_t>::max();

// Returns statistics whose fields all differ. Its peers have the order that
// Encode gives them.
RankStatistics Example() {
  return {.elapsed = 0x0123'4567'89ab'cdef,
          .handlers = 0xfedc'ba98'7654'3210,
          .calls = {{.name = "gasnet_put",
                     .calls = 1,
                     .bytes = 0x1'0000'0002,
                     .nanos = 3,
                     .waiting = 4},
                    {.name = "gex_AM_RequestShort0", .nanos = kMaxTime}},
          .waits = {{.what = WaitFor::kLast, .count = 5, .nanos = 6},
                    {.what = WaitFor::kAnything, .nanos = kMaxTime}},
          .network = {{.name = "packets_sent", .count = kMaxCount},
                      {.name = "packets_repeated"}},
          .peers = {{.peer = 7, .operations = 1, .bytes = kMaxCount},
                    {.peer = 65534, .operations = 9, .bytes = 10},
                    {.peer = 2, .operations = 8, .bytes = 10},
                    {.peer = 3, .operations = 8, .bytes = 10}},
          .other_operations = 11,
          .other_bytes = 12};
}

bool IsRefused(std::string_view bytes) {
  RankStatistics decoded = {.elapsed = 99};
  const RankStatistics before = decoded;
  return !Decode(bytes, decoded) && decoded == before;
}

RankStatistics RoundTrip(const RankStatistics& statistics) {
  RankStatistics decoded;
  EXPECT_TRUE(Decode(Encode(statistics), decoded));
  return decoded;
}

RankStatistics WithName(const std::string& name) {
  return {.calls = {{.name = name}}};
}

// Returns the encoding with the 32-bit number at offset `at` replaced.
std::string With(std::string bytes, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<char>(value >> 8 * i);
  }
  return bytes;
}

TEST(RankStatisticsTest, AreDecodedToTheSame) {
  EXPECT_EQ(RoundTrip({}), RankStatistics());
  EXPECT_EQ(RoundTrip(Example()), Example());
}

TEST(RankStatisticsTest, DecodingReplacesAllThatWasThere) {
  RankStatistics decoded = Example();
  ASSERT_TRUE(Decode(Encode({}), decoded));
  EXPECT_EQ(decoded, RankStatistics());
}

TEST(RankStatisticsTest, CutOrExtendedAnywhereTheyAreRefused) {
  const std::string bytes = Encode(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_TRUE(IsRefused(bytes.substr(0, size))) << size;
  }
  for (size_t more = 1; more <= 64; ++more) {
    EXPECT_TRUE(IsRefused(bytes + std::string(more, '\0'))) << more;
  }
}

TEST(RankStatisticsTest, TheBusiestPeersAreFirstAndIdleOnesLeftOut) {
  const RankStatistics decoded =
      RoundTrip({.peers = {{.peer = 1, .operations = 1},
                           {.peer = 2},
                           {.peer = 3, .operations = 1, .bytes = 7},
                           {.peer = 4, .operations = 2, .bytes = 7}}});
  ASSERT_EQ(decoded.peers.size(), 3u);
  EXPECT_EQ(decoded.peers[0].peer, 4u);
  EXPECT_EQ(decoded.peers[1].peer, 3u);
  EXPECT_EQ(decoded.peers[2].peer, 1u);
  EXPECT_EQ(decoded.other_operations, 0u);
}

// Returns statistics with as many calls and waits as possible.
RankStatistics Largest() {
  RankStatistics statistics = Example();
  while (statistics.calls.size() < kMaxCalls) {
    statistics.calls.push_back({.name = std::string(kMaxNameBytes, 'x')});
  }
  while (statistics.waits.size() <= static_cast<size_t>(WaitFor::kLast)) {
    statistics.waits.push_back({});
  }
  while (statistics.network.size() < kMaxNetworkCounts) {
    statistics.network.push_back({.name = std::string(kMaxNameBytes, 'n')});
  }
  return statistics;
}

TEST(RankStatisticsTest, PeersThatDoNotFitAreAddedToTheOthers) {
  RankStatistics statistics = Largest();
  statistics.peers.clear();
  uint64_t bytes = statistics.other_bytes;
  for (uint32_t peer = 0; peer < kMaxNodes; ++peer) {
    statistics.peers.push_back(
        {.peer = peer, .operations = 1, .bytes = peer + 1});
    bytes += peer + 1;
  }
  const std::string encoded = Encode(statistics);
  EXPECT_LE(encoded.size(), kMaxStatisticsBytes);
  EXPECT_GT(encoded.size(), kMaxStatisticsBytes - 20) << "one more would fit";
  RankStatistics decoded;
  ASSERT_TRUE(Decode(encoded, decoded));
  EXPECT_EQ(decoded.calls, statistics.calls);
  EXPECT_EQ(decoded.waits, statistics.waits);
  ASSERT_GT(decoded.peers.size(), 5000u);
  for (size_t i = 0; i < decoded.peers.size(); ++i) {
    ASSERT_EQ(decoded.peers[i].peer, kMaxNodes - 1 - i);
    bytes -= decoded.peers[i].bytes;
  }
  EXPECT_EQ(decoded.other_operations,
            statistics.other_operations + kMaxNodes - decoded.peers.size());
  EXPECT_EQ(decoded.other_bytes, bytes);
}

TEST(RankStatisticsTest, SumsOfPeersThatDoNotFitDoNotOverflow) {
  RankStatistics statistics = {.other_operations = kMaxCount - 5};
  for (uint32_t peer = 0; peer < kMaxNodes; ++peer) {
    statistics.peers.push_back(
        {.peer = peer, .operations = 1, .bytes = kMaxCount / 2});
  }
  EXPECT_EQ(RoundTrip(statistics).other_operations, kMaxCount);
  EXPECT_EQ(RoundTrip(statistics).other_bytes, kMaxCount);
}

TEST(RankStatisticsTest, ANegativeTimeIsSentAs0AndRefusedFromOthers) {
  const RankStatistics decoded =
      RoundTrip({.elapsed = -1,
                 .calls = {{.name = "f", .nanos = -1, .waiting = -1}},
                 .waits = {{.nanos = -1}}});
  EXPECT_EQ(decoded.elapsed, 0);
  EXPECT_EQ(decoded.calls[0].nanos, 0);
  EXPECT_EQ(decoded.calls[0].waiting, 0);
  EXPECT_EQ(decoded.waits[0].nanos, 0);

  // Replaces the upper half of each time in turn, so that the time is negative.
  const std::string empty = Encode({});
  EXPECT_TRUE(IsRefused(With(empty, 4, 1u << 31)));
  const std::string call = Encode(WithName("f"));
  const size_t first_number = 8 + 8 + 4 + 4 + 1;
  EXPECT_TRUE(IsRefused(With(call, first_number + 20, 1u << 31))) << "nanos";
  EXPECT_TRUE(IsRefused(With(call, first_number + 28, 1u << 31))) << "waiting";
  EXPECT_FALSE(IsRefused(With(call, first_number + 12, 1u << 31))) << "bytes";
  const std::string wait = Encode({.waits = {{}}});
  const size_t first_wait = 8 + 8 + 4 + 4;
  EXPECT_TRUE(IsRefused(With(wait, first_wait + 16, 1u << 31)));
}

TEST(RankStatisticsTest, OnlyNamesOfFunctionsAreNames) {
  for (const std::string& name : {std::string("a"), std::string("Az_09"),
                                  std::string(kMaxNameBytes, 'z')}) {
    EXPECT_EQ(RoundTrip(WithName(name)), WithName(name));
  }
  for (const std::string& name :
       {std::string(), std::string("a b"), std::string("<a>"),
        std::string("a\n"), std::string("a\0b", 3), std::string("\xc3\xa4"),
        std::string(kMaxNameBytes + 1, 'z')}) {
    EXPECT_TRUE(IsRefused(Encode(WithName(name)))) << name;
    EXPECT_TRUE(IsRefused(Encode({.network = {{.name = name}}}))) << name;
  }
}

TEST(RankStatisticsTest, ReasonsAreKnown) {
  const std::string wait = Encode({.waits = {{.what = WaitFor::kLast}}});
  const size_t what = 8 + 8 + 4 + 4;
  const auto last = static_cast<uint32_t>(WaitFor::kLast);
  EXPECT_FALSE(IsRefused(With(wait, what, last)));
  EXPECT_TRUE(IsRefused(With(wait, what, last + 1)));
  EXPECT_TRUE(IsRefused(With(wait, what, ~uint32_t{0})));
}

TEST(RankStatisticsTest, MoreElementsThanPossibleAreRefused) {
  EXPECT_FALSE(IsRefused(Encode(Largest())));
  RankStatistics calls = Largest();
  calls.calls.push_back({.name = "f"});
  EXPECT_TRUE(IsRefused(Encode(calls)));
  RankStatistics waits = Largest();
  waits.waits.push_back({});
  EXPECT_TRUE(IsRefused(Encode(waits)));
  RankStatistics network = Largest();
  network.network.push_back({.name = "n"});
  EXPECT_TRUE(IsRefused(Encode(network)));
  // The offsets of the numbers of calls, waits, network counts and peers. All
  // four numbers are 0.
  const std::string none = Encode({});
  for (const size_t at :
       {size_t{16}, size_t{20}, size_t{24}, none.size() - 4}) {
    for (const uint32_t count : {1u, kMaxNodes + 1, ~uint32_t{0}}) {
      EXPECT_TRUE(IsRefused(With(none, at, count))) << at << " " << count;
    }
  }
}

TEST(RankStatisticsTest, TooManyBytesAreRefused) {
  EXPECT_TRUE(IsRefused(std::string(kMaxStatisticsBytes + 1, '\0')));
}

}  // namespace
}  // namespace gasnet::job
