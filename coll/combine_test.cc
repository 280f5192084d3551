// Tests that the order of combining is always the same, regardless of the
// number of steps, the combining node and the place of the result.
#include "coll/combine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace gasnet::coll {
namespace {

using Elements = std::vector<uint32_t>;

// Combines by an operation that is neither associative nor commutative. Results
// may be the same array as left but not as right. Mix reads right only after it
// has written all results; this fails if results and right are the same array.
void Mix(void* results, size_t count, const void* left, size_t left_count,
         const void* right, size_t elem_size, int flags, int arg) {
  EXPECT_EQ(left_count, count);
  EXPECT_EQ(elem_size, sizeof(uint32_t));
  auto* const to = static_cast<uint32_t*>(results);
  const auto* const a = static_cast<const uint32_t*>(left);
  const auto* const b = static_cast<const uint32_t*>(right);
  for (size_t i = 0; i < count; ++i) {
    to[i] = 3 * a[i] + static_cast<uint32_t>(flags);
  }
  for (size_t i = 0; i < count; ++i) {
    to[i] = to[i] * 7 + 5 * b[i] + static_cast<uint32_t>(arg);
  }
}

Reduction HowToMix(size_t elements) {
  return {.function = &Mix,
          .function_flags = 11,
          .function_arg = 13,
          .elem_size = sizeof(uint32_t),
          .elem_count = elements};
}

Elements Canonical(const std::vector<Elements>& sources, size_t first,
                   size_t count) {
  if (count == 1) return sources[first];
  size_t half = 1;
  while (half * 2 < count) half *= 2;
  Elements result(sources[first].size());
  const Elements left = Canonical(sources, first, half);
  const Elements right = Canonical(sources, first + half, count - half);
  Mix(result.data(), result.size(), left.data(), result.size(), right.data(),
      sizeof(uint32_t), 11, 13);
  return result;
}

std::vector<Elements> RandomSources(size_t count, size_t elements,
                                    uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Elements> sources(count, Elements(elements));
  for (Elements& source : sources) {
    for (uint32_t& value : source) value = static_cast<uint32_t>(random());
  }
  return sources;
}

std::vector<const void*> AddressesOf(const std::vector<Elements>& sources) {
  std::vector<const void*> at;
  for (const Elements& source : sources) at.push_back(source.data());
  return at;
}

// Numbers of elements around a chunk of 1024.
constexpr size_t kSizes[] = {0, 1, 3, 1023, 1024, 1025, 5000};

TEST(CombinerTest, FollowsTheCanonicalTree) {
  Combiner combiner;
  for (size_t count = 1; count <= 33; ++count) {
    for (const size_t elements : kSizes) {
      const auto sources = RandomSources(count, elements, count);
      Elements result(elements);
      combiner.Combine(HowToMix(elements), result.data(),
                       AddressesOf(sources).data(), count, elements);
      ASSERT_EQ(result, Canonical(sources, 0, count))
          << count << " of " << elements;
    }
  }
}

TEST(CombinerTest, WritesIntoAnyOfTheSources) {
  Combiner combiner;
  for (size_t count = 1; count <= 17; ++count) {
    for (size_t place = 0; place < count; ++place) {
      auto sources = RandomSources(count, 1500, count * 100 + place);
      const Elements expected = Canonical(sources, 0, count);
      combiner.Combine(HowToMix(1500), sources[place].data(),
                       AddressesOf(sources).data(), count, 1500);
      ASSERT_EQ(sources[place], expected)
          << "into " << place << " of " << count;
    }
  }
}

TEST(CombinerTest, SubtreesMayBeCombinedBefore) {
  Combiner combiner;
  std::mt19937_64 random(7);
  for (size_t count = 2; count <= 40; ++count) {
    const auto sources = RandomSources(count, 20, count);
    // Another combiner combines subtrees that are cut off at random.
    const auto sum = [&](const auto& self, size_t first,
                         size_t some) -> Elements {
      if (some == 1) return sources[first];
      Elements result(20);
      if (random() % 3 == 0) {
        Combiner other;
        const auto at = AddressesOf(sources);
        other.Combine(HowToMix(20), result.data(), at.data() + first, some, 20);
        return result;
      }
      const size_t half = SplitOf(some);
      const Elements left = self(self, first, half);
      const Elements right = self(self, first + half, some - half);
      const void* const both[] = {left.data(), right.data()};
      combiner.Combine(HowToMix(20), result.data(), both, 2, 20);
      return result;
    };
    ASSERT_EQ(sum(sum, 0, count), Canonical(sources, 0, count)) << count;
  }
}

TEST(CombinerTest, PrefixesAreThoseOfTheFirstSources) {
  Combiner combiner;
  for (const bool exclusive : {false, true}) {
    for (size_t count = 1; count <= 33; ++count) {
      const auto sources = RandomSources(count, 70, count);
      std::vector<Elements> results(count, Elements(70, 99));
      std::vector<void*> at;
      for (Elements& result : results) at.push_back(result.data());
      Reduction how = HowToMix(70);
      how.exclusive = exclusive;
      combiner.Prefixes(how, at.data(), AddressesOf(sources).data(), count, 70);
      for (size_t k = 0; k < count; ++k) {
        const size_t some = k + (exclusive ? 0 : 1);
        const Elements expected =
            some == 0 ? Elements(70, 99) : Canonical(sources, 0, some);
        ASSERT_EQ(results[k], expected) << k << " of " << count;
      }
    }
  }
}

// A chain must also work in place, since a client's dest may be its source.
TEST(CombinerTest, ChainsGiveTheSamePrefixes) {
  Combiner combiner;
  constexpr size_t kElements = 5;
  constexpr size_t kBytes = kElements * sizeof(uint32_t);
  for (const bool exclusive : {false, true}) {
    Reduction how = HowToMix(kElements);
    how.exclusive = exclusive;
    const auto sources = RandomSources(33, kElements, 7);
    std::vector<std::byte> before;
    for (size_t k = 0; k < sources.size(); ++k) {
      Elements area = sources[k];
      std::vector<std::byte> after(ChainBlocks(k + 1) * kBytes);
      combiner.ExtendChain(how, k, before.data(),
                           reinterpret_cast<const std::byte*>(area.data()),
                           after.data(),
                           reinterpret_cast<std::byte*>(area.data()));
      const size_t some = k + (exclusive ? 0 : 1);
      ASSERT_EQ(area, some == 0 ? sources[0] : Canonical(sources, 0, some))
          << k;
      before = after;
    }
  }
}

TEST(CombinerTest, KernelsTakeTheSameOrder) {
  Combiner combiner;
  std::mt19937_64 random(3);
  const Reduction how = {.kernels = KernelsOf(Type::kFloat, Op::kSum),
                         .elem_size = sizeof(float),
                         .elem_count = 2000};
  for (size_t count = 1; count <= 33; ++count) {
    std::vector<std::vector<float>> sources(count, std::vector<float>(2000));
    std::vector<const void*> at;
    for (auto& source : sources) {
      for (float& value : source) {
        value = std::ldexp(static_cast<float>(static_cast<int>(random() >> 33)),
                           static_cast<int>(random() % 40));
      }
      at.push_back(source.data());
    }
    const auto sum = [&](const auto& self, size_t first, size_t some,
                         size_t i) -> float {
      if (some == 1) return sources[first][i];
      const size_t half = SplitOf(some);
      return self(self, first, half, i) +
             self(self, first + half, some - half, i);
    };
    std::vector<float> result(2000);
    combiner.Combine(how, result.data(), at.data(), count, 2000);
    for (size_t i = 0; i < result.size(); ++i) {
      ASSERT_EQ(result[i], sum(sum, 0, count, i)) << count;
    }
  }
}

// Folds by Combine. Combine takes an address for each element.
std::vector<std::byte> CombineEach(const Reduction& how,
                                   const std::vector<std::byte>& elements) {
  std::vector<const void*> at;
  for (size_t i = 0; i < elements.size(); i += how.elem_size) {
    at.push_back(&elements[i]);
  }
  std::vector<std::byte> result(how.elem_size);
  Combiner().Combine(how, result.data(), at.data(), at.size(), 1);
  return result;
}

void CheckFold(Combiner& combiner, const Reduction& how, size_t count) {
  std::mt19937_64 random(count);
  std::vector<std::byte> elements(count * how.elem_size);
  for (std::byte& byte : elements) byte = static_cast<std::byte>(random());
  const std::vector<std::byte> before = elements;
  std::vector<std::byte> result(how.elem_size);
  combiner.Fold(how, result.data(), elements.data(), count);
  ASSERT_EQ(result, CombineEach(how, elements)) << count;
  ASSERT_EQ(elements, before) << count;
}

TEST(CombinerTest, FoldsByTheTreeOfAsManySources) {
  Combiner combiner;
  for (size_t count = 1; count <= 70; ++count) {
    CheckFold(combiner, HowToMix(count), count);
  }
  // Counts around multiples of a chunk of 1024 elements. Several bits are set
  // in some of the numbers of chunks.
  for (const size_t count : {1023, 1024, 1025, 2048, 2049, 3072, 4096, 4097,
                             5120, 7167, 7168, 7169, 8191, 20000}) {
    CheckFold(combiner, HowToMix(count), count);
  }
}

// Combines elements of any size by an operation that is neither associative nor
// commutative.
void MixBytes(void* results, size_t count, const void* left, size_t,
              const void* right, size_t elem_size, int, int) {
  const auto* const a = static_cast<const uint8_t*>(left);
  const auto* const b = static_cast<const uint8_t*>(right);
  for (size_t i = 0; i < count * elem_size; ++i) {
    static_cast<uint8_t*>(results)[i] =
        static_cast<uint8_t>(3 * a[i] + 5 * b[i] + 7);
  }
}

TEST(CombinerTest, FoldsElementsOfAnySize) {
  Combiner combiner;
  for (const size_t size :
       {1, 2, 3, 7, 8, 16, 24, 1000, 2048, 2049, 4096, 4097, 9000}) {
    const Reduction how = {.function = &MixBytes, .elem_size = size};
    for (const size_t count : {1, 2, 3, 5, 6, 7, 11, 100, 171, 513}) {
      CheckFold(combiner, how, count);
    }
  }
}

TEST(CombinerTest, FoldsByKernels) {
  Combiner combiner;
  const Reduction how = {.kernels = KernelsOf(Type::kDouble, Op::kSum),
                         .elem_size = sizeof(double)};
  for (const size_t count : {1, 2, 3, 7, 8, 9, 511, 512, 513, 1535, 5000}) {
    std::vector<double> elements(count);
    for (size_t i = 0; i < count; ++i) {
      elements[i] = std::ldexp(1.0 + static_cast<double>(i) / 3,
                               static_cast<int>(i * 7 % 60));
    }
    const auto sum = [&](const auto& self, size_t first, size_t some) {
      if (some == 1) return elements[first];
      const size_t half = SplitOf(some);
      return self(self, first, half) + self(self, first + half, some - half);
    };
    double result = 0;
    combiner.Fold(how, &result, elements.data(), count);
    ASSERT_EQ(result, sum(sum, 0, count)) << count;
  }
}

// Concatenates strings of up to 30 letters in elements of 32 bytes.
void Concatenate(void* results, size_t count, const void* left, size_t,
                 const void* right, size_t elem_size, int, int) {
  for (size_t i = 0; i < count; ++i) {
    const std::string text =
        std::string(static_cast<const char*>(left) + i * elem_size) +
        (static_cast<const char*>(right) + i * elem_size);
    std::strncpy(static_cast<char*>(results) + i * elem_size, text.c_str(),
                 elem_size);
  }
}

TEST(CombinerTest, ConcatenatesInOrder) {
  Combiner combiner;
  const Reduction how = {
      .function = &Concatenate, .elem_size = 32, .elem_count = 300};
  for (size_t count = 1; count <= 26; ++count) {
    std::vector<std::vector<char>> sources(count, std::vector<char>(32 * 300));
    std::vector<const void*> at;
    std::string expected;
    for (size_t k = 0; k < count; ++k) {
      expected += static_cast<char>('a' + k);
      for (size_t i = 0; i < 300; ++i) sources[k][32 * i] = expected.back();
      at.push_back(sources[k].data());
    }
    std::vector<char> result(32 * 300);
    combiner.Combine(how, result.data(), at.data(), count, 300);
    for (size_t i = 0; i < 300; ++i) {
      ASSERT_EQ(std::string(&result[32 * i]), expected);
    }
  }
}

// Combines into the right operand. The right operand does not overlap the left
// one. The function must not write the left operand.
void MixIntoRight(const void* left, void* right, size_t count,
                  const void* data) {
  EXPECT_GT(count, 0u);
  const auto* const a = static_cast<const uint32_t*>(left);
  auto* const b = static_cast<uint32_t*>(right);
  EXPECT_TRUE(a + count <= b || b + count <= a);
  Mix(b, count, a, count, Elements(b, b + count).data(), sizeof(uint32_t), 11,
      *static_cast<const int*>(data));
}

TEST(CombinerTest, CombinesIntoTheRightByAFunctionOfThatForm) {
  Combiner combiner;
  const int argument = 13;
  for (size_t count = 1; count <= 17; ++count) {
    for (const size_t elements : kSizes) {
      const Reduction how = {.into_right = &MixIntoRight,
                             .into_right_data = &argument,
                             .elem_size = sizeof(uint32_t),
                             .elem_count = elements};
      auto sources = RandomSources(count, elements, count);
      const auto before = sources;
      const Elements expected = Canonical(sources, 0, count);
      const auto at = AddressesOf(sources);
      Elements result(elements);
      combiner.Combine(how, result.data(), at.data(), count, elements);
      ASSERT_EQ(result, expected) << count << " of " << elements;
      ASSERT_EQ(sources, before);
      const size_t place = elements % count;
      combiner.Combine(how, sources[place].data(), at.data(), count, elements);
      ASSERT_EQ(sources[place], expected);
      sources = before;
      combiner.Combine(how, sources.back().data(), at.data(), count, elements);
      ASSERT_EQ(sources.back(), expected);
    }
  }
}

void Throw(void*, size_t, const void*, size_t, const void*, size_t, int, int) {
  throw std::runtime_error("of a reduction");
}

// A function that throws must end the job. Otherwise the collective would stay
// half done, and other nodes would wait forever.
TEST(CombineDeathTest, AFunctionThatThrowsIsNamed) {
  const Reduction how = {.function = &Throw,
                         .elem_size = 4,
                         .elem_count = 1,
                         .name = Reduction::kFunctionName | 3};
  const auto combine = [&] {
    const uint32_t ones[2] = {1, 1};
    const void* const sources[] = {&ones[0], &ones[1]};
    uint32_t result = 0;
    Combiner().Combine(how, &result, sources, 2, 1);
  };
  EXPECT_DEATH(combine(),
               "reduction function 3 .* threw std::runtime_error .of a re");
}

}  // namespace
}  // namespace gasnet::coll
