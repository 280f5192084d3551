// Computes the expected contents of the areas of a trial, serially.
#include <string.h>

#include "conformance/coll/trial.h"

namespace conformance {
namespace {

constexpr uint32_t kPrime = 65521;

struct Matrix {
  uint32_t a, b, c, d;
};
static_assert(sizeof(Matrix) == kMatrixBytes);

Matrix Product(const Matrix& left, const Matrix& right) {
  const auto dot = [](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return static_cast<uint32_t>((uint64_t{a} * b + uint64_t{c} * d) % kPrime);
  };
  return {dot(left.a, right.a, left.b, right.c),
          dot(left.a, right.b, left.b, right.d),
          dot(left.c, right.a, left.d, right.c),
          dot(left.c, right.b, left.d, right.d)};
}

template <class T, class Operation>
void Combine(void* results, const void* left, const void* right, size_t count,
             Operation operation) {
  auto* const out = static_cast<T*>(results);
  for (size_t i = 0; i < count; ++i) {
    out[i] = operation(static_cast<const T*>(left)[i],
                       static_cast<const T*>(right)[i]);
  }
}

uint64_t Sum(uint64_t left, uint64_t right) { return left + right; }

constexpr unsigned kEntryFlags = 77;
constexpr int kArgument = 4711;

void CheckCall(size_t result_count, size_t left_count, int flags, int arg) {
  CHECK_EQ(result_count, left_count);
  CHECK_EQ(flags, kEntryFlags);
  CHECK_EQ(arg, kArgument);
}

void MultiplyMatrices(void* results, size_t result_count, const void* left,
                      size_t left_count, const void* right, size_t elem_size,
                      int flags, int arg) {
  CheckCall(result_count, left_count, flags, arg);
  CHECK_EQ(elem_size, kMatrixBytes);
  Combine<Matrix>(results, left, right, result_count, Product);
}

void AddWords(void* results, size_t result_count, const void* left,
              size_t left_count, const void* right, size_t elem_size, int flags,
              int arg) {
  CheckCall(result_count, left_count, flags, arg);
  CHECK_EQ(elem_size, sizeof(uint64_t));
  Combine<uint64_t>(results, left, right, result_count, Sum);
}

}  // namespace

void OpenCollectives() {
  gasnet_coll_fn_entry_t functions[] = {{MultiplyMatrices, kEntryFlags},
                                        {AddWords, kEntryFlags}};
  gasnet_coll_init(nullptr, 0, functions, COUNT_OF(functions), 0);
}

// Appends the `bytes` bytes that block `from` sends to block `to`.
void Trial::Append(std::vector<char>& out, uint32_t from, uint32_t to,
                   size_t bytes) const {
  const size_t at = out.size();
  out.resize(at + bytes);
  FillPattern(out.data() + at, bytes, plan_.key + from * 1009 + to * 31);
}

std::vector<char> Trial::Elements(uint32_t block) const {
  std::vector<char> elements;
  Append(elements, block, 0, plan_.nbytes);
  for (size_t at = 0; plan_.matrices && at < elements.size(); at += 4) {
    uint32_t word;
    memcpy(&word, &elements[at], sizeof(word));
    word %= kPrime;
    memcpy(&elements[at], &word, sizeof(word));
  }
  return elements;
}

// Combines the first `count` contributions in order.
std::vector<char> Trial::Combined(uint32_t count) const {
  std::vector<char> result = Elements(0);
  for (uint32_t block = 1; block < count; ++block) {
    const std::vector<char> next = Elements(block);
    if (plan_.matrices) {
      Combine<Matrix>(result.data(), result.data(), next.data(),
                      plan_.nbytes / kMatrixBytes, Product);
    } else {
      Combine<uint64_t>(result.data(), result.data(), next.data(),
                        plan_.nbytes / sizeof(uint64_t), Sum);
    }
  }
  return result;
}

std::vector<char> Trial::Source(const Area& area) const {
  if (plan_.IsComputed()) return Elements(area.block);
  std::vector<char> source;
  const auto append_all = [&](auto size) {
    for (uint32_t to = 0; to < blocks(); ++to) {
      Append(source, area.block, to, size(to));
    }
  };
  switch (plan_.kind) {
    case Kind::kScatter:
    case Kind::kExchange:
      append_all([&](uint32_t) { return plan_.nbytes; });
      break;
    case Kind::kScatterV:
    case Kind::kExchangeV:
      append_all([&](uint32_t to) { return SizeOf(area.block, to); });
      break;
    default:
      Append(source, area.block, 0, area.bytes);
  }
  return source;
}

std::vector<char> Trial::Expected(const Area& area) const {
  std::vector<char> expected;
  const auto append_all = [&](uint32_t to, auto size) {
    for (uint32_t from = 0; from < blocks(); ++from) {
      Append(expected, from, to, size(from));
    }
  };
  const auto one_size = [&](uint32_t) { return plan_.nbytes; };
  switch (plan_.kind) {
    case Kind::kBroadcast:
      Append(expected, 0, 0, area.bytes);
      break;
    case Kind::kScatter:
    case Kind::kScatterV:
      Append(expected, 0, area.block, area.bytes);
      break;
    case Kind::kGather:
    case Kind::kGatherAll:
      append_all(0, one_size);
      break;
    case Kind::kGatherV:
    case Kind::kGatherAllV:
      append_all(0, [&](uint32_t from) { return SizeTo(from); });
      break;
    case Kind::kExchange:
      append_all(area.block, one_size);
      break;
    case Kind::kExchangeV:
      append_all(area.block,
                 [&](uint32_t from) { return SizeOf(from, area.block); });
      break;
    case Kind::kReduce:
    case Kind::kReduceAll:
      return Combined(blocks());
    case Kind::kPrefix:
      return Combined(area.block + 1);
    case Kind::kPrefixExclusive:
      if (area.block > 0) return Combined(area.block);
      expected.assign(area.bytes, kSentinel);
      break;
    case Kind::kPermute:
      Append(expected, SourceOf(area.block), 0, area.bytes);
      break;
    case Kind::kPut:
    case Kind::kGet:
      Append(expected, area.block, 0, area.bytes);
  }
  return expected;
}

}  // namespace conformance
