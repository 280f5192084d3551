// Tests that the fake network keeps the contract of rma.h, and that it produces
// all its difficulties.
#include "core/rma/testing/fake_rma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace gasnet::rma::testing {
namespace {

constexpr size_t kSegment = 1 << 20;

// Two ranks in one process; rank 0 posts. Rank 1's addresses differ from the
// addresses at which this process maps the same memory.
class FakeRmaTest : public ::testing::Test {
 protected:
  void Make(const FakeRmaOptions& options = {}) {
    rma_ = std::make_unique<FakeRma>(options);
    rma_->SetSegments(0, peers_);
  }
  FakeRma& rma() { return *rma_; }

  static constexpr uintptr_t kThere = uintptr_t{1} << 46;
  void* There(size_t offset) {
    return reinterpret_cast<void*>(kThere + offset);
  }
  std::byte* Here(size_t offset) { return memory_[0].data() + offset; }
  std::byte* Target(size_t offset) { return memory_[1].data() + offset; }

  static void Fill(std::byte* to, size_t nbytes, uint64_t seed) {
    std::mt19937_64 random(seed);
    for (size_t i = 0; i < nbytes; ++i) to[i] = std::byte(random() >> 7);
  }

  // Posts the whole request, in parts if necessary. Polls while there is no
  // room.
  template <class Request>
  void PostAll(Request request) {
    for (size_t left = request.nbytes; left > 0;) {
      request.nbytes = left;
      const Posted posted = rma().Post(request);
      if (posted.state == PostState::kRetry) {
        ASSERT_EQ(posted.nbytes, 0u);
        rma().Poll();
        continue;
      }
      ASSERT_GT(posted.nbytes, 0u);
      ASSERT_LE(posted.nbytes, left);
      left -= posted.nbytes;
      request.dest = static_cast<std::byte*>(request.dest) + posted.nbytes;
      request.src = static_cast<const std::byte*>(request.src) + posted.nbytes;
    }
  }
  void Await(const PendingCount& counter) {
    for (int polls = 0; !counter.IsOver(); ++polls) {
      ASSERT_LT(polls, 1'000'000);
      rma().Poll();
    }
  }

