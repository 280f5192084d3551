// Compares every kernel of every instruction set with the canonical tree,
// computed from independently written definitions of the operations.
#include "coll/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace gasnet::coll {
namespace {

template <class T>
constexpr Type TypeOf() {
  if constexpr (std::is_same_v<T, float>) return Type::kFloat;
  if constexpr (std::is_same_v<T, double>) return Type::kDouble;
  const size_t step = sizeof(T) == 1   ? 0
                      : sizeof(T) == 2 ? 1
                      : sizeof(T) == 4 ? 2
                                       : 3;
  return static_cast<Type>(2 * step + (std::is_unsigned_v<T> ? 1 : 0));
}

template <class T>
T Expected(Op op, T x, T y) {
  const bool both = x != T{0} && y != T{0};
  const bool either = x != T{0} || y != T{0};
  if (op == Op::kLogicalAnd) return both ? T{1} : T{0};
  if (op == Op::kLogicalOr) return either ? T{1} : T{0};
  if (op == Op::kMin) return y <= x || x != x || y != y ? y : x;
  if (op == Op::kMax) return y >= x || x != x || y != y ? y : x;
  if constexpr (std::is_floating_point_v<T>) {
    return op == Op::kSum ? x + y : x * y;
  } else {
    T wrapped;
    switch (op) {
      case Op::kSum:
        static_cast<void>(__builtin_add_overflow(x, y, &wrapped));
        return wrapped;
      case Op::kProduct:
        static_cast<void>(__builtin_mul_overflow(x, y, &wrapped));
        return wrapped;
      case Op::kAnd:
        return static_cast<T>(x & y);
      case Op::kOr:
        return static_cast<T>(x | y);
      default:
        return static_cast<T>(x ^ y);
    }
  }
}

template <class T>
T Tree(Op op, const std::vector<std::vector<T>>& from, size_t first,
       size_t count, size_t i) {
  if (count == 1) return from[first][i];
  return Expected<T>(op, Tree(op, from, first, count / 2, i),
                     Tree(op, from, first + count / 2, count / 2, i));
}

// Returns random values, including extremes and zeros. Values of floating-point
// types include NaNs.
template <class T>
T Any(std::mt19937_64& random) {
  using Limits = std::numeric_limits<T>;
  switch (random() % 8) {
    case 0:
      return T{0};
    case 1:
      return Limits::max();
    case 2:
      return Limits::lowest();
    case 3:
      return Limits::has_quiet_NaN ? Limits::quiet_NaN() : T{1};
    case 4:
      return Limits::has_infinity ? Limits::infinity() : T{2};
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(
        std::ldexp(static_cast<double>(random() % 2000) - 1000,
                   static_cast<int>(random() % 40) - 20));
  } else {
    return static_cast<T>(random());
  }
}

// Returns true if x and y have the same bits, or if both are NaN.
template <class T>
bool IsSame(T x, T y) {
  if (x != x) return y != y;
  return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class T>
class KernelsTest : public ::testing::Test {
 protected:
  // Checks a kernel. `in_place` is the index of the source that is also the
  // result, or -1 if no source is.
  void Check(Kernel kernel, Op op, size_t count, size_t elements,
             int in_place) {
    std::vector<std::vector<T>> from(count);
    for (auto& each : from) {
      for (size_t i = 0; i < elements; ++i) each.push_back(Any<T>(random_));
    }
    const auto before = from;
    std::vector<T> apart(elements + 1, T{77});
    std::vector<const void*> sources;
    for (const auto& each : from) sources.push_back(each.data());
    T* const to = in_place < 0 ? apart.data()
                               : from[static_cast<size_t>(in_place)].data();
    kernel(to, sources.data(), elements);
    for (size_t i = 0; i < elements; ++i) {
      const T wanted = Tree(op, before, 0, count, i);
      ASSERT_TRUE(IsSame(to[i], wanted))
          << +to[i] << " is not " << +wanted << "; operation "
          << static_cast<int>(op) << " of " << count << ", element " << i
          << " of " << elements;
    }
    EXPECT_EQ(apart[elements], T{77});
  }
  void CheckAll(const internal::KernelTable& table) {
    const size_t type = static_cast<size_t>(TypeOf<T>());
    for (size_t op = 0; op < kOps; ++op) {
      const Kernels& kernels = table.of[type][op];
      const bool on_bits =
          static_cast<Op>(op) >= Op::kAnd && static_cast<Op>(op) <= Op::kXor;
      ASSERT_EQ(kernels.of_two == nullptr,
                std::is_floating_point_v<T> && on_bits);
      if (kernels.of_two == nullptr) continue;
      for (const size_t elements : {0, 1, 2, 7, 8, 31, 32, 33, 65, 200, 1000}) {
        const auto of = static_cast<Op>(op);
        for (const int in_place : {-1, 0, 1}) {
          Check(kernels.of_two, of, 2, elements, in_place);
          Check(kernels.of_four, of, 4, elements,
                in_place < 0 ? -1 : 3 * in_place);
          Check(kernels.of_eight, of, 8, elements,
                in_place < 0 ? -1 : 7 * in_place);
        }
      }
    }
  }

  std::mt19937_64 random_{20061102};
};

using All = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t,
                             uint32_t, int64_t, uint64_t, float, double>;
TYPED_TEST_SUITE(KernelsTest, All);

TYPED_TEST(KernelsTest, ArePortable) {
  this->CheckAll(internal::PortableKernels());
}

TYPED_TEST(KernelsTest, AreTheSameWhereVectorsAreWide) {
  if (!internal::HasWide()) {
    GTEST_SKIP() << "this processor has no AVX2";
  }
  this->CheckAll(internal::WideKernels());
}

TYPED_TEST(KernelsTest, AreTheSameWhereVectorsAreWidest) {
  if (!internal::HasWidest()) {
    GTEST_SKIP() << "this processor has no AVX-512";
  }
  this->CheckAll(internal::WidestKernels());
}

TYPED_TEST(KernelsTest, AreFoundByTheirType) {
  const Type type = TypeOf<TypeParam>();
  EXPECT_EQ(SizeOf(type), sizeof(TypeParam));
  this->Check(KernelsOf(type, Op::kSum).of_two, Op::kSum, 2, 50, -1);
  EXPECT_EQ(KernelsOf(type, Op::kXor).of_two == nullptr,
            std::is_floating_point_v<TypeParam>);
}

}  // namespace
}  // namespace gasnet::coll
