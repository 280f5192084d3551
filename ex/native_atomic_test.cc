// Tests the expression of operations by those of a network, and the choice
// between the network and messages.
#include "ex/native_atomic.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/rank.h"
#include "core/rma/rma.h"
#include "core/rma/testing/fake_rma.h"
#include "core/rma/testing/perform_atomic.h"
#include "ex/atomic_apply.h"
#include "ex/atomics.h"
#include "extended/native.h"
#include "extended/sync.h"
#include "extended/testing/loopback.h"

namespace gasnet::ex {
namespace {

using extended::Attempt;
using extended::Native;
using extended::Operation;
using extended::Operations;
using extended::Sync;
using extended::testing::Loopback;

// Values at which operations overflow, compare unusually, or round.
template <class T>
std::vector<T> Values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      T{0}, T{1}, T{7}, static_cast<T>(-3), Limits::lowest(), Limits::max()};
  if constexpr (!Limits::is_integer) {
    values.insert(values.end(), {T(-0.0), T(0.1), T(1e-30), Limits::infinity(),
                                 -Limits::infinity(), Limits::quiet_NaN()});
  }
  return values;
}

template <class T>
uint64_t BitsFor(T value) {
  // The bytes beyond a word's size mean nothing.
  constexpr uint64_t kJunk = sizeof(T) == 4 ? 0xabcdef0100000000 : 0;
  return kJunk | std::bit_cast<BitsOf<T>>(value);
}

// Two results are the same if their bits are, or if neither is a number.
template <class T>
bool AreSame(T a, T b) {
  return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b) ||
         (a != a && b != b);
}

// Compares each operation, as a network performs it, with the processor's.
template <class T>
void CheckExpressions() {
  for (gex_OP_t operation = 1; operation <= GEX_OP_GET; operation <<= 1) {
    if ((OpsOf(TypeOf<T>()) & operation) == 0) continue;
    for (const T before : Values<T>()) {
      for (const T operand : Values<T>()) {
        const T second = T{9};
        T expected = before;
        T old{};
        Apply<T>(operation, &expected, &old, operand, second);
        const rma::Atomic atomic = ExpressNatively(
            TypeOf<T>(), operation, BitsFor(operand), BitsFor(second));
        T word = before;
        const auto got =
            static_cast<BitsOf<T>>(rma::testing::PerformAtomic(atomic, &word));
        EXPECT_TRUE(AreSame(word, expected))
            << "operation " << operation << " on " << before << " with "
            << operand << ": " << word << " instead of " << expected;
        EXPECT_EQ(got, std::bit_cast<BitsOf<T>>(before));
        EXPECT_EQ(rma::SizeOf(atomic.type), sizeof(T));
      }
    }
  }
}

TEST(NativeAtomic, ExpressesEveryOperation) {
  CheckExpressions<int32_t>();
  CheckExpressions<uint32_t>();
  CheckExpressions<int64_t>();
  CheckExpressions<uint64_t>();
  CheckExpressions<float>();
  CheckExpressions<double>();
}

// A network whose atomics can be turned off and refused.
class ChoosyRma final : public rma::Rma {
 public:
  rma::Posted Post(const rma::Put& put) override {
    return Loopback::rma().Post(put);
  }
  rma::Posted Post(const rma::Get& get) override {
    return Loopback::rma().Post(get);
  }
  bool Reaches(Rank) const override { return true; }
  const rma::Thresholds& thresholds() const override { return least_; }
  bool HasAtomics(Rank) const override { return has_atomics; }
  rma::PostState PostAtomic(const rma::Atomic& atomic) override {
    if (refused > 0) {
      --refused;
      return rma::PostState::kRetry;
    }
    ++posted;
    rma::PostState state;
    do {
      state = Loopback::rma().PostAtomic(atomic);
    } while (state == rma::PostState::kRetry);
    return state;
  }

  bool has_atomics = true;
  unsigned refused = 0;
  unsigned posted = 0;

 private:
  const rma::Thresholds least_ = {};
};
ChoosyRma choosy;

class NativeAtomicWays : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Loopback::AttachNative(&choosy);
    [[maybe_unused]] static const bool once =
        (Atomics::RegisterHandlers(), true);
  }
  void SetUp() override { Be(true); }
  static void Be(bool has_atomics) {
    choosy.has_atomics = has_atomics;
    choosy.refused = 0;
    choosy.posted = 0;
    Native::Mine().Start();
  }
  static int64_t* Word() {
    return reinterpret_cast<int64_t*>(Loopback::segment());
  }
  // Adds 1 and waits. Returns the previous value.
  static int64_t Add(int64_t* word) {
    int64_t old = 0;
    Operation* const started =
        Atomics::StartNb<int64_t>(0, &old, word, GEX_OP_FADD, 1, 0);
    if (started != nullptr) Sync::Wait(*started);
    return old;
  }
};

TEST_F(NativeAtomicWays, ByTheNetworkIfItCan) {
  *Word() = 5;
  EXPECT_EQ(Add(Word()), 5);
  EXPECT_EQ(choosy.posted, 1u);
  Be(false);
  EXPECT_EQ(Add(Word()), 6);
  EXPECT_EQ(choosy.posted, 0u);
  EXPECT_EQ(*Word(), 7);
}

// The network reaches only the segment. Handlers of messages also reach the
// segments of further endpoints.
TEST_F(NativeAtomicWays, OutsideOfTheSegmentByMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  alignas(8) static int64_t outside = 0;
  EXPECT_DEATH(Add(&outside), "called gex_AD_Op on 0x[0-9a-f]+ with 8 bytes");
  EXPECT_DEATH(Add(reinterpret_cast<int64_t*>(Loopback::segment() + 4)),
               "not aligned");
  EXPECT_DEATH(Add(reinterpret_cast<int64_t*>(Loopback::segment() +
                                              Loopback::kSegmentSize)),
               "called gex_AD_Op");
}

TEST_F(NativeAtomicWays, WaitsForRoom) {
  *Word() = 1;
  choosy.refused = 3;
  EXPECT_EQ(Add(Word()), 1);
  EXPECT_EQ(choosy.refused, 0u);
}

TEST_F(NativeAtomicWays, ARefusedAttemptHasNoEffect) {
  *Word() = 1;
  int64_t old = -1;
  choosy.refused = 2;
  Attempt explicit_one;
  EXPECT_EQ(Atomics::StartNb<int64_t>(0, &old, Word(), GEX_OP_FADD, 1, 0,
                                      &explicit_one),
            nullptr);
  EXPECT_TRUE(explicit_one.refused());
  Attempt implicit_one;
  Atomics::StartNbi<int64_t>(0, &old, Word(), GEX_OP_FADD, 1, 0, &implicit_one);
  EXPECT_TRUE(implicit_one.refused());
  EXPECT_TRUE(Operations::Mine().implicit().IsDone());
  EXPECT_EQ(old, -1);
  EXPECT_EQ(*Word(), 1);

  Attempt other;
  Operation* const started =
      Atomics::StartNb<int64_t>(0, &old, Word(), GEX_OP_FADD, 1, 0, &other);
  EXPECT_FALSE(other.refused());
  ASSERT_NE(started, nullptr);
  Sync::Wait(*started);
  EXPECT_EQ(old, 1);
  EXPECT_EQ(*Word(), 2);
}

}  // namespace
}  // namespace gasnet::ex
