// Tests all forms of transfers in pieces, over active messages that are
// delivered in random order and refused at random. Compares the results with
// those of a reference that moves one byte after the other.
#include "vis/front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "extended/front.h"
#include "extended/testing/loopback.h"
#include "vis/random_levels.h"
#include "vis/settings.h"

namespace gasnet::vis {
namespace {

using extended::testing::AttachTested;
using extended::testing::Loopback;
using testing::AnyLevels;
using testing::Below;
using testing::kMemory;
using testing::Levels;
using testing::Random;
using testing::Stream;
using Bytes = std::vector<std::byte>;

constexpr const char* kCall = "test";
constexpr Rank kSelf = 0;

// The largest chunk that shares a message of the loopback link's size.
constexpr size_t kMaxChunk = size_t{1} << 20;

// Returns random settings. The sizes of chunks suit small pieces.
VisSettings AnySettings(Random& random) {
  constexpr size_t kChunks[] = {0, 1, 8, 100, 300, kMaxChunk};
  const auto chunk = [&] { return kChunks[Below(random, std::size(kChunks))]; };
  return {Below(random, 3) > 0, Below(random, 2) > 0, chunk(), chunk()};
}

// The way to complete a transfer. `at_once` is true if the call may not wait.
enum class Way { kBlocking, kExplicit, kImplicit, kRegion };
struct How {
  Way way;
  bool at_once;
};

// Calls `move` until it is not refused. Returns the result of `move`.
template <class Move>
auto Start(bool at_once, Move move) {
  if (!at_once) return move(nullptr);
  for (;;) {
    Attempt attempt;
    if constexpr (std::is_void_v<decltype(move(nullptr))>) {
      move(&attempt);
      if (!attempt.refused()) return;
    } else {
      const auto handle = move(&attempt);
      if (!attempt.refused()) return handle;
      EXPECT_EQ(handle, nullptr);
    }
    Loopback::engine().PollOrYield();
  }
}

// Calls `move` with the front of a way, and waits until the transfer is
// complete.
template <class Move>
void Complete(How how, Move move) {
  using Extended = extended::Front;
  const auto start = [&](auto front) {
    return Start(how.at_once,
                 [&](Attempt* attempt) { return move(front, attempt); });
  };
  switch (how.way) {
    case Way::kBlocking:
      return start(VisFront<Blocking>());
    case Way::kExplicit:
      return Extended::Wait(kCall, start(VisFront<Explicit>()));
    case Way::kImplicit:
      start(VisFront<Implicit>());
      return Extended::WaitImplicit(kCall, &extended::Iop::IsDone);
    case Way::kRegion:
      Extended::BeginRegion(kCall);
      start(VisFront<Implicit>());
      return Extended::Wait(kCall, Extended::EndRegion(kCall));
  }
}

class FrontTest : public ::testing::TestWithParam<unsigned> {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    AttachTested();
    [[maybe_unused]] static const bool once = [] {
      VisTransfers::RegisterHandlers();
      return true;
    }();
  }

  FrontTest() : random_(GetParam()), own_(kMemory) {
    Loopback::network().Seed(GetParam());
    // The test with parameter 1 uses the default settings. All other tests use
    // random settings.
    VisTransfers::Use(GetParam() == 1
                          ? VisSettings{true, true, kMaxChunk, kMaxChunk}
                          : AnySettings(random_));
    Refill();
  }
  void TearDown() override { EXPECT_EQ(Loopback::network().InFlight(), 0u); }

  static std::byte* there() { return Loopback::segment(); }
  std::byte* here() { return own_.data(); }

  void Refill() {
    for (size_t i = 0; i < kMemory; ++i) {
      there()[i] = static_cast<std::byte>(random_());
      own_[i] = static_cast<std::byte>(random_());
    }
  }

  // Runs the transfer, and compares its result with that of the reference.
  template <class Move>
  void Check(const Stream& remote, const Stream& local, bool puts, Move move) {
    ASSERT_EQ(remote.size(), local.size());
    Bytes wanted_there(there(), there() + kMemory);
    Bytes wanted_here = own_;
    for (size_t i = 0; i < remote.size(); ++i) {
      if (puts) {
        wanted_there[remote[i]] = own_[local[i]];
      } else {
        wanted_here[local[i]] = there()[remote[i]];
      }
    }
    move();
    EXPECT_TRUE(std::equal(wanted_there.begin(), wanted_there.end(), there()));
    EXPECT_EQ(wanted_here, own_);
  }

  How AnyHow() {
    return {static_cast<Way>(Below(random_, 4)), Below(random_, 2) == 0};
  }

