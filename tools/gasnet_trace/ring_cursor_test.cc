// Tests that a ring is read correctly, also while a rank writes to it.
#include "tools/gasnet_trace/ring_cursor.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/observe/trace_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/gasnet_trace/rank_trace.h"
#include "tools/gasnet_trace/testing/made_trace.h"

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;
using testing::ElementsAre;

constexpr uint64_t kEvents = MadeTrace::kEvents;

class RingCursorTest : public testing::Test {
 protected:
  // Adds events until the ring has had `number` events. Each added event has
  // its own number in its `bytes` field.
  void AddUpTo(uint64_t number) {
    while (made_.ring().count() < number) {
      made_.Store(1, TraceKind::kCallEnds, 0, 0, made_.ring().count());
    }
  }
  // Returns the `bytes` fields of all events that the cursor still gives.
  static std::vector<uint64_t> Read(RingCursor& cursor) {
    std::vector<uint64_t> read;
    while (const TraceEvent* const event = cursor.Next()) {
      read.push_back(event->bytes);
    }
    return read;
  }
  // Expects the events from `first` up to `end`, without `end`.
  static void ExpectEvents(RingCursor& cursor, uint64_t first, uint64_t end) {
    for (; first < end; ++first) {
      const TraceEvent* const event = cursor.Next();
      ASSERT_NE(event, nullptr) << first;
      EXPECT_EQ(event->bytes, first);
    }
  }
  static void ExpectEnd(RingCursor& cursor) {
    EXPECT_EQ(cursor.Next(), nullptr);
    EXPECT_EQ(cursor.Next(), nullptr);
  }

  // The first event of this trace names its thread. Its `bytes` field is 0.
  MadeTrace made_{0};
};

TEST_F(RingCursorTest, EventsComeInOrder) {
  AddUpTo(5);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  EXPECT_EQ(cursor.thread(), 100);
  ExpectEvents(cursor, 0, 5);
  ExpectEnd(cursor);
  EXPECT_EQ(cursor.count(), 5u);
  EXPECT_EQ(cursor.lost(), 0u);
  EXPECT_EQ(cursor.damaged(), 0u);
}

TEST_F(RingCursorTest, OneCellOfAFullRingIsNotTrusted) {
  for (const uint64_t count : {kEvents - 1, kEvents, kEvents + 1}) {
    AddUpTo(count);
    const RankTrace rank = made_.Open();
    RingCursor cursor(rank, 0);
    ExpectEvents(cursor, count - (kEvents - 1), count);
    ExpectEnd(cursor);
    EXPECT_EQ(cursor.count(), count);
    EXPECT_EQ(cursor.lost(), count - (kEvents - 1));
  }
}

TEST_F(RingCursorTest, TheNewestAreThereAfterManyRounds) {
  constexpr uint64_t kCount = 7 * kEvents + 13;
  AddUpTo(kCount);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  ExpectEvents(cursor, kCount - (kEvents - 1), kCount);
  ExpectEnd(cursor);
}

TEST_F(RingCursorTest, EventsAfterItsBeginningAreNotRead) {
  AddUpTo(5);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  AddUpTo(8);
  ExpectEvents(cursor, 0, 5);
  ExpectEnd(cursor);
}

// The rank replaces events before the cursor reads them.
TEST_F(RingCursorTest, EventsThatAreReplacedMeanwhileAreLost) {
  AddUpTo(20);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  AddUpTo(kEvents + 9);
  ExpectEvents(cursor, 10, 20);
  ExpectEnd(cursor);
  EXPECT_EQ(cursor.lost(), 10u);
}

TEST_F(RingCursorTest, AllEventsMayBeReplacedMeanwhile) {
  AddUpTo(20);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  AddUpTo(3 * kEvents);
  ExpectEnd(cursor);
  EXPECT_EQ(cursor.lost(), 20u);
}

TEST_F(RingCursorTest, EventsOfAFileThatIsCutMeanwhileAreLost) {
  AddUpTo(20);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  ASSERT_EQ(truncate(made_.path().c_str(), 4096), 0);
  ExpectEnd(cursor);
  EXPECT_EQ(cursor.lost(), 20u);
}

