#include "core/datagram/assembly.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Category;
using am::Lane;

// Returns a fragment of a message of `nbytes` bytes.
FragmentRecord FragmentOf(uint32_t nbytes, uint32_t offset,
                          std::vector<char>& bytes,
                          Category category = Category::kMedium,
                          void* address = nullptr) {
  static const int32_t args[] = {5, 6};
  return {{.category = category,
           .handler = 9,
           .num_args = 2,
           .endpoint = 0,
           .across = 0,
           .in_place = false,
           .nbytes = nbytes,
           .address = reinterpret_cast<uintptr_t>(address),
           .args = args,
           .payload = reinterpret_cast<std::byte*>(bytes.data())},
          {1, offset, static_cast<uint32_t>(bytes.size())}};
}

TEST(AssemblyTest, PutsAMediumTogetherInAnyOrder) {
  AssemblyStore store(0);
  std::vector<char> head(10, 'a'), tail(5, 'b');
  const FragmentRecord second = FragmentOf(15, 10, tail);
  Assembly* const assembly = store.Begin(second, 3, Lane::kReply, false);
  ASSERT_NE(assembly, nullptr);
  EXPECT_FALSE(AssemblyStore::Add(*assembly, second));
  EXPECT_TRUE(AssemblyStore::Add(*assembly, FragmentOf(15, 0, head)));
  const am::Incoming& message = assembly->message;
  EXPECT_EQ(message.source, 3u);
  EXPECT_EQ(message.lane, Lane::kReply);
  EXPECT_EQ(message.handler, 9);
  EXPECT_EQ(message.num_args, 2);
  EXPECT_EQ(message.args[1], 6);
  EXPECT_EQ(std::memcmp(message.payload, "aaaaaaaaaabbbbb", 15), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(message.payload) % 16, 0u);
  store.Release(assembly);
  EXPECT_EQ(store.used(), 0u);
}

TEST(AssemblyTest, ALongLandsInPlace) {
  AssemblyStore store(0);
  char destination[20] = {};
  std::vector<char> bytes(20, 'x');
  const FragmentRecord record =
      FragmentOf(20, 0, bytes, Category::kLong, destination);
  Assembly* const assembly = store.Begin(record, 0, Lane::kRequest, true);
  EXPECT_TRUE(AssemblyStore::Add(*assembly, record));
  EXPECT_EQ(assembly->message.payload, destination);
  EXPECT_EQ(destination[19], 'x');
  store.Release(assembly);
}

TEST(AssemblyTest, FragmentsOfAnotherMessageDoNotFit) {
  AssemblyStore store(0);
  std::vector<char> bytes(10);
  char somewhere[1], elsewhere[1];
  const auto fragment = [&](uint32_t nbytes, Category category, void* address) {
    return FragmentOf(nbytes, 0, bytes, category, address);
  };
  Assembly* const assembly = store.Begin(
      fragment(15, Category::kLong, somewhere), 0, Lane::kRequest, true);
  const auto fits = [&](const FragmentRecord& record) {
    return AssemblyStore::Fits(*assembly, record);
  };
  EXPECT_TRUE(fits(fragment(15, Category::kLong, somewhere)));
  EXPECT_FALSE(fits(fragment(16, Category::kLong, somewhere)));
  EXPECT_FALSE(fits(fragment(15, Category::kLong, elsewhere)));
  EXPECT_FALSE(fits(fragment(15, Category::kMedium, somewhere)));
  assembly->missing = 9;
  EXPECT_FALSE(fits(fragment(15, Category::kLong, somewhere)))
      << "more than is missing";
  store.Release(assembly);
}

TEST(AssemblyTest, TheSecondHalfIsForThoseBeforeWhomNothingIsMissing) {
  AssemblyStore store(10 * 65536);
  std::vector<char> bytes(10);
  const FragmentRecord record = FragmentOf(65536, 0, bytes);
  std::vector<Assembly*> begun;
  const auto begin = [&](bool first) {
    Assembly* const assembly = store.Begin(record, 0, Lane::kRequest, first);
    if (assembly != nullptr) begun.push_back(assembly);
    return assembly != nullptr;
  };
  while (begin(false)) {
  }
  EXPECT_EQ(begun.size(), 4u);
  while (begin(true)) {
  }
  EXPECT_EQ(begun.size(), 9u);
  EXPECT_LE(store.used(), 10u * 65536);
  for (Assembly* const assembly : begun) store.Release(assembly);
  EXPECT_EQ(store.used(), 0u);
}

}  // namespace
}  // namespace gasnet::datagram
