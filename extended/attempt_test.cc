// Tests operations that may not wait. A refused operation has no effect, and
// one that has begun completes. The network of the test refuses at random and
// delivers late. The same tests also run over a network with native transfers.
#include "extended/attempt.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "extended/front.h"
#include "extended/record_table.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::AttachTested;
using testing::kNative;
using testing::Loopback;
using Api = Front;
using Bytes = std::vector<std::byte>;

constexpr const char* kCall = "test";
// A number of bytes for which the network has no room at once.
constexpr size_t kLarge = 300'000;

std::byte* There() { return Loopback::segment(); }

Bytes Pattern(size_t nbytes, unsigned seed) {
  Bytes bytes(nbytes);
  for (size_t i = 0; i < nbytes; ++i)
    bytes[i] = static_cast<std::byte>(i * 31 + i / 251 + seed);
  return bytes;
}

// Returns the number of blocks in the table of transfers. Blocks are numbered
// from 0.
uint32_t Blocks() {
  uint32_t blocks = 0;
  while (RecordTable::Mine().FindTransfer(blocks << RecordTable::kIndexBits))
    ++blocks;
  return blocks;
}

class AttemptTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { AttachTested(); }
  void SetUp() override { std::memset(There(), 0, Loopback::kSegmentSize); }
  void TearDown() override {
    Api::WaitImplicit(kCall, &Iop::IsDone);
    EXPECT_FALSE(Backlog::Mine().Has(0));
    EXPECT_EQ(Loopback::network().InFlight(), 0u);
  }

  // Calls start(attempt) until the attempt is not refused, and polls in
  // between.
  template <class Call>
  static auto Begin(Call start) {
    for (;;) {
      Attempt attempt;
      const auto result = start(&attempt);
      if (!attempt.refused()) return result;
      Loopback::engine().PollOrYield();
    }
  }

  // Starts puts until the network has no room left.
  static std::vector<Handle> Fill() {
    static const std::byte source{7};
    std::vector<Handle> handles;
    for (int refused = 0; refused < 100;) {
      Attempt attempt;
      const Handle handle = Api::PutNb(kCall, 0, There(), &source, 1,
                                       Source::kReusable, &attempt);
      attempt.refused() ? ++refused : (refused = 0);
      EXPECT_EQ(handle == GASNETI_STORED_HANDLE, attempt.refused());
      if (!attempt.refused()) handles.push_back(handle);
    }
    return handles;
  }
};

TEST_F(AttemptTest, RefusedCallsServeNothingAndLeaveNothing) {
  std::vector<Handle> filled = Fill();
  Bytes here(kLarge);
  const size_t in_flight = Loopback::network().InFlight();
  const uint32_t blocks = Blocks();
  Iop& first = Operations::Mine().TakeIop();
  Operations::Mine().Release(first);
  const uint64_t gets = Operations::Mine().implicit().initiated_gets;
  const uint64_t puts = Operations::Mine().implicit().initiated_puts;
  for (int i = 0; i < 2000; ++i) {
    for (const size_t nbytes : {size_t{1}, size_t{600}, kLarge}) {
      for (const Source source : {Source::kReusable, Source::kStays}) {
        Attempt put, put_nbi;
        Api::PutNb(kCall, 0, There(), here.data(), nbytes, source, &put);
        Api::PutNbi(kCall, 0, There(), here.data(), nbytes, source, &put_nbi);
        ASSERT_TRUE(put.refused() && put_nbi.refused());
      }
      Attempt blocking_put, get, get_nbi, blocking_get, value, value_nbi;
      Api::Put(kCall, 0, There(), here.data(), nbytes, &blocking_put);
      Api::Get(kCall, here.data(), 0, There(), nbytes, &blocking_get);
      EXPECT_EQ(Api::GetNb(kCall, here.data(), 0, There(), nbytes, &get),
                nullptr);
      Api::GetNbi(kCall, here.data(), 0, There(), nbytes, &get_nbi);
      Api::PutValue(kCall, 0, There(), 5, 4, &value);
      Api::PutValueNbi(kCall, 0, There(), 5, 4, &value_nbi);
      ASSERT_TRUE(blocking_put.refused() && get.refused());
      ASSERT_TRUE(get_nbi.refused() && blocking_get.refused());
      ASSERT_TRUE(value.refused() && value_nbi.refused());
    }
  }
  EXPECT_EQ(Loopback::network().InFlight(), in_flight);
  EXPECT_EQ(Blocks(), blocks);
  EXPECT_EQ(&Operations::Mine().TakeIop(), &first) << "an Iop is lost";
  Operations::Mine().Release(first);
  EXPECT_EQ(Operations::Mine().implicit().initiated_gets, gets);
  EXPECT_EQ(Operations::Mine().implicit().initiated_puts, puts);
  EXPECT_TRUE(Operations::Mine().implicit().IsDone());
  EXPECT_FALSE(Backlog::Mine().Has(0));
  Api::WaitAll(kCall, filled.data(), filled.size());
  EXPECT_EQ(There()[0], std::byte{7});
}

