#include "core/am/assembly.h"

#include <cstring>
#include <vector>

#include "core/am/tuning.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

// Returns a fragment of a message of `nbytes` bytes.
FragmentRecord FragmentOf(uint32_t nbytes, uint32_t offset,
                          std::vector<char>& bytes,
                          Category category = Category::kMedium,
                          void* address = nullptr, uint32_t number = 1) {
  static const int32_t args[] = {5, 6};
  return {{.category = category,
           .handler = 9,
           .num_args = 2,
           .endpoint = 0,
           .across = 0,
           .payload_sent = false,
           .nbytes = nbytes,
           .address = reinterpret_cast<uintptr_t>(address),
           .args = args,
           .payload = reinterpret_cast<std::byte*>(bytes.data())},
          {number, offset, static_cast<uint32_t>(bytes.size())}};
}

using Result = AssemblyStore::Result;

TEST(AssemblyTest, PutsAMediumTogetherInAnyOrder) {
  AssemblyStore store(0);
  Assembly* begun = nullptr;
  std::vector<char> head(10, 'a'), tail(5, 'b');
  const auto take = [&](uint32_t offset, std::vector<char>& bytes) {
    return store.Take(begun, FragmentOf(15, offset, bytes), 3, Lane::kReply,
                      false);
  };
  EXPECT_EQ(take(10, tail).result, Result::kPart);
  EXPECT_EQ(AssemblyStore::Find(begun, 1), begun);
  EXPECT_EQ(AssemblyStore::Find(begun, 2), nullptr);
  const AssemblyStore::Taken taken = take(0, head);
  ASSERT_EQ(taken.result, Result::kComplete);
  EXPECT_EQ(begun, nullptr);
  const Incoming& message = taken.complete->message;
  EXPECT_EQ(message.source, 3u);
  EXPECT_EQ(message.lane, Lane::kReply);
  EXPECT_EQ(message.handler, 9);
  EXPECT_EQ(message.num_args, 2);
  EXPECT_EQ(message.args[1], 6);
  EXPECT_EQ(std::memcmp(message.payload, "aaaaaaaaaabbbbb", 15), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(message.payload) % 16, 0u);
  store.Release(taken.complete);
  EXPECT_EQ(store.used(), 0u);
}

// The fragments of several messages may arrive alternately.
TEST(AssemblyTest, TellsMessagesApartByTheirNumbers) {
  AssemblyStore store(0);
  Assembly* begun = nullptr;
  std::vector<char> bytes(10);
  const auto take = [&](uint32_t number, uint32_t offset) {
    return store.Take(
        begun,
        FragmentOf(20, offset, bytes, Category::kMedium, nullptr, number), 0,
        Lane::kRequest, true);
  };
  for (const uint32_t number : {7, 8, 9}) {
    EXPECT_EQ(take(number, 0).result, Result::kPart);
  }
  for (const uint32_t number : {8, 9, 7}) {
    const AssemblyStore::Taken taken = take(number, 10);
    ASSERT_EQ(taken.result, Result::kComplete);
    EXPECT_EQ(taken.complete->number, number);
    store.Release(taken.complete);
  }
  EXPECT_EQ(begun, nullptr);
  EXPECT_EQ(store.used(), 0u);
}

TEST(AssemblyTest, ALongLandsInPlace) {
  AssemblyStore store(0);
  Assembly* begun = nullptr;
  char destination[20] = {};
  std::vector<char> bytes(20, 'x');
  const AssemblyStore::Taken taken =
      store.Take(begun, FragmentOf(20, 0, bytes, Category::kLong, destination),
                 0, Lane::kRequest, true);
  ASSERT_EQ(taken.result, Result::kComplete);
  EXPECT_EQ(taken.complete->message.payload, destination);
  EXPECT_EQ(destination[19], 'x');
  store.Release(taken.complete);
}

TEST(AssemblyTest, FragmentsOfAnotherMessageDoNotFit) {
  AssemblyStore store(0);
  Assembly* begun = nullptr;
  std::vector<char> bytes(10), rest(6);
  char somewhere[15], elsewhere[15];
  const auto take = [&](uint32_t nbytes, Category category, void* address,
                        std::vector<char>& part) {
    return store
        .Take(begun, FragmentOf(nbytes, 0, part, category, address), 0,
              Lane::kRequest, true)
        .result;
  };
  EXPECT_EQ(take(15, Category::kLong, somewhere, bytes), Result::kPart);
  EXPECT_EQ(take(16, Category::kLong, somewhere, bytes), Result::kMalformed);
  EXPECT_EQ(take(15, Category::kLong, elsewhere, bytes), Result::kMalformed);
  EXPECT_EQ(take(15, Category::kMedium, somewhere, bytes), Result::kMalformed);
  EXPECT_EQ(take(15, Category::kLong, somewhere, rest), Result::kMalformed)
      << "more than is missing";
  EXPECT_EQ(begun->missing, 5u);
  store.ReleaseAll(begun);
  EXPECT_EQ(begun, nullptr);
  EXPECT_EQ(store.used(), 0u);
}

TEST(AssemblyTest, TheSecondHalfIsForThoseBeforeWhomNothingIsMissing) {
  AssemblyStore store(10 * kMaxMedium);
  Assembly* begun = nullptr;
  std::vector<char> bytes(10);
  uint32_t count = 0;
  const auto begin = [&](bool first) {
    const FragmentRecord record =
        FragmentOf(kMaxMedium, 0, bytes, Category::kMedium, nullptr, count + 1);
    const Result result =
        store.Take(begun, record, 0, Lane::kRequest, first).result;
    count += result == Result::kPart;
    return result == Result::kPart;
  };
  while (begin(false)) {
  }
  EXPECT_EQ(count, 4u);
  while (begin(true)) {
  }
  EXPECT_EQ(count, 9u);
  EXPECT_LE(store.used(), 10u * kMaxMedium);
  store.ReleaseAll(begun);
  EXPECT_EQ(store.used(), 0u);
}

}  // namespace
}  // namespace gasnet::am
