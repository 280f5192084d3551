// Tests messages of a rank to itself, over a link that must carry none of them.
#include "core/am/self_delivery.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/am/engine.h"
#include "core/thread/mode.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

constexpr Rank kMe = 3;
constexpr size_t kMaxMedium = 5000;

// A link that records all calls: s for Send, P for Poll, W for WakeOwn.
class IdleLink {
 public:
  Post Send(Rank, Lane, const Message&) {
    calls += 's';
    return Post::kDone;
  }
  unsigned Poll(Lanes, Dispatcher&) {
    calls += 'P';
    return 0;
  }
  bool HasMessages() const { return false; }
  bool Lands(Rank) const { return true; }
  size_t MaxMedium() const { return kMaxMedium; }
  size_t MaxLong(Lane) const { return kMaxMedium; }
  uint32_t Arm() { return 0; }
  bool Sleep(uint32_t, int64_t) { return false; }
  void Disarm() {}
  void WakeOwn() { calls += 'W'; }

  std::string calls;
};

enum : uint8_t {
  kNote = kFirstClientHandler,
  kNotePayload,
  kReplyShort,
  kReplyPayload,
  kReplyLong,
  kTwo,
};

constexpr size_t kSegment = 8192;
alignas(64) unsigned char memory[64 + kSegment + 64];
unsigned char* const segment = &memory[64];
std::string events;
std::vector<unsigned char> got;
void* got_at;
Engine<IdleLink>* engine;

Token& TokenOf(void* token) { return *static_cast<Token*>(token); }

void Note(void* token) {
  events += TokenOf(token).is_request ? 'r' : 'p';
  EXPECT_EQ(TokenOf(token).source, kMe);
}
void Two(void*, int32_t a, int32_t b) {
  events += std::to_string(a) + "," + std::to_string(b);
}
// A handler that records a payload and overwrites it.
void NotePayload(void* token, void* payload, size_t nbytes) {
  Note(token);
  auto* const bytes = static_cast<unsigned char*>(payload);
  got_at = payload;
  got.assign(bytes, bytes + nbytes);
  std::fill_n(bytes, nbytes, 0xEE);
}
void ReplyShort(void* token) {
  events += '<';
  engine->Reply(TokenOf(token), {.handler = kNote});
  events += '>';
}
// A handler that replies with its payload. The payload must stay intact
// although the reply's handler overwrites its own copy.
void ReplyPayload(void* token, void* payload, size_t nbytes) {
  const std::vector<unsigned char> before(
      static_cast<unsigned char*>(payload),
      static_cast<unsigned char*>(payload) + nbytes);
  events += '<';
  engine->Reply(TokenOf(token), {.category = Category::kMedium,
                                 .handler = kNotePayload,
                                 .payload = payload,
                                 .nbytes = nbytes});
  events += '>';
  EXPECT_TRUE(std::equal(before.begin(), before.end(),
                         static_cast<unsigned char*>(payload)));
  EXPECT_NE(got_at, payload);
}
void ReplyLong(void* token, void* payload, size_t nbytes) {
  engine->Reply(TokenOf(token), {.category = Category::kLong,
                                 .handler = kNotePayload,
                                 .payload = payload,
                                 .nbytes = nbytes,
                                 .dest_addr = segment + 16});
}

template <class Function>
AnyHandler Any(Function* function) {
  return reinterpret_cast<AnyHandler>(function);
}

class SelfDeliveryTest : public testing::Test {
 protected:
  SelfDeliveryTest() {
    engine = &engine_;
    HandlerTable& table = engine_.handlers();
    table.RegisterClient(kNote, Any(&Note));
    table.RegisterClient(kNotePayload, Any(&NotePayload));
    table.RegisterClient(kReplyShort, Any(&ReplyShort));
    table.RegisterClient(kReplyPayload, Any(&ReplyPayload));
    table.RegisterClient(kReplyLong, Any(&ReplyLong));
    table.RegisterClient(kTwo, Any(&Two));
    engine_.SetSelf(kMe, {reinterpret_cast<uintptr_t>(segment), kSegment});
    events.clear();
    std::iota(segment, segment + kSegment, static_cast<unsigned char>(0));
  }
  void Send(Category category, uint8_t handler, const void* payload,
            size_t nbytes, void* dest = nullptr) {
    engine_.Request(kMe, {.category = category,
                          .handler = handler,
                          .payload = payload,
                          .nbytes = nbytes,
                          .dest_addr = dest});
  }

  IdleLink link_;
  Progress progress_;
  Engine<IdleLink> engine_{link_, progress_};
};

// Also checks that the link is not polled while a handler runs.
TEST_F(SelfDeliveryTest, TheHandlerAndItsReplysRunInTheCallAndWakeSleepers) {
  engine_.Request(kMe, {.handler = kReplyShort});
  EXPECT_EQ(events, "<p>");
  EXPECT_EQ(link_.calls, "W");
  const int32_t args[] = {-1, 7};
  engine_.Request(kMe, {.handler = kTwo, .num_args = 2, .args = args});
  EXPECT_EQ(events, "<p>-1,7");
}

TEST_F(SelfDeliveryTest, OthersAreSentTo) {
  engine_.Request(kMe + 1, {.handler = kNote});
  Token token{kMe + 1, true, false, 0, nullptr, nullptr, 0, {}};
  engine_.Reply(token, {.handler = kNote});
  EXPECT_EQ(events, "");
  EXPECT_EQ(link_.calls, "ss");
}