TEST_F(AttemptTest, ALargePutThatHasBegunIsSentByPolls) {
  Bytes source = Pattern(kLarge, 3);
  Handle root = Begin([&](Attempt* attempt) {
    return Api::PutNb(kCall, 0, There(), source.data(), kLarge, Source::kStays,
                      attempt);
  });
  ASSERT_TRUE(Backlog::Mine().Has(0));
  // Without polls, the put's source is still being read, and the put is not
  // complete.
  Handle leaf = Api::LeafOf(kCall, root, kSources);
  ASSERT_NE(leaf, nullptr);
  for (int i = 0; i < 100; ++i) {
    ASSERT_FALSE(Api::TryAll(kCall, &leaf, 1, Serving::kNot));
    ASSERT_FALSE(Api::TryAll(kCall, &root, 1, Serving::kNot));
  }
  // Another operation must not overtake the operation in the backlog.
  Attempt other;
  Api::PutValueNb(kCall, 0, There(), 1, 1, &other);
  EXPECT_TRUE(other.refused());
  while (!Api::TryAll(kCall, &leaf, 1, Serving::kNot)) {
    Loopback::engine().PollOrYield();
  }
  std::fill(source.begin(), source.end(), std::byte{0xcc});
  Api::Wait(kCall, root);
  EXPECT_EQ(Bytes(There(), There() + kLarge), Pattern(kLarge, 3));
}

TEST_F(AttemptTest, ThePollsOfOtherCallsDoNotCount) {
  const Bytes source = Pattern(kLarge, 5);
  const Handle root = Begin([&](Attempt* attempt) {
    return Api::PutNb(kCall, 0, There(), source.data(), kLarge, Source::kStays,
                      attempt);
  });
  // These polls make room in the network, but run no progress function, so the
  // backlog stays.
  for (int i = 0; i < 1000; ++i) Loopback::engine().Poll();
  Attempt other;
  Api::PutValueNb(kCall, 0, There(), 1, 1, &other);
  EXPECT_TRUE(other.refused());
  Api::Wait(kCall, root);
  EXPECT_EQ(Bytes(There(), There() + kLarge), source);
}

TEST_F(AttemptTest, ASourceMayBeReusedAtOnce) {
  Bytes source = Pattern(kLarge, 9);
  const Handle root = Begin([&](Attempt* attempt) {
    return Api::PutNb(kCall, 0, There(), source.data(), kLarge,
                      Source::kReusable, attempt);
  });
  // If the network puts by itself, the call has waited until the source was
  // read, so it leaves no backlog.
  EXPECT_EQ(Backlog::Mine().Has(0), !kNative);
  std::fill(source.begin(), source.end(), std::byte{0xcc});
  Api::Wait(kCall, root);
  EXPECT_EQ(Bytes(There(), There() + kLarge), Pattern(kLarge, 9));
}

TEST_F(AttemptTest, ALargeGetThatHasBegunIsCompletedByAWait) {
  const Bytes data = Pattern(kLarge, 11);
  std::memcpy(There(), data.data(), kLarge);
  Bytes here(kLarge);
  const Handle get = Begin([&](Attempt* attempt) {
    return Api::GetNb(kCall, here.data(), 0, There(), kLarge, attempt);
  });
  EXPECT_TRUE(Backlog::Mine().Has(0));
  Api::Wait(kCall, get);
  EXPECT_EQ(here, data);
}

// This process alone writes all cells, so it knows their contents.
TEST_F(AttemptTest, RandomOperationsAgainstAModel) {
  constexpr size_t kCells = 8;
  constexpr size_t kCell = Loopback::kSegmentSize / kCells / 2;
  constexpr size_t kSizes[] = {1, 8, 511, 513, 3000, 9000, kCell};
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    Loopback::network().Seed(seed);
    Bytes model(kCells * kCell);
    std::memset(There(), 0, model.size());
    std::vector<Bytes> buffers(kCells, Bytes(kCell));
    for (int round = 0; round < 20; ++round) {
      std::vector<Handle> handles;
      for (size_t cell = 0; cell < kCells; ++cell) {
        const size_t nbytes = kSizes[random() % std::size(kSizes)];
        std::byte* const at = There() + cell * kCell;
        std::byte* const own = model.data() + cell * kCell;
        Bytes& buffer = buffers[cell];
        Attempt attempt;
        const Source source =
            random() % 2 == 0 ? Source::kStays : Source::kReusable;
        Handle handle = nullptr;
        bool puts = true;
        switch (random() % 4) {
          case 0:
            buffer = Pattern(kCell, random());
            handle = Api::PutNb(kCall, 0, at, buffer.data(), nbytes, source,
                                &attempt);
            break;
          case 1:
            buffer = Pattern(kCell, random());
            Api::PutNbi(kCall, 0, at, buffer.data(), nbytes, source, &attempt);
            break;
          case 2:
            puts = false;
            handle = Api::GetNb(kCall, buffer.data(), 0, at, nbytes, &attempt);
            break;
          case 3:
            puts = false;
            Api::GetNbi(kCall, buffer.data(), 0, at, nbytes, &attempt);
            break;
        }
        if (attempt.refused()) {
          if (random() % 2 == 0) Loopback::engine().PollOrYield();
          buffer.assign(own, own + kCell);
          continue;
        }
        handles.push_back(handle);
        if (puts) std::memcpy(own, buffer.data(), nbytes);
        if (puts && source == Source::kReusable) {
          std::fill(buffer.begin(), buffer.end(), std::byte{0xcc});
        }
        // Sets the buffer to the expected contents of the cell. The test
        // compares them below.
        if (puts) {
          buffer.assign(own, own + kCell);
        } else {
          std::copy_n(own + nbytes, kCell - nbytes, buffer.data() + nbytes);
        }
      }
      Api::WaitAll(kCall, handles.data(), handles.size());
      Api::WaitImplicit(kCall, &Iop::IsDone);
      for (size_t cell = 0; cell < kCells; ++cell) {
        ASSERT_EQ(
            std::memcmp(buffers[cell].data(), &model[cell * kCell], kCell), 0);
      }
    }
    ASSERT_EQ(std::memcmp(There(), model.data(), model.size()), 0);
  }
}

}  // namespace
}  // namespace gasnet::extended
