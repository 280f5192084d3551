// The choice of the thread that drives a node when several want to, and the end
// of a call that is over at once, step by step: the calls of the fabric are the
// moments at which something else happens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "coll/node.h"
#include "coll/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::coll {
namespace {

static_assert(thread::kConcurrent);

constexpr Rank kMe = 0;
constexpr Rank kPeer = 1;

class SteppedFabric {
 public:
  static Rank me() { return kMe; }
  void Send(Rank, const Header& header, const std::byte*, size_t) {
    sent.push_back(header);
  }
  bool Take(Rank, Header& header, std::byte* to, size_t nbytes) {
    return at_take != nullptr && at_take(header, to, nbytes);
  }
  bool Glance(unsigned looks) {
    ++glances;
    return at_glance != nullptr && at_glance(looks);
  }
  static size_t SendPiece(Rank, uint64_t, uint64_t, const std::byte*,
                          size_t nbytes, size_t, am::Loan&) {
    return nbytes;
  }
  static std::byte* Mapped(Rank, uint64_t, size_t) { return nullptr; }
  static uint64_t InSegment(const std::byte*, size_t) { return 0; }
  Moves* MovePartners(const Request&) {
    ++moves_begun;
    return &moves_;
  }
  // A driver that waits for it ends.
  bool HaveMoved(const Moves&) { return moved || ++looks_at_moves == 100; }
  int64_t Now() const { return now; }
  // The last call of a driver that has synced something: it has looked for what
  // else there is, and still drives.
  void WakeOwn() {
    ++wakes;
    if (at_wake != nullptr) std::exchange(at_wake, nullptr)();
  }

  std::vector<Header> sent;
  unsigned glances = 0;
  unsigned wakes = 0;
  unsigned moves_begun = 0;
  unsigned looks_at_moves = 0;
  bool moved = false;
  int64_t now = 0;
  std::function<bool(Header&, std::byte*, size_t)> at_take;
  std::function<bool(unsigned)> at_glance;
  std::function<void()> at_wake;

 private:
  Moves moves_;
};

class DrivingTest : public ::testing::Test {
 protected:
  explicit DrivingTest(bool near = false)
      : node_(fabric_, Settings{}),
        team_(node_.AddTeam({.id = 0,
                             .me = kMe,
                             .ranks = {kMe, kPeer},
                             .images = {1, 1},
                             .near = {false, near},
                             .hosts = {0, near ? 0u : 1u}})) {}

  // A broadcast from that node.
  Request BroadcastFrom(Rank root, size_t nbytes = 8) {
    Request request = {.call = "test",
                       .kind = Kind::kBroadcast,
                       .in = Sync::kMine,
                       .out = Sync::kMine,
                       .root = root};
    request.nbytes = nbytes;
    request.dests = Addresses(dest_);
    request.root_area = source_;
    return request;
  }

  // The peer sends its part of the operation of that number.
  void Come(uint32_t number, const Request& request, uint32_t key = 0) {
    Header header;
    header.number = number;
    header.base = static_cast<uint16_t>(number);
    header.key = key;
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, source_, request.nbytes);
  }

  // Without bytes: the peer has entered that put or get.
  void Enter(uint32_t number, const Request& request) {
    Header header;
    header.number = number;
    header.base = static_cast<uint16_t>(number);
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, nullptr, 0);
  }

  // Another thread does that, while this one drives and has looked for the last
  // time.
  void WhileDriven(const std::function<void()>& what) {
    const Request request = BroadcastFrom(kPeer);
    Operation* const op = node_.Begin(team_, request);
    ASSERT_NE(op, nullptr);
    Come(op->number, request);
    fabric_.at_wake = [&] { std::thread(what).join(); };
    node_.Drive();
    ASSERT_EQ(fabric_.at_wake, nullptr);
    ASSERT_TRUE(op->IsSynced());
    node_.Release(*op);
  }

  alignas(16) std::byte source_[2 * kEagerFar] = {};
  alignas(16) std::byte dest_[2 * kEagerFar] = {};
  SteppedFabric fabric_;
  Node<SteppedFabric> node_;
  Team& team_;
};