// Sends to another endpoint. That endpoint's handlers run on its own segment,
// and the reply comes back.
TEST_F(SelfDeliveryTest, AnotherEndpointOfTheRankRunsItsOwnHandlers) {
  static Engine<IdleLink>* other;
  IdleLink link;
  Engine<IdleLink> second(link, progress_);
  other = &second;
  Dispatchers all;
  engine_.dispatcher().Join(all, 0);
  second.dispatcher().Join(all, 5);
  unsigned char theirs[16] = {};
  second.SetSelf(kMe, {reinterpret_cast<uintptr_t>(theirs), sizeof theirs});
  void (*const answer)(void*, void*, size_t) = [](void* token, void* at,
                                                  size_t nbytes) {
    EXPECT_EQ(TokenOf(token).to, &other->dispatcher());
    EXPECT_EQ(TokenOf(token).across, 5);
    events += std::string(static_cast<char*>(at), nbytes);
    other->Reply(TokenOf(token), {.handler = kNote});
  };
  second.handlers().RegisterClient(kNotePayload,
                                   reinterpret_cast<AnyHandler>(answer));
  engine_.Request(kMe, {.category = Category::kLong,
                        .handler = kNotePayload,
                        .across = 5,
                        .payload = "long",
                        .nbytes = 4,
                        .dest_addr = theirs});
  EXPECT_EQ(events, "longp");
  EXPECT_EQ(theirs[3], 'g');
  EXPECT_DEATH(engine_.Request(kMe, {.category = Category::kLong,
                                     .handler = kNotePayload,
                                     .across = 5,
                                     .payload = "long",
                                     .nbytes = 4,
                                     .dest_addr = segment}),
               "is outside that rank's segment");
}

TEST_F(SelfDeliveryTest, OwnLongsAlwaysHaveAnAddress) {
  EXPECT_FALSE(engine_.Lands(kMe));
  EXPECT_TRUE(engine_.Lands(kMe + 1));
}

TEST_F(SelfDeliveryTest, AMediumsPayloadIsACopyOfItsOwn) {
  for (const size_t nbytes :
       {size_t{0}, size_t{1}, size_t{3}, size_t{7}, size_t{8}, size_t{63},
        size_t{64}, size_t{65}, size_t{511}, size_t{512}, size_t{513},
        size_t{600}, kMaxMedium}) {
    SCOPED_TRACE(nbytes);
    std::vector<unsigned char> source(segment, segment + nbytes);
    const auto before = source;
    got.assign(1, 1);
    Send(Category::kMedium, kNotePayload, nbytes ? source.data() : nullptr,
         nbytes);
    EXPECT_EQ(got, before);
    EXPECT_EQ(source, before) << "the handler scribbled on the source";
    EXPECT_EQ(reinterpret_cast<uintptr_t>(got_at) % alignof(std::max_align_t),
              0u);
    // The payload that a handler received is the source of its reply.
    Send(Category::kMedium, kReplyPayload, source.data(), nbytes);
    EXPECT_EQ(got, before);
    EXPECT_EQ(source, before);
  }
}

TEST_F(SelfDeliveryTest, AMediumsPayloadMayBeGathered) {
  class Source : public GatherSource {
    void GatherTo(std::byte* to) const override {
      std::memcpy(to, segment, 600);
    }
  };
  const Source source;
  for (const uint8_t handler : {kNotePayload, kReplyPayload}) {
    engine_.Request(kMe, {.category = Category::kMedium,
                          .handler = handler,
                          .nbytes = 600,
                          .gather = &source});
    EXPECT_EQ(got, std::vector<unsigned char>(segment, segment + 600));
    EXPECT_NE(got_at, segment);
  }
}

TEST_F(SelfDeliveryTest, ALongIsMovedWhereverItsSourceLies) {
  for (const ptrdiff_t from : {-9, 0, 9, 3000}) {
    SCOPED_TRACE(from);
    std::iota(segment, segment + kSegment, static_cast<unsigned char>(0));
    unsigned char* const dest = segment + 100;
    const std::vector<unsigned char> expected(dest + from, dest + from + 1000);
    Send(Category::kLong, kNotePayload, dest + from, 1000, dest);
    EXPECT_EQ(got, expected);
    EXPECT_EQ(got_at, dest);
  }
  Send(Category::kLong, kNotePayload, nullptr, 0, nullptr);
  EXPECT_EQ(got.size(), 0u);
  Send(Category::kLong, kReplyLong, segment, 100, segment + 8);
  EXPECT_EQ(got_at, segment + 16);
  EXPECT_EQ(got.size(), 100u);
  EXPECT_EQ(got[0], segment[0]);
}

TEST_F(SelfDeliveryTest, MisuseIsFatalInEveryBuild) {
  EXPECT_DEATH(Send(Category::kMedium, kNotePayload, segment, kMaxMedium + 1),
               "Medium .* of 5001 bytes to rank 3: the limit is 5000");
  for (void* const dest : {static_cast<void*>(segment - 1),
                           static_cast<void*>(segment + kSegment - 7)}) {
    unsigned char source[8] = {};
    EXPECT_DEATH(Send(Category::kLong, kNotePayload, source, 8, dest),
                 "Long .* of 8 bytes to rank 3: destination .* outside");
  }
  EXPECT_DEATH(Send(Category::kShort, 250, nullptr, 0),
               "no handler .* index 250, named by a Short request from rank 3");
}

}  // namespace
}  // namespace gasnet::am