  Random random_;
  Bytes own_;
};

// Returns pieces of the memory at `base`. The pieces do not overlap, and are in
// any order.
std::vector<VectorEntry> Pieces(Random& random, std::byte* base, size_t total,
                                size_t longest) {
  std::vector<VectorEntry> pieces;
  std::vector<size_t> lengths;
  for (size_t left = total; left > 0;) {
    const size_t length = std::min(left, Below(random, longest + 1));
    lengths.push_back(length);
    left -= length;
  }
  size_t room = kMemory - total;
  size_t at = 0;
  for (const size_t length : lengths) {
    const size_t gap =
        Below(random, 3) == 0 ? 0 : Below(random, room / lengths.size() + 1);
    at += gap;
    pieces.push_back({base + at, length});
    at += length;
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  return pieces;
}

Stream StreamOf(const std::vector<VectorEntry>& pieces, std::byte* base) {
  Stream stream;
  for (const VectorEntry& piece : pieces) {
    const auto at =
        static_cast<size_t>(static_cast<std::byte*>(piece.addr) - base);
    for (size_t i = 0; i < piece.len; ++i) stream.push_back(at + i);
  }
  return stream;
}

TEST_P(FrontTest, Vectors) {
  constexpr size_t kLongest[] = {1, 8, 60, 700, 20'000};
  for (const size_t longest_there : kLongest) {
    for (const size_t longest_here : kLongest) {
      const size_t total =
          std::min({longest_there, longest_here, kMemory / 100}) *
          (1 + Below(random_, 50));
      const auto remote = Pieces(random_, there(), total, longest_there);
      const auto local = Pieces(random_, here(), total, longest_here);
      const VectorList remote_list = {remote.data(), remote.size()};
      const VectorList local_list = {local.data(), local.size()};
      const How how = AnyHow();
      Check(StreamOf(remote, there()), StreamOf(local, here()), true, [&] {
        Complete(how, [&](auto front, Attempt* attempt) {
          return front.Put(kCall, kSelf, remote_list, local_list, attempt);
        });
      });
      Check(StreamOf(remote, there()), StreamOf(local, here()), false, [&] {
        Complete(how, [&](auto front, Attempt* attempt) {
          return front.Get(kCall, local_list, kSelf, remote_list, attempt);
        });
      });
    }
  }
}

// Returns addresses of `count` runs that do not overlap.
std::vector<void*> Places(Random& random, std::byte* base, size_t run,
                          size_t count) {
  std::vector<size_t> slots(kMemory / run);
  std::iota(slots.begin(), slots.end(), 0);
  if (Below(random, 3) > 0) std::shuffle(slots.begin(), slots.end(), random);
  std::vector<void*> places;
  for (size_t i = 0; i < count; ++i) places.push_back(base + slots[i] * run);
  return places;
}

Stream StreamOf(const std::vector<void*>& places, size_t run, std::byte* base) {
  Stream stream;
  for (void* const place : places) {
    const auto at = static_cast<size_t>(static_cast<std::byte*>(place) - base);
    for (size_t i = 0; i < run; ++i) stream.push_back(at + i);
  }
  return stream;
}

TEST_P(FrontTest, Indexed) {
  struct Sizes {
    size_t remote, local, total;
  };
  constexpr Sizes kSizes[] = {
      {8, 8, 8 * 3000},        {1, 1, 500},         {3, 3, 3 * 2000},
      {64, 64, 64 * 400},      {8, 24'000, 24'000}, {24'000, 8, 24'000},
      {16, 8, 16 * 700},       {12, 20, 60 * 100},  {700, 700, 700 * 60},
      {5000, 5000, 20'000},    {5000, 100, 30'000}, {4, 4, 4},
      {30'000, 30'000, 30'000}};
  for (const Sizes& sizes : kSizes) {
    const auto remote =
        Places(random_, there(), sizes.remote, sizes.total / sizes.remote);
    const auto local =
        Places(random_, here(), sizes.local, sizes.total / sizes.local);
    const IndexedList remote_list = {remote.data(), remote.size(),
                                     sizes.remote};
    const IndexedList local_list = {local.data(), local.size(), sizes.local};
    const Stream far = StreamOf(remote, sizes.remote, there());
    const Stream near = StreamOf(local, sizes.local, here());
    const How how = AnyHow();
    Check(far, near, true, [&] {
      Complete(how, [&](auto front, Attempt* attempt) {
        return front.Put(kCall, kSelf, remote_list, local_list, attempt);
      });
    });
    Check(far, near, false, [&] {
      Complete(how, [&](auto front, Attempt* attempt) {
        return front.Get(kCall, local_list, kSelf, remote_list, attempt);
      });
    });
  }
}

TEST_P(FrontTest, Strided) {
  for (int repetition = 0; repetition < 60; ++repetition) {
    const Levels levels = AnyLevels(random_);
    const Stream to = StreamOf(levels, levels.to, levels.to_at);
    const Stream from = StreamOf(levels, levels.from, levels.from_at);
    const How how = AnyHow();
    // Overwrites the arrays as soon as the call returns. A client may do so.
    const auto call = [&](auto front, bool puts, Attempt* attempt) {
      Levels own = levels;
      const StridedCall strided = {(puts ? there() : here()) + own.to_at,
                                   own.to.data(),
                                   (puts ? here() : there()) + own.from_at,
                                   own.from.data(),
                                   own.run,
                                   own.count.data(),
                                   own.to.size()};
      const auto clear = [&] {
        std::fill(own.count.begin(), own.count.end(), 12345);
        std::fill(own.to.begin(), own.to.end(), 54321);
        std::fill(own.from.begin(), own.from.end(), 99);
      };
      if constexpr (std::is_void_v<decltype(front.Put(kCall, 0, strided))>) {
        puts ? front.Put(kCall, kSelf, strided, attempt)
             : front.Get(kCall, kSelf, strided, attempt);
        clear();
      } else {
        const auto handle = puts ? front.Put(kCall, kSelf, strided, attempt)
                                 : front.Get(kCall, kSelf, strided, attempt);
        clear();
        return handle;
      }
    };
    Check(to, from, true, [&] {
      Complete(how, [&](auto front, Attempt* attempt) {
        return call(front, true, attempt);
      });
    });
    Check(from, to, false, [&] {
      Complete(how, [&](auto front, Attempt* attempt) {
        return call(front, false, attempt);
      });
    });
  }
}

TEST_P(FrontTest, NothingIsMovedByEmptyOnes) {
  VectorEntry none = {here(), 0};
  void* place = there();
  const ptrdiff_t stride = 8;
  const size_t none_of_any = 0;
  const VectorList nothing = {nullptr, 0};
  const VectorList empty = {&none, 1};
  const IndexedList of_none = {&place, 1, 0};
  const IndexedList no_entry = {nullptr, 0, 8};
  const StridedCall strided = {there(), &stride,      here(), &stride,
                               8,       &none_of_any, 1};
  const StridedCall of_no_bytes = {nullptr, nullptr, nullptr, nullptr,
                                   0,       nullptr, 3};

  Check({}, {}, true, [&] {
    Complete(AnyHow(), [&](auto front, Attempt* attempt) {
      return front.Put(kCall, kSelf, nothing, empty, attempt);
    });
    Complete(AnyHow(), [&](auto front, Attempt* attempt) {
      return front.Get(kCall, of_none, kSelf, no_entry, attempt);
    });
    Complete(AnyHow(), [&](auto front, Attempt* attempt) {
      return front.Put(kCall, kSelf, strided, attempt);
    });
    Complete(AnyHow(), [&](auto front, Attempt* attempt) {
      return front.Get(kCall, kSelf, of_no_bytes, attempt);
    });
  });
}

TEST_P(FrontTest, ManyAreInFlight) {
  std::vector<extended::Handle> handles;
  const Bytes data = own_;
  for (size_t i = 0; i < 3000; ++i) {
    const ptrdiff_t to_stride = 16;
    const ptrdiff_t from_stride = 8;
    const size_t count = 2;
    handles.push_back(
        VisFront<Explicit>::Put(kCall, kSelf,
                                {there() + 32 * i, &to_stride, here() + 16 * i,
                                 &from_stride, 4, &count, 1}));
  }
  extended::Front::WaitAll(kCall, handles.data(), handles.size());
  for (size_t i = 0; i < 3000; ++i) {
    EXPECT_TRUE(std::equal(there() + 32 * i, there() + 32 * i + 4,
                           data.data() + 16 * i));
    EXPECT_TRUE(std::equal(there() + 32 * i + 16, there() + 32 * i + 20,
                           data.data() + 16 * i + 8));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FrontTest, ::testing::Range(1u, 9u));

using FrontDeathTest = FrontTest;

TEST_P(FrontDeathTest, TotalsThatDiffer) {
  VectorEntry one = {here(), 8}, other = {there(), 12};
  EXPECT_DEATH(
      (VisFront<Blocking>::Put("gasnet_putv_bulk", kSelf, VectorList{&other, 1},
                               VectorList{&one, 1})),
      "gasnet_putv_bulk: its destination has 12 bytes and its source "
      "8; they must be the same");
}

INSTANTIATE_TEST_SUITE_P(OneSeed, FrontDeathTest, ::testing::Values(1u));

}  // namespace
}  // namespace gasnet::vis