TEST_F(DrivingTest, SendsWhatIsBegunAfterTheLastLook) {
  const Request request = BroadcastFrom(kMe);
  Operation* op = nullptr;
  WhileDriven([&] { op = node_.Begin(team_, request); });
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent[0].number, op->number);
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// As of a message that comes by the inbox.
TEST_F(DrivingTest, HearsTheBaseOfAMessageThatItTakes) {
  for (uint32_t i = 1; i < kWindow; ++i) {
    ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  }
  fabric_.at_take = [&](Header& header, std::byte* to, size_t nbytes) {
    EXPECT_EQ(header.number, kWindow);
    header.base = kWindow;
    std::fill_n(to, nbytes, std::byte{7});
    return true;
  };
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kPeer)), nullptr);
  EXPECT_EQ(dest_[7], std::byte{7});
  fabric_.at_take = nullptr;
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  EXPECT_EQ(fabric_.sent.back().type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent.back().number, kWindow + 1);
}

TEST_F(DrivingTest, TakesMailThatComesAfterTheLastLook) {
  const Request request = BroadcastFrom(kPeer);
  Operation* const op = node_.Begin(team_, request);
  ASSERT_NE(op, nullptr);
  WhileDriven([&] {
    Come(op->number, request);
    node_.Drive();
  });
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// Of the last piece of a part only threads that wait want to know.
TEST_F(DrivingTest, WakesThreadsThatFoundItDriven) {
  const Request request = BroadcastFrom(kPeer, sizeof(dest_));
  Operation* const op = node_.Begin(team_, request);
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  ASSERT_EQ(fabric_.sent[0].type, MessageType::kReady);
  const uint64_t name = fabric_.sent[0].landing;
  unsigned wakes = 0;
  WhileDriven([&] {
    Landing* const landing =
        node_.landings().Find(kPeer, name, 0, sizeof(dest_), true);
    ASSERT_NE(landing, nullptr);
    Landings::Count(*landing, sizeof(dest_));
    node_.Drive();
    wakes = fabric_.wakes;
  });
  EXPECT_GT(fabric_.wakes, wakes);
  node_.Drive();
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

// Nobody else: not the next one, and not a thread that only polls.
TEST_F(DrivingTest, WakesNobodyAgain) {
  WhileDriven([&] { node_.Drive(); });
  const unsigned wakes = fabric_.wakes;
  node_.Drive();
  EXPECT_EQ(fabric_.wakes, wakes);
}

// Its transfers complete whenever they do: nobody waits for them within a call,
// and others go on.
TEST_F(DrivingTest, GoesOnWhileAPutIsUnderWay) {
  Request put = {.call = "test",
                 .kind = Kind::kPut,
                 .in = Sync::kMine,
                 .out = Sync::kMine,
                 .nbytes = 8};
  put.partners.node = kPeer;
  put.partners.dests = Addresses(dest_);
  put.partners.sources = Addresses(source_);
  put.partners.count = 1;
  Operation* const op = node_.Begin(team_, put);
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(fabric_.moves_begun, 0u);
  Enter(op->number, put);
  node_.Drive();
  EXPECT_EQ(fabric_.moves_begun, 1u);
  EXPECT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  node_.Drive();
  EXPECT_FALSE(op->IsSynced());
  ASSERT_EQ(fabric_.sent.size(), 1u);
  fabric_.moved = true;
  node_.Drive();
  EXPECT_EQ(fabric_.moves_begun, 1u);
  EXPECT_TRUE(op->IsSynced());
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[1].number, op->number);
  EXPECT_EQ(fabric_.sent[1].phase, 1u);
  node_.Release(*op);
}

class InquiryTest : public DrivingTest {
 protected:
  // As many turns of a wait as it takes to look at the clock.
  void WaitUntil(int64_t now) {
    fabric_.now = now;
    for (uint32_t i = 0; i < kDrivesPerClock; ++i) node_.Drive();
  }
  void Inquire(uint32_t number, const Request& request) {
    Header header;
    header.type = MessageType::kTerms;
    header.number = number;
    header.base = 1;
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, nullptr, 0);
  }
};