TEST_F(RingCursorTest, DamagedEventsAreLeftOut) {
  made_.Store(-1, TraceKind::kCallEnds, 0, 0, 1);
  made_.Store(kTimeLimit, TraceKind::kCallEnds, 0, 0, 2);
  made_.Store(kTimeLimit - 1, TraceKind::kCallEnds, 0, 0, 3);
  made_.Store(1, TraceKind::kNone, 0, 0, 4);
  made_.Store(1, TraceKind::kThread, 0, 0, 5);
  made_.Store(1, static_cast<TraceKind>(13), 0, 0, 6);
  made_.Store(0, TraceKind::kCallEnds, 0, 0, 7);
  const RankTrace rank = made_.Open();
  RingCursor cursor(rank, 0);
  EXPECT_THAT(Read(cursor), ElementsAre(0, 3, 5, 7));
  EXPECT_EQ(cursor.damaged(), 4u);
  EXPECT_EQ(cursor.lost(), 0u);
}

class RingTextTest : public RingCursorTest {
 protected:
  // Returns all texts of the ring.
  std::vector<std::string> Texts() const {
    const RankTrace rank = made_.Open();
    RingCursor cursor(rank, 0);
    std::vector<std::string> texts;
    while (const TraceEvent* const event = cursor.Next()) {
      EXPECT_NE(event->kind, static_cast<uint16_t>(TraceKind::kTextMore));
      if (event->kind == static_cast<uint16_t>(TraceKind::kText)) {
        texts.push_back(cursor.text());
      }
    }
    return texts;
  }
};

TEST_F(RingTextTest, TextsAreWhole) {
  const std::string full(observe::kTraceTextBytes, 'f');
  const std::string largest(observe::kMaxTraceText, 'l');
  for (const std::string& text :
       {std::string(), std::string("short"), full, absl::StrCat(full, "x")}) {
    made_.ring().AddText(text);
  }
  EXPECT_THAT(Texts(), ElementsAre("", "short", full, absl::StrCat(full, "x")));
  made_.ring().AddText(absl::StrCat(largest, "more"));
  EXPECT_THAT(Texts(), testing::Contains(largest));
}

TEST_F(RingTextTest, ATextIsCutWhereItsRestIsMissing) {
  const std::string begun(observe::kTraceTextBytes, 'a');
  const uint64_t before = made_.ring().count();
  made_.ring().AddText(absl::StrCat(begun, "rest"));
  ASSERT_EQ(made_.ring().count(), before + 2);
  EXPECT_THAT(Texts(), ElementsAre(absl::StrCat(begun, "rest")));
  // Makes the file look as if the rank was killed between writing the two cells
  // of the text.
  made_.Patch(
      made_.Open().RingAt(0) + offsetof(observe::TraceRingHeader, count),
      before + 1);
  EXPECT_THAT(Texts(), ElementsAre(absl::StrCat(begun, "...")));
}

TEST_F(RingTextTest, PartsOfOtherTextsAreNotAppended) {
  made_.Store(1, TraceKind::kText, 50);
  made_.Store(1, TraceKind::kTextMore, 40);
  made_.Store(1, TraceKind::kText, 1);
  EXPECT_EQ(Texts().size(), 2u);
  EXPECT_TRUE(Texts()[0].ends_with("..."));
  EXPECT_EQ(Texts()[0].size(), observe::kTraceTextBytes + 3);
}

TEST_F(RingTextTest, NoTextIsLongerThanARankWrites) {
  constexpr uint16_t kSize = 1200;
  made_.Store(1, TraceKind::kText, kSize);
  for (uint16_t at = observe::kTraceTextBytes; at < kSize;
       at += observe::kTraceTextBytes) {
    made_.Store(1, TraceKind::kTextMore, at);
  }
  ASSERT_EQ(Texts().size(), 1u);
  EXPECT_EQ(Texts()[0].size(), observe::kMaxTraceText);
}

TEST_F(RingTextTest, ATextWithoutItsBeginningIsLeftOut) {
  made_.ring().AddText(std::string(100, 'a'));
  // Overwrites the first cell of the text that consists of a's.
  while (made_.ring().count() < kEvents + 1) made_.ring().AddText("b");
  for (const std::string& text : Texts()) EXPECT_EQ(text, "b");
}

}  // namespace
}  // namespace gasnet::trace