  std::vector<std::byte> memory_[2] = {std::vector<std::byte>(kSegment),
                                       std::vector<std::byte>(kSegment)};
  std::vector<MappedSegment> peers_ = {
      {reinterpret_cast<uintptr_t>(memory_[0].data()), kSegment,
       reinterpret_cast<unsigned char*>(memory_[0].data())},
      {kThere, kSegment, reinterpret_cast<unsigned char*>(memory_[1].data())}};
  std::unique_ptr<FakeRma> rma_;
};

TEST_F(FakeRmaTest, ReachesWhoHasASegment) {
  peers_.push_back({});
  Make();
  EXPECT_TRUE(rma().Reaches(0));
  EXPECT_TRUE(rma().Reaches(1));
  EXPECT_FALSE(rma().Reaches(2));
}

// Transfers data of all sizes, from registered memory and from other memory.
TEST_F(FakeRmaTest, PutsAndGetsWhatWasThere) {
  std::vector<std::byte> elsewhere(300'000);
  Fill(elsewhere.data(), elsewhere.size(), 1);
  Fill(Here(0), 300'000, 2);
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Make({.seed = seed});
    for (const size_t nbytes : {1, 7, 64, 65, 4096, 4097, 16384, 300'000}) {
      for (std::byte* const source : {Here(0), elsewhere.data()}) {
        std::memset(Target(100), 0, nbytes + 1);
        PendingCount complete, sources;
        PostAll(Put{1, There(100), source, nbytes, &complete, &sources});
        Await(complete);
        EXPECT_TRUE(sources.IsOver());
        ASSERT_EQ(std::memcmp(Target(100), source, nbytes), 0);
        ASSERT_EQ(Target(100)[nbytes], std::byte{0});

        std::vector<std::byte> back(nbytes + 1);
        PostAll(Get{1, back.data(), There(100), nbytes, &complete});
        Await(complete);
        ASSERT_EQ(std::memcmp(back.data(), source, nbytes), 0);
        ASSERT_EQ(back[nbytes], std::byte{0});
      }
    }
    EXPECT_FALSE(rma().NeedsPolls());
  }
}

// A source may be overwritten only after the network has reported that it was
// read.
TEST_F(FakeRmaTest, SourcesAreReadUntilToldOf) {
  Make({.refuse = 0});
  int read_late = 0;
  for (uint64_t round = 0; round < 200; ++round) {
    const size_t nbytes = 65 + round * 13;
    Fill(Here(0), nbytes, round);
    const std::vector<std::byte> sent(Here(0), Here(nbytes));
    PendingCount complete, sources;
    PostAll(Put{1, There(0), Here(0), nbytes, &complete, &sources});
    read_late += !sources.IsOver();
    Await(sources);
    std::memset(Here(0), 0xee, nbytes);
    Await(complete);
    ASSERT_TRUE(std::equal(sent.begin(), sent.end(), Target(0)));
  }
  EXPECT_GT(read_late, 150);
}

TEST_F(FakeRmaTest, CopiesWhatItInjectsOrBounces) {
  Make({.refuse = 0, .done = 0});
  PendingCount complete, sources;
  std::vector<std::byte> elsewhere(4096, std::byte{7});
  ASSERT_EQ(
      rma().Post(Put{1, There(0), Here(0), 64, &complete, &sources}).nbytes,
      64u);
  EXPECT_TRUE(sources.IsOver());
  EXPECT_FALSE(complete.IsOver());
  rma().Post(Put{1, There(0), elsewhere.data(), 4096, &complete, &sources});
  EXPECT_TRUE(sources.IsOver());
  EXPECT_EQ(rma().counts().injected, 1u);
  EXPECT_EQ(rma().counts().bounced, 1u);
  Await(complete);
}

TEST_F(FakeRmaTest, RefusesWhereThereIsNoDescriptorOrBounceBuffer) {
  Make({.descriptors = 6, .refuse = 0, .bounces = 2});
  std::vector<std::byte> elsewhere(1000);
  PendingCount complete;
  const Put bounced{1, There(0), elsewhere.data(), 1000, &complete, nullptr};
  const Put direct{1, There(0), Here(0), 1000, &complete, nullptr};
  EXPECT_EQ(rma().Post(bounced).state, PostState::kPosted);
  EXPECT_EQ(rma().Post(bounced).state, PostState::kPosted);
  EXPECT_EQ(rma().Post(bounced).state, PostState::kRetry);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(rma().Post(direct).state, PostState::kPosted);
  }
  EXPECT_EQ(rma().Post(direct).state, PostState::kRetry);
  Await(complete);
  EXPECT_TRUE(rma().NeedsPolls()) << "there is room for what was refused";
  EXPECT_EQ(rma().Post(bounced).state, PostState::kPosted);
  Await(complete);
}

// Many concurrent transfers complete out of order, several in one poll.
TEST_F(FakeRmaTest, CompletesInAnyOrderLateAndInBulk) {
  std::set<std::vector<int>> orders;
  unsigned most = 0;
  int idle_polls = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Make({.seed = seed, .refuse = 0, .done = 0});
    std::vector<PendingCount> complete(16);
    for (PendingCount& each : complete) {
      rma().Post(Put{1, There(0), Here(0), 8, &each, nullptr});
    }
    std::vector<int> order;
    while (order.size() < complete.size()) {
      const unsigned completed = rma().Poll();
      most = std::max(most, completed);
      idle_polls += completed == 0;
      for (int i = 0; i < 16; ++i) {
        if (complete[i].IsOver() &&
            std::find(order.begin(), order.end(), i) == order.end()) {
          order.push_back(i);
        }
      }
    }
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
  EXPECT_GT(most, 2u);
  EXPECT_GT(idle_polls, 200);
}

TEST_F(FakeRmaTest, WritesADestinationPieceByPiece) {
  Make({.refuse = 0});
  int torn = 0;
  for (int round = 0; round < 100; ++round) {
    std::memset(Here(0), round + 1, 1000);
    PendingCount complete;
    PostAll(Put{1, There(0), Here(0), 1000, &complete, nullptr});
    while (!complete.IsOver()) {
      rma().Poll();
      torn += *Target(0) != *Target(999);
    }
  }
  EXPECT_GT(torn, 100);
}

TEST_F(FakeRmaTest, TakesAPartOfWhatItIsOffered) {
  Make({.refuse = 0});
  PendingCount complete;
  const Posted posted =
      rma().Post(Put{1, There(0), Here(0), kSegment, &complete, nullptr});
  EXPECT_LE(posted.nbytes, 16384u);
  EXPECT_EQ(rma().counts().cut, 1u);
  Await(complete);
}

TEST_F(FakeRmaTest, AShortPutIsDoneAtOnceNowAndThen) {
  Make({.refuse = 0});
  unsigned done = 0;
  for (int round = 0; round < 100; ++round) {
    *Here(0) = std::byte(round);
    PendingCount complete, sources;
    if (rma().Post(Put{1, There(0), Here(0), 8, &complete, &sources}).state ==
        PostState::kDone) {
      ++done;
      EXPECT_TRUE(complete.IsOver() && sources.IsOver());
      EXPECT_EQ(*Target(0), std::byte(round));
    }
    Await(complete);
  }
  EXPECT_GT(done, 10u);
  EXPECT_EQ(rma().counts().done, done);
}

TEST_F(FakeRmaTest, GetsElsewhereGoThroughBounceBuffers) {
  Make({.refuse = 0, .bounces = 1});
  std::vector<std::byte> elsewhere(8192);
  PendingCount complete;
  const Get get{1, elsewhere.data(), There(0), elsewhere.size(), &complete};
  EXPECT_LE(rma().Post(get).nbytes, 4096u);
  EXPECT_EQ(rma().Post(get).state, PostState::kRetry);
  Await(complete);
  EXPECT_EQ(rma().Post(get).state, PostState::kPosted);
  Await(complete);
}

// A poll also counts sources that were read, since a thread may wait for a
// source.
TEST_F(FakeRmaTest, APollAnswersHowManyEnded) {
  Make({.refuse = 0});
  PendingCount complete, sources;
  ASSERT_EQ(
      rma().Post(Put{1, There(0), Here(0), 65, &complete, &sources}).state,
      PostState::kPosted);
  unsigned ended = 0;
  while (!sources.IsOver()) ended += rma().Poll();
  EXPECT_EQ(ended, 1u);
  while (!complete.IsOver()) ended += rma().Poll();
  EXPECT_EQ(ended, 2u);
}

TEST_F(FakeRmaTest, AFailureEndsTheProcessAndNamesTheTransfer) {
  const auto put_two = [&] {
    Make({.refuse = 0, .done = 0, .fail = 2});
    PendingCount complete;
    rma().Post(Put{1, There(0), Here(0), 8, &complete, nullptr});
    rma().Post(Put{1, There(0), Here(0), 9, &complete, nullptr});
    Await(complete);
  };
  EXPECT_DEATH(put_two(), "put of 9 bytes, rank 1, failed");
}

}  // namespace
}  // namespace gasnet::rma::testing