TEST_F(InquiryTest, SaysWhatItHasCalledWhereNothingComes) {
  const Request request = BroadcastFrom(kPeer);
  Operation* const op = node_.Begin(team_, request);
  WaitUntil(5);
  WaitUntil(4 + kPatience);
  EXPECT_TRUE(fabric_.sent.empty());
  WaitUntil(5 + kPatience);
  ASSERT_EQ(fabric_.sent.size(), 1u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kTerms);
  EXPECT_EQ(fabric_.sent[0].number, op->number);
  EXPECT_EQ(fabric_.sent[0].terms, TermsOf(request));
  WaitUntil(4 + 3 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 1u);
  WaitUntil(5 + 3 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 2u);
  Come(op->number, request);
  WaitUntil(100 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), 2u);
  EXPECT_TRUE(op->IsSynced());
  node_.Release(*op);
}

TEST_F(InquiryTest, SaysNothingThatTheWindowOfThePeerDoesNotAdmit) {
  for (uint32_t i = 1; i <= kWindow; ++i) {
    ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  }
  const Request request = BroadcastFrom(kPeer);
  Operation* const op = node_.Begin(team_, request);
  const size_t before = fabric_.sent.size();
  WaitUntil(0);
  WaitUntil(kPatience);
  EXPECT_EQ(fabric_.sent.size(), before);
  // One of what is over here, as it was called here.
  Inquire(kWindow, BroadcastFrom(kMe));
  WaitUntil(2 * kPatience);
  EXPECT_EQ(fabric_.sent.size(), before);
  Come(op->number, request);
  node_.Drive();
  node_.Release(*op);
}

TEST_F(InquiryTest, ComparesWhatAPeerSays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Request request = BroadcastFrom(kPeer);
  const Request other = BroadcastFrom(kPeer, 2 * kEagerFar);
  const auto comes = [&](uint32_t number, const Request& said) {
    Inquire(number, said);
    node_.Drive();
  };
  Operation* const op = node_.Begin(team_, request);
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  comes(1, request);
  EXPECT_DEATH(comes(1, other), "rank 1 calls .*32768.*this rank .* nbytes 8");
  EXPECT_DEATH(comes(2, other), "rank 1 calls .*32768.*nbytes 8.* is over");
  // Before this node has come to it.
  comes(3, request);
  Operation* const third = node_.Begin(team_, request);
  ASSERT_NE(third, nullptr);
  comes(4, other);
  EXPECT_DEATH(node_.Begin(team_, request), "rank 1 calls .*32768.*this rank");
  Come(1, request);
  Come(3, request);
  node_.Drive();
  EXPECT_TRUE(op->IsSynced());
  EXPECT_TRUE(third->IsSynced());
  node_.Release(*op);
  node_.Release(*third);
}

// Terms of 4 GiB and of more are the same: the sizes are compared before a peer
// knows where it may write.
TEST_F(DrivingTest, ComparesLargeSizesBeforeItSaysWhere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Request request = BroadcastFrom(kPeer, Terms::kMany);
  const Operation* const op = node_.Begin(team_, request);
  ASSERT_NE(op, nullptr);
  EXPECT_TRUE(fabric_.sent.empty());
  Header offer;
  offer.type = MessageType::kOffer;
  offer.number = op->number;
  offer.base = 1;
  offer.terms = op->terms;
  offer.landing = size_t{Terms::kMany} + 1;
  node_.inbox().Push(kPeer, offer, nullptr, 0);
  EXPECT_DEATH(node_.Drive(),
               "rank 1 sends 4294967296 bytes where this rank expects "
               "4294967295");
}

class AtOnceTest : public DrivingTest {
 protected:
  AtOnceTest() : DrivingTest(/*near=*/true) {}
};

