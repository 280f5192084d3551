// Tests of active messages among ranks that share memory, one rank at a time.
#include "core/hostshm/host_link.h"
#include "base/cache_line.h"

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/hostshm/link_test_host.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Category;
using am::Lane;
using am::Lanes;
using am::Message;
using am::Post;

constexpr uint8_t kFirst = am::kFirstClientHandler;

struct Received {
  Rank source;
  bool is_request;
  std::vector<int32_t> args;
  unsigned char* at;
  std::vector<unsigned char> payload;
};
std::vector<Received>& Inbox() {
  static std::vector<Received> inbox;
  return inbox;
}

void Note(void* token, void* at, size_t nbytes, std::vector<int32_t> args) {
  const auto& from = *static_cast<am::Token*>(token);
  auto* const bytes = static_cast<unsigned char*>(at);
  Inbox().push_back({from.source, from.is_request, std::move(args), bytes,
                     std::vector<unsigned char>(bytes, bytes + nbytes)});
}

template <size_t>
using Arg = int32_t;

// Registers the Short and the payload handler of each number of arguments.
template <size_t... I>
void Register(am::HandlerTable& table, std::index_sequence<I...>) {
  using Short = void(void*, Arg<I>...);
  using WithPayload = void(void*, void*, size_t, Arg<I>...);
  Short* const on_short = [](void* token, Arg<I>... args) {
    Note(token, nullptr, 0, {args...});
  };
  WithPayload* const on_payload = [](void* token, void* at, size_t nbytes,
                                     Arg<I>... args) {
    Note(token, at, nbytes, {args...});
  };
  const auto index = static_cast<uint8_t>(kFirst + sizeof...(I));
  table.RegisterClient(index, reinterpret_cast<am::AnyHandler>(on_short));
  table.RegisterClient(index + 20,
                       reinterpret_cast<am::AnyHandler>(on_payload));
}
template <size_t... N>
void RegisterAll(am::HandlerTable& table, std::index_sequence<N...>) {
  (Register(table, std::make_index_sequence<N>()), ...);
}

struct Host : TestHost {
  explicit Host(uint32_t ranks, bool mapped = true) : TestHost(ranks, mapped) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      RegisterAll(engine(rank).handlers(),
                  std::make_index_sequence<am::kMaxArgs + 1>());
    }
    Inbox().clear();
  }
};

Message MakeMessage(Category category, const std::vector<int32_t>& args,
                    const std::vector<unsigned char>& payload, void* dest) {
  const size_t handler =
      kFirst + args.size() + (category == Category::kShort ? 0 : 20);
  return {.category = category,
          .handler = static_cast<uint8_t>(handler),
          .num_args = static_cast<uint8_t>(args.size()),
          .args = args.data(),
          .payload = payload.data(),
          .nbytes = payload.size(),
          .dest_addr = dest};
}

std::vector<unsigned char> Pattern(size_t bytes) {
  std::vector<unsigned char> pattern(bytes);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(bytes));
  return pattern;
}

class Copied : public am::GatherSource {
 public:
  explicit Copied(const std::vector<unsigned char>& from) : from_(from) {}
  void GatherTo(std::byte* to) const override {
    std::memcpy(to, from_.data(), from_.size());
  }

 private:
  const std::vector<unsigned char>& from_;
};

void Exchange(Host& host, Lane lane, Category category, unsigned num_args,
              size_t nbytes, bool gathers = false) {
  std::vector<int32_t> args(num_args);
  std::iota(args.begin(), args.end(), -3);
  const auto payload = Pattern(nbytes);
  unsigned char* const dest = host.SegmentOf(1) + 64;
  Message message = MakeMessage(category, args, payload, dest);
  const Copied source(payload);
  if (gathers) {
    message.payload = nullptr;
    message.gather = &source;
  }
  ASSERT_EQ(host.link(0).Send(1, lane, message), Post::kDone);
  Inbox().clear();
  ASSERT_EQ(host.engine(1).Poll(), 1u);
  ASSERT_EQ(Inbox().size(), 1u);
  const Received& got = Inbox()[0];
  EXPECT_EQ(got.source, 0u);
  EXPECT_EQ(got.is_request, lane == Lane::kRequest);
  EXPECT_EQ(got.args, args);
  EXPECT_EQ(got.payload, payload);
  if (category == Category::kLong) {
    EXPECT_EQ(got.at, dest);
  } else if (nbytes > 0) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(got.at) % 16, 0u);
  }
}

