// Tests every operation for every type against a plain model, and tests many
// threads that operate on one word.
#include "ex/atomic_apply.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace gasnet::ex {
namespace {

// Returns values to be used as op0, op1 and op2.
template <class T>
std::vector<T> Samples() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    return {0,
            1,
            2,
            7,
            static_cast<T>(-1),
            static_cast<T>(-3),
            Limits::max(),
            Limits::min(),
            static_cast<T>(0x5a5a5a5a5a5a5a5a)};
  } else {
    return {0, 1, T{-1}, T{2.5}, T{-1e10}, Limits::max(), Limits::min()};
  }
}

template <class T>
T Sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
  return a + b;
}
template <class T>
T Difference(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
  return a - b;
}
template <class T>
T Product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  return a * b;
}

// Returns the new value at the target, according to a simple model.
template <class T>
T Model(gex_OP_t operation, T op0, T op1, T op2) {
  if constexpr (std::is_integral_v<T>) {
    switch (operation) {
      case GEX_OP_AND:
      case GEX_OP_FAND:
        return op0 & op1;
      case GEX_OP_OR:
      case GEX_OP_FOR:
        return op0 | op1;
      case GEX_OP_XOR:
      case GEX_OP_FXOR:
        return op0 ^ op1;
    }
  }
  switch (operation) {
    case GEX_OP_ADD:
    case GEX_OP_FADD:
      return Sum(op0, op1);
    case GEX_OP_SUB:
    case GEX_OP_FSUB:
      return Difference(op0, op1);
    case GEX_OP_MULT:
    case GEX_OP_FMULT:
      return Product(op0, op1);
    case GEX_OP_MIN:
    case GEX_OP_FMIN:
      return std::min(op0, op1);
    case GEX_OP_MAX:
    case GEX_OP_FMAX:
      return std::max(op0, op1);
    case GEX_OP_INC:
    case GEX_OP_FINC:
      return Sum(op0, T{1});
    case GEX_OP_DEC:
    case GEX_OP_FDEC:
      return Difference(op0, T{1});
    case GEX_OP_SET:
    case GEX_OP_SWAP:
      return op1;
    case GEX_OP_CAS:
    case GEX_OP_FCAS:
      return op0 == op1 ? op2 : op0;
    case GEX_OP_GET:
      return op0;
  }
  ADD_FAILURE() << "no such operation: " << operation;
  return T{};
}

template <class T>
class AtomicApplyTest : public ::testing::Test {};
using Types =
    ::testing::Types<int32_t, uint32_t, int64_t, uint64_t, float, double>;
TYPED_TEST_SUITE(AtomicApplyTest, Types);

TYPED_TEST(AtomicApplyTest, EveryOperationDoesWhatItsModelDoes) {
  using T = TypeParam;
  const gex_OP_t all = OpsOf(TypeOf<T>());
  for (gex_OP_t operation = 1; operation <= GEX_OP_GET; operation <<= 1) {
    if ((all & operation) == 0) continue;
    const bool fetches = (operation & kFetchingOps) != 0;
    for (const T op0 : Samples<T>()) {
      for (const T op1 : Samples<T>()) {
        const T op2 = Sum(op1, T{5});
        T words[3] = {T{11}, op0, T{13}};
        T result{17};
        Apply<T>(operation, &words[1], &result, op1, op2);
        const T expected = Model(operation, op0, op1, op2);
        EXPECT_EQ(words[1], expected) << operation << " " << op0 << " " << op1;
        EXPECT_EQ(result, fetches ? op0 : T{17}) << operation;
        EXPECT_EQ(words[0], T{11});
        EXPECT_EQ(words[2], T{13});

        words[1] = op0;
        const uint64_t old = ApplyBits(TypeOf<T>(), operation, &words[1],
                                       std::bit_cast<BitsOf<T>>(op1),
                                       std::bit_cast<BitsOf<T>>(op2));
        EXPECT_EQ(words[1], expected) << operation << " " << op0 << " " << op1;
        EXPECT_EQ(old, fetches ? uint64_t{std::bit_cast<BitsOf<T>>(op0)} : 0);
      }
    }
  }
}

TEST(AtomicOperationsTest, FloatsHaveNoBitwiseOnes) {
  EXPECT_EQ(OpsOf(GEX_DT_U64), (GEX_OP_GET << 1) - 1);
  EXPECT_EQ(OpsOf(GEX_DT_FLT) & GEX_OP_FXOR, 0u);
  EXPECT_EQ(OpsOf(GEX_DT_DBL) | kBitwiseOps, OpsOf(GEX_DT_I32));
  EXPECT_EQ(OpsOf(GEX_DT_USER), 0u);
  EXPECT_EQ(OpsOf(GEX_DT_I32 | GEX_DT_I64), 0u);
  EXPECT_EQ(OpsOf(0), 0u);
}

constexpr int kThreads = 4;
constexpr int kRounds = 2000;

template <class Function>
void OnThreads(Function function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(function, i);
  for (std::thread& thread : threads) thread.join();
}

TYPED_TEST(AtomicApplyTest, FetchedSumsOfThreadsAreAPermutation) {
  using T = TypeParam;
  alignas(8) T word{0};
  std::vector<std::vector<T>> fetched(kThreads);
  OnThreads([&](int me) {
    for (int i = 0; i < kRounds; ++i) {
      T old{};
      Apply<T>(i % 2 == 0 ? GEX_OP_FADD : GEX_OP_FINC, &word, &old, T{1}, T{});
      fetched[me].push_back(old);
    }
  });
  std::vector<T> all;
  for (const auto& some : fetched) {
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<T> expected(kThreads * kRounds);
  std::iota(expected.begin(), expected.end(), T{0});
  EXPECT_EQ(all, expected);
}

TYPED_TEST(AtomicApplyTest, OneOfManyExchangesWins) {
  using T = TypeParam;
  for (int round = 0; round < 200; ++round) {
    T word{0};
    std::vector<T> old(kThreads);
    OnThreads([&](int me) {
      Apply<T>(GEX_OP_FCAS, &word, &old[me], T{0}, static_cast<T>(me + 1));
    });
    EXPECT_EQ(std::count(old.begin(), old.end(), T{0}), 1);
    for (int me = 0; me < kThreads; ++me) {
      if (old[me] == T{0}) {
        EXPECT_EQ(word, static_cast<T>(me + 1));
      } else {
        EXPECT_EQ(old[me], word);
      }
    }
  }
}

TEST(AtomicLoopsTest, LoopsOnDoublesLoseNothing) {
  double product = 1;
  double least = 1e9;
  double greatest = -1e9;
  double sum = 0;
  OnThreads([&](int me) {
    for (int i = 0; i < kRounds; ++i) {
      const double mine = kThreads * i + me;
      const double factor = i % 2 == 0 ? 2.0 : 0.5;
      double none = 0;
      Apply<double>(GEX_OP_MULT, &product, &none, factor, 0);
      Apply<double>(GEX_OP_MIN, &least, &none, -mine, 0);
      Apply<double>(GEX_OP_MAX, &greatest, &none, mine, 0);
      Apply<double>(GEX_OP_SUB, &sum, &none, 0.5, 0);
    }
  });
  EXPECT_EQ(product, 1);
  EXPECT_EQ(least, 1 - kThreads * kRounds);
  EXPECT_EQ(greatest, kThreads * kRounds - 1);
  EXPECT_EQ(sum, -0.5 * kThreads * kRounds);
}

}  // namespace
}  // namespace gasnet::ex