// A peer that asked for a base further on hears of it.
TEST_F(AtOnceTest, AnswersWhenItAdmits) {
  Header question;
  question.type = MessageType::kAskBase;
  question.number = 1 + kWindow;
  question.base = 1;
  node_.inbox().Push(kPeer, question, nullptr, 0);
  node_.Drive();
  ASSERT_TRUE(fabric_.sent.empty());
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[0].type, MessageType::kEager);
  EXPECT_EQ(fabric_.sent[1].type, MessageType::kBase);
  EXPECT_EQ(fabric_.sent[1].number, 2u);
}

// Also where kind and size are the same.
TEST_F(AtOnceTest, RefusesOtherTerms) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Request request = BroadcastFrom(kPeer);
  Request other = request;
  other.out = Sync::kNone;
  Come(1, other);
  EXPECT_DEATH(node_.Begin(team_, request),
               "test: rank 1 calls broadcast .*OUT_NOSYNC, LOCAL; this rank");
}

// A node that has nothing to receive is through with its collective when a peer
// that called another one is heard of.
TEST_F(DrivingTest, NamesWhatIsOverWhereAPeerCallsAnother) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Operation* const first = node_.Begin(team_, BroadcastFrom(kPeer));
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  Request other = BroadcastFrom(kPeer);
  other.kind = Kind::kExchange;
  const auto comes = [&] {
    Come(2, other);
    node_.Drive();
  };
  EXPECT_DEATH(
      comes(),
      "rank 1 calls exchange with nbytes 8, .* as collective 2 of team "
      "0; this rank called broadcast with nbytes 8, root 0, .*, which "
      "is over");
  Come(1, BroadcastFrom(kPeer));
  node_.Drive();
  node_.Release(*first);
}
TEST_F(AtOnceTest, NamesWhatIsOverWhereAPeerCallsAnother) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_EQ(node_.Begin(team_, BroadcastFrom(kMe)), nullptr);
  Request other = BroadcastFrom(kPeer);
  other.kind = Kind::kExchange;
  const auto comes = [&](uint32_t number) {
    Come(number, other);
    node_.Drive();
  };
  EXPECT_DEATH(comes(1),
               "rank 1 calls exchange .*; this rank called broadcast .*, which "
               "is over");
  // Of what no collective here was, only the message is known.
  EXPECT_DEATH(comes(-kWindow), "rank 1 sent a message outside collective");
}

// The pair has been silent for longer than the window, so the peer has nothing
// to send either before it knows this node's base.
TEST_F(AtOnceTest, AsksForTheBaseThatItSpinsFor) {
  constexpr uint32_t kSilent = 100;
  team_.next = team_.started = 1 + kSilent;
  team_.window.SetBase(1 + kSilent);
  Request request = BroadcastFrom(0);
  request.kind = Kind::kReduceAll;
  request.sources = Addresses(source_);
  request.reduction = {.kernels = KernelsOf(Type::kUint64, Op::kSum),
                       .elem_size = 8,
                       .elem_count = 1};
  fabric_.at_glance = [&](unsigned looks) {
    if (looks > 0) return looks < 10;
    const bool asked = fabric_.sent.size() == 1 &&
                       fabric_.sent[0].type == MessageType::kAskBase;
    EXPECT_TRUE(asked);
    if (!asked) return true;
    Header answer;
    answer.type = MessageType::kBase;
    answer.number = 1 + kSilent;
    answer.base = static_cast<uint16_t>(answer.number);
    node_.inbox().Push(kPeer, answer, nullptr, 0);
    Come(1 + kSilent, request, kPeer);
    return true;
  };
  EXPECT_EQ(node_.Begin(team_, request), nullptr);
  EXPECT_EQ(fabric_.glances, 1u);
  ASSERT_EQ(fabric_.sent.size(), 2u);
  EXPECT_EQ(fabric_.sent[1].type, MessageType::kEager);
}

}  // namespace
}  // namespace gasnet::coll