// The parameter is true if Longs go directly to their destination, false if
// they travel with the message.
class EveryMessage : public testing::TestWithParam<bool> {};

TEST_P(EveryMessage, Arrives) {
  Host host(2, GetParam());
  const size_t most = host.link(0).MaxMedium();
  for (unsigned num_args = 0; num_args <= am::kMaxArgs; ++num_args) {
    for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
      Exchange(host, lane, Category::kShort, num_args, 0);
      for (const Category category : {Category::kMedium, Category::kLong}) {
        for (const size_t bytes :
             {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{16},
              size_t{47}, size_t{48}, size_t{49}, size_t{64}, size_t{4096},
              most - 1, most}) {
          SCOPED_TRACE(testing::Message()
                       << num_args << " arguments, " << bytes << " bytes");
          Exchange(host, lane, category, num_args, bytes);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_P(EveryMessage, MayBeGathered) {
  Host host(2, GetParam());
  for (const size_t bytes : {am::kMaxSmall + 1, host.link(0).MaxMedium()}) {
    Exchange(host, Lane::kRequest, Category::kMedium, 3, bytes, true);
  }
}
INSTANTIATE_TEST_SUITE_P(Mapped, EveryMessage, testing::Bool());

// Builds a payload in the link's memory (nbytes of `room` bytes) and sends it
// after another message. Only a payload that fits the cell is copied.
void ExchangePrepared(Host& host, Lane lane, unsigned num_args, size_t room,
                      size_t nbytes) {
  HostLink& link = host.link(0);
  unsigned char* const place = link.Prepare(1, lane, num_args, room);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 16, 0u);
  const auto payload = Pattern(nbytes);
  std::copy(payload.begin(), payload.end(), place);
  const auto other = Pattern(5000);
  ASSERT_EQ(link.Send(1, lane, MakeMessage(Category::kMedium, {}, other, {})),
            Post::kDone);
  const std::vector<int32_t> args(num_args, -3);
  Message message = MakeMessage(Category::kMedium, args, payload, nullptr);
  message.payload = place;
  ASSERT_EQ(link.Send(1, lane, message), Post::kDone);
  link.EndPrepared(1, lane, num_args, place);
  Inbox().clear();
  ASSERT_EQ(host.engine(1).Poll(), 2u);
  ASSERT_EQ(Inbox().size(), 2u);
  EXPECT_EQ(Inbox()[0].payload, other);
  EXPECT_EQ(Inbox()[1].args, args);
  EXPECT_EQ(Inbox()[1].payload, payload);
  EXPECT_EQ(Inbox()[1].at == place, nbytes > 48 || num_args > 14);
}

TEST(HostLink, APreparedPayloadStaysWhereItWasMade) {
  Host host(2);
  for (const unsigned num_args : {0u, 2u, 14u, 15u, 16u}) {
    for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
      for (const size_t room : {size_t{100}, host.link(0).MaxMedium()}) {
        for (const size_t nbytes : {size_t{1}, size_t{99}, room}) {
          if (num_args == 14 && nbytes == 1) continue;
          ExchangePrepared(host, lane, num_args, room, nbytes);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(HostLink, WhatFitsACellIsNotPrepared) {
  Host host(2);
  EXPECT_EQ(host.link(0).Prepare(1, Lane::kRequest, 2, 48), nullptr);
  EXPECT_NE(host.link(0).Prepare(1, Lane::kRequest, 2, 49), nullptr);
}

TEST(HostLink, LongsAreAsLongAsTheSegmentOnlyWhereItIsMapped) {
  Host mapped(2, true), carried(2, false);
  EXPECT_GE(mapped.link(0).MaxLong(Lane::kRequest), TestHost::kSegmentBytes);
  EXPECT_EQ(carried.link(0).MaxLong(Lane::kRequest),
            carried.link(0).MaxMedium());
  const auto payload = Pattern(TestHost::kSegmentBytes);
  ASSERT_EQ(mapped.link(0).Send(
                1, Lane::kRequest,
                MakeMessage(Category::kLong, {}, payload, mapped.SegmentOf(1))),
            Post::kDone);
  mapped.engine(1).Poll();
  ASSERT_EQ(Inbox().size(), 1u);
  EXPECT_TRUE(Inbox()[0].payload == payload);
}

TEST(HostLink, TranslatesJobRanks) {
  const Layout layout(2);
  Host host(2);
  HostLink links[2];
  const Rank job_ranks[] = {3, 7};
  for (uint32_t i : {0, 1}) links[i].Init(host.base(), layout, i, job_ranks, 9);
  EXPECT_TRUE(links[0].Reaches(7));
  EXPECT_FALSE(links[0].Reaches(0));
  EXPECT_FALSE(links[0].Reaches(8));
  ASSERT_EQ(links[0].Send(7, Lane::kRequest,
                          MakeMessage(Category::kShort, {}, {}, nullptr)),
            Post::kDone);
  am::Progress progress;
  am::Engine<HostLink> engine(links[1], progress);
  RegisterAll(engine.handlers(), std::make_index_sequence<1>());
  ASSERT_EQ(engine.Poll(), 1u);
  EXPECT_EQ(Inbox().at(0).source, 3u);
}

TEST(HostLink, FullRingAnswersRetryUntilTheReceiverPolls) {
  Host host(2);
  const auto payload = Pattern(1000);
  const Message message = MakeMessage(Category::kMedium, {}, payload, nullptr);
  for (int round = 0; round < 100; ++round) {
    uint32_t sent = 0;
    while (host.link(0).Send(1, Lane::kRequest, message) == Post::kDone) {
      ASSERT_LE(++sent, kCells);
    }
    EXPECT_EQ(host.link(0).Send(1, Lane::kReply, message), Post::kDone)
        << "the other lane has room";
    uint32_t handled = 0;
    while (const unsigned n = host.engine(1).Poll()) handled += n;
    ASSERT_EQ(handled, sent + 1);
  }
}

TEST(HostLink, PollOfRepliesLeavesRequests) {
  for (const uint32_t ranks : {2u, 20u}) {
    Host host(ranks);
    const Message message = MakeMessage(Category::kShort, {}, {}, nullptr);
    host.link(0).Send(1, Lane::kRequest, message);
    host.link(0).Send(1, Lane::kReply, message);
    am::Dispatcher dispatcher;
    RegisterAll(dispatcher.handlers(), std::make_index_sequence<1>());
    EXPECT_EQ(host.link(1).Poll(Lanes::kReplies, dispatcher), 1u);
    EXPECT_FALSE(Inbox().at(0).is_request);
    EXPECT_EQ(host.link(1).Poll(Lanes::kReplies, dispatcher), 0u);
    EXPECT_EQ(host.link(1).Poll(Lanes::kAll, dispatcher), 1u);
  }
}

TEST(HostLink, ManyRanksFindEveryMessageOfEverySource) {
  constexpr uint32_t kRanks = 70;  // more ranks than a word of pending bits has
  Host host(kRanks);
  ASSERT_FALSE(host.layout().direct_poll());
  EXPECT_FALSE(host.link(69).HasMessages());
  uint32_t sent = 0;
  for (Rank source = 0; source < kRanks; ++source) {
    // Sends more messages than one poll takes from one ring.
    for (int32_t i = 0; i < 40; ++i, ++sent) {
      const std::vector<int32_t> args{i};
      ASSERT_EQ(host.link(source).Send(
                    69, Lane::kRequest,
                    MakeMessage(Category::kShort, args, {}, nullptr)),
                Post::kDone);
    }
  }
  while (host.link(69).HasMessages()) host.engine(69).Poll();
  ASSERT_EQ(Inbox().size(), sent);
  std::vector<int32_t> next(kRanks);
  for (const Received& got : Inbox()) {
    ASSERT_EQ(got.args.at(0), next[got.source]++) << "rank " << got.source;
  }
}

// Returns the cell of the first message from rank 2 to rank 0.
unsigned char* FirstCell(const Host& host) {
  return host.base() + host.layout().cells_at(0, 2, Lane::kRequest) +
         Layout::first_cell(0, 2, Lane::kRequest) * kCacheLine;
}

// Sends one Medium from rank 2 to rank 0, and changes the header of its cell.
void Corrupt(uint64_t set, uint64_t clear) {
  Host host(3);
  const auto payload = Pattern(100);
  host.link(2).Send(0, Lane::kRequest,
                    MakeMessage(Category::kMedium, {}, payload, nullptr));
  auto& header = *reinterpret_cast<std::atomic<uint64_t>*>(FirstCell(host));
  header = (header & ~clear) | set;
  host.engine(0).Poll();
}

TEST(HostLinkDeathTest, CorruptHeaderNamesTheRank) {
  const char* const why = "written by rank 2 is corrupt";
  EXPECT_DEATH(Corrupt(uint64_t{17} << 16, 0), why) << "17 arguments";
  EXPECT_DEATH(Corrupt(uint64_t{255} << 16, 0), why) << "255 arguments";
  EXPECT_DEATH(Corrupt(uint64_t{3} << 24, 0), why) << "no such category";
  EXPECT_DEATH(Corrupt(0, uint64_t{1} << 26), why) << "spilled or not";
  EXPECT_DEATH(Corrupt(uint64_t{0xffffffff} << 32, 0), why) << "too long";
}

TEST(HostLinkDeathTest, CorruptBlockOffsetNamesTheRank) {
  for (const uint64_t offset :
       {uint64_t{1}, uint64_t{Layout(3).blocks_bytes()}, ~uint64_t{63}}) {
    const auto corrupt = [&] {
      Host host(3);
      const auto payload = Pattern(100);
      host.link(2).Send(0, Lane::kRequest,
                        MakeMessage(Category::kMedium, {}, payload, nullptr));
      memcpy(FirstCell(host) + 8, &offset, sizeof(offset));
      host.engine(0).Poll();
    };
    EXPECT_DEATH(corrupt(), "written by rank 2 is corrupt") << offset;
  }
}

void SendLongOutside(ptrdiff_t offset, size_t bytes) {
  Host host(3, false);
  const auto payload = Pattern(bytes);
  host.link(2).Send(
      0, Lane::kRequest,
      MakeMessage(Category::kLong, {}, payload, host.SegmentOf(0) + offset));
  host.engine(0).Poll();
}

TEST(HostLinkDeathTest, LongOutsideTheSegmentNamesTheRank) {
  const char* const why = "Long active message from rank 2: .* is outside";
  EXPECT_DEATH(SendLongOutside(-1, 8), why);
  EXPECT_DEATH(SendLongOutside(TestHost::kSegmentBytes - 7, 8), why);
  EXPECT_DEATH(SendLongOutside(TestHost::kSegmentBytes, 1), why);
  SendLongOutside(TestHost::kSegmentBytes - 8, 8);
  EXPECT_EQ(Inbox().size(), 1u);
}

TEST(HostLinkDeathTest, PayloadBeyondTheAreaDiesAtTheSender) {
  Host host(2);
  const auto payload = Pattern(host.layout().payload_bytes() + 1);
  EXPECT_DEATH(
      host.link(0).Send(1, Lane::kRequest,
                        MakeMessage(Category::kMedium, {}, payload, nullptr)),
      "active message of [0-9]+ bytes to rank 1");
}

TEST(HostLinkDeathTest, WhatIsTooLongIsNamedWithItsLimit) {
  Host host(2, false);
  const size_t most = host.link(0).MaxMedium();
  const std::vector<unsigned char> payload(512 << 10);
  const auto send = [&](Category category) {
    host.link(0).Send(1, Lane::kRequest,
                      MakeMessage(category, {}, payload, host.SegmentOf(1)));
  };
  const std::string limit = "the limit is " + std::to_string(most);
  EXPECT_DEATH(send(Category::kMedium), "Medium.*524288 bytes.*" + limit);
  EXPECT_DEATH(send(Category::kLong), "Long.*524288 bytes.*" + limit);
}

// A header has 32 bits for the length, so a longer payload must be refused.
TEST(HostLinkDeathTest, NoLengthIsCut) {
  Host host(2);
  const am::Message message = {.category = Category::kLong,
                               .payload_sent = true,
                               .nbytes = (size_t{1} << 32) + 8,
                               .dest_addr = host.SegmentOf(1)};
  EXPECT_DEATH(host.link(0).Send(1, Lane::kRequest, message),
               "Long.*4294967304 bytes.*the limit is 2147483647");
}

}  // namespace
}  // namespace gasnet::hostshm
