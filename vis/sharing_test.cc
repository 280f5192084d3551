// Tests how many messages transfers in pieces need, with each of the settings.
// The loopback link counts the messages.
#include "vis/settings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "core/am/message.h"
#include "extended/testing/loopback.h"
#include "vis/front.h"

namespace gasnet::vis {
namespace {

using extended::testing::AttachTested;
using extended::testing::Loopback;

constexpr const char* kCall = "test";
constexpr Rank kSelf = 0;
constexpr size_t kMaxChunk = size_t{1} << 20;

class SharingTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    AttachTested();
    VisTransfers::RegisterHandlers();
  }

  SharingTest() : own_(2000) {}
  static std::byte* there() { return Loopback::segment(); }
  std::byte* here() { return own_.data(); }

 private:
  std::vector<std::byte> own_;
};

constexpr size_t kPieces = 40;

// Moves pieces of 8 bytes. Returns the number of messages, replies included. At
// the target the pieces are `apart` bytes apart.
unsigned MessagesOf(bool puts, size_t apart, std::byte* there,
                    std::byte* here) {
  const auto sent = [] {
    return Loopback::network().sent(am::Category::kShort) +
           Loopback::network().sent(am::Category::kMedium) +
           Loopback::network().sent(am::Category::kLong);
  };
  const size_t near = 16;
  const size_t count[] = {8, kPieces};
  const unsigned before = sent();
  if (puts) {
    VisFront<Blocking>::Put(kCall, kSelf,
                            WithoutSigns(there, &apart, here, &near, count, 1));
  } else {
    VisFront<Blocking>::Get(kCall, kSelf,
                            WithoutSigns(here, &near, there, &apart, count, 1));
  }
  return sent() - before;
}

TEST_F(SharingTest, PiecesShareMessagesAsTheSettingsSay) {
  for (const bool puts : {true, false}) {
    for (const bool packs : {true, false}) {
      for (const bool joins : {true, false}) {
        SCOPED_TRACE(testing::Message() << "puts: " << puts << ", packs: "
                                        << packs << ", joins: " << joins);
        VisTransfers::Use({packs, joins, kMaxChunk, kMaxChunk});
        constexpr unsigned kAlone = 2 * kPieces;
        EXPECT_EQ(MessagesOf(puts, 8, there(), here()),
                  packs || joins ? 2 : kAlone);
        EXPECT_EQ(MessagesOf(puts, 9, there(), here()), packs ? 2 : kAlone);
        VisTransfers::Use(
            {packs, joins, puts ? 7 : kMaxChunk, puts ? kMaxChunk : 7});
        EXPECT_EQ(MessagesOf(puts, 8, there(), here()), kAlone);
      }
    }
  }
}

// A remote side with one entry is contiguous, regardless of the local list.
TEST_F(SharingTest, OneEntryThereIsPacked) {
  VisTransfers::Use({false, true, kMaxChunk, kMaxChunk});
  std::vector<void*> own;
  std::vector<VectorEntry> own_too;
  for (size_t i = 0; i < kPieces; ++i) {
    own.push_back(here() + 20 * (kPieces - i));
    own_too.push_back({own.back(), 8});
  }
  void* const place = there();
  const VectorEntry place_too = {there(), 8 * kPieces};
  const IndexedList indexed = {own.data(), kPieces, 8};
  const IndexedList one = {&place, 1, 8 * kPieces};
  const VectorList vectors = {own_too.data(), kPieces};
  const VectorList one_too = {&place_too, 1};
  using Way = VisFront<Blocking>;
  const unsigned before = Loopback::network().sent(am::Category::kMedium);
  Way::Put(kCall, kSelf, one, indexed);
  Way::Put(kCall, kSelf, one_too, vectors);
  EXPECT_EQ(Loopback::network().sent(am::Category::kMedium) - before, 2u);
  Way::Get(kCall, indexed, kSelf, one);
  Way::Get(kCall, vectors, kSelf, one_too);
  EXPECT_EQ(Loopback::network().sent(am::Category::kMedium) - before, 2u + 4);
}

}  // namespace
}  // namespace gasnet::vis
