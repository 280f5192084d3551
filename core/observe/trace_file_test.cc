// Tests of the writer of trace files.
#include "core/observe/trace_file.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "core/observe/testing/found_trace.h"
#include "core/observe/trace_format.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

TEST_F(TraceFileTest, TheHeaderDescribesTheRank) {
  const int64_t before = NowNanos();
  const auto file = Create();
  const Found found(path_);
  EXPECT_EQ(found.header.magic, kTraceMagic);
  EXPECT_EQ(found.header.version, kTraceVersion);
  EXPECT_EQ(found.header.rank, 3u);
  EXPECT_EQ(found.header.ranks, 7u);
  EXPECT_EQ(found.header.host, 2u);
  EXPECT_EQ(found.header.process, getpid());
  EXPECT_STREQ(found.header.host_name.data(), "there");
  EXPECT_STREQ(found.header.conduit.data(), "udp");
  EXPECT_STREQ(found.header.program.data(), "/bin/program");
  EXPECT_GE(found.header.start_nanos, before);
  EXPECT_LE(found.header.start_nanos, NowNanos());
  // time() may be behind by a tick of the kernel.
  const int64_t started = found.header.start_wall_nanos / kNanosPerSecond;
  EXPECT_LE(started, time(nullptr) + 1);
  EXPECT_GE(started, time(nullptr) - kSecondsPerDay);
  EXPECT_EQ(found.header.start.error_nanos, kNoTraceOffset);
  EXPECT_EQ(found.header.end.error_nanos, kNoTraceOffset);
  EXPECT_EQ(found.header.ring_limit, 2u);
  EXPECT_EQ(found.header.rings, 0u);
  EXPECT_EQ(found.header.ring_events, kEvents);
  ASSERT_EQ(found.header.calls, 2u);
  EXPECT_STREQ(found.Call(1).name.data(), "request");
  EXPECT_EQ(found.Call(1).group, 'A');
}

TEST_F(TraceFileTest, HandlersMayHaveNames) {
  const auto file = Create();
  EXPECT_EQ(Found(path_).Handler(11), "");
  HandlerNames names = {};
  names[0] = "first";
  names[11] = "barrier_request";
  names[127] = "a_name_that_is_longer_than_its_place_in_the_table";
  file->NameHandlers(names);
  EXPECT_EQ(Found(path_).Handler(0), "first");
  EXPECT_EQ(Found(path_).Handler(1), "");
  EXPECT_EQ(Found(path_).Handler(11), "barrier_request");
  EXPECT_EQ(Found(path_).Handler(127), "a_name_that_is_longer_than_its_p");
}

TEST_F(TraceFileTest, OthersMayNotReadIt) {
  const auto file = Create();
  struct stat status;
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0077, 0u);
}

TEST_F(TraceFileTest, OffsetsAreThereOnceTheyAreSet) {
  const auto file = Create();
  file->SetStartOffset({5, 6, 7});
  EXPECT_EQ(Found(path_).header.start.nanos, 5);
  EXPECT_EQ(Found(path_).header.start.error_nanos, 6);
  EXPECT_EQ(Found(path_).header.start.at_nanos, 7);
  EXPECT_EQ(Found(path_).header.end.error_nanos, kNoTraceOffset);
  file->SetEndOffset({8, 9, 10});
  EXPECT_EQ(Found(path_).header.start.nanos, 5);
  EXPECT_EQ(Found(path_).header.end.nanos, 8);
  EXPECT_EQ(Found(path_).header.end.error_nanos, 9);
  EXPECT_EQ(Found(path_).header.end.at_nanos, 10);
}

TEST_F(TraceFileTest, EventsAreThereAtOnce) {
  const auto file = Create();
  TraceRing* const ring = file->AddThread(41);
  ASSERT_NE(ring, nullptr);
  const int64_t before = NowNanos();
  ring->Add(TraceKind::kCallBegins, 1, 6, 64, 200);
  ring->AddWait(4, 5, 77, before);
  const int64_t after = NowNanos();
  const Found found(path_);
  EXPECT_EQ(found.header.rings, 1u);
  EXPECT_EQ(found.Ring(0).thread, 41);
  ASSERT_EQ(found.Ring(0).count, 3u);
  const TraceEvent thread = found.Event(0, 0);
  EXPECT_EQ(thread.kind, static_cast<uint16_t>(TraceKind::kThread));
  EXPECT_EQ(thread.argument, 41u);
  const TraceEvent call = found.Event(0, 1);
  EXPECT_EQ(call.kind, static_cast<uint16_t>(TraceKind::kCallBegins));
  EXPECT_EQ(call.id, 1);
  EXPECT_EQ(call.peer, 6u);
  EXPECT_EQ(call.bytes, 64u);
  EXPECT_EQ(call.argument, 200u);
  EXPECT_GE(call.nanos, before);
  EXPECT_LE(call.nanos, after);
  const TraceEvent wait = found.Event(0, 2);
  EXPECT_EQ(wait.kind, static_cast<uint16_t>(TraceKind::kWaited));
  EXPECT_EQ(wait.id, 4);
  EXPECT_EQ(wait.peer, 5u);
  EXPECT_EQ(wait.bytes, 77u);
  EXPECT_EQ(wait.nanos - static_cast<int64_t>(wait.argument), before);
}

TEST_F(TraceFileTest, OnlyTheFirstEndOfMessagesIsRecorded) {
  const auto file = Create();
  EXPECT_EQ(Found(path_).header.messages_until_nanos, 0);
  const int64_t before = NowNanos();
  file->EndMessages();
  const int64_t until = Found(path_).header.messages_until_nanos;
  EXPECT_GE(until, before);
  EXPECT_LE(until, NowNanos());
  file->EndMessages();
  EXPECT_EQ(Found(path_).header.messages_until_nanos, until);
}

TEST_F(TraceFileTest, AWaitFromTheFutureHasNoDuration) {
  const auto file = Create();
  file->AddThread(1)->AddWait(1, 0, 0, NowNanos() + kNanosPerSecond);
  EXPECT_EQ(Found(path_).Event(0, 1).argument, 0u);
}

// Event number n always goes to the same cell, so the newest events are in the
// ring after any number of rounds.
TEST_F(TraceFileTest, TheNewestEventsReplaceTheOldest) {
  const auto file = Create();
  TraceRing* const ring = file->AddThread(1);
  uint64_t number = 1;
  while (number < 3 * kEvents + 5) {
    ring->Add(TraceKind::kCallEnds, 0, 0, number++);
  }
  const Found found(path_);
  ASSERT_EQ(found.Ring(0).count, number);
  for (uint64_t i = number - kEvents; i < number; ++i) {
    EXPECT_EQ(found.Event(0, i).bytes, i);
  }
}

TEST_F(TraceFileTest, TheLastRingIsInsideOfTheFile) {
  const auto file = Create();
  file->AddThread(1);
  file->AddThread(2);
  const Found found(path_);
  EXPECT_EQ(found.header.rings, 2u);
  EXPECT_EQ(found.Size(), found.header.rings_at + 2 * found.header.ring_bytes);
  EXPECT_GE(found.header.ring_bytes, RingBytes(kEvents));
}

TEST_F(TraceFileTest, ATextTakesAsManyCellsAsItNeeds) {
  const auto file = Create();
  TraceRing* const ring = file->AddThread(1);
  const auto count = [&](size_t size) {
    const uint64_t before = ring->count();
    ring->AddText(std::string(size, 'x'));
    return ring->count() - before;
  };
  EXPECT_EQ(count(0), 1u);
  EXPECT_EQ(count(kTraceTextBytes), 1u);
  EXPECT_EQ(count(kTraceTextBytes + 1), 2u);
  EXPECT_EQ(count(kMaxTraceText), count(kMaxTraceText + 1)) << "it is cut";
}

TEST_F(TraceFileTest, ATextIsThereInParts) {
  const auto file = Create();
  file->AddThread(1)->AddText("abcdefghijklmnopqrstuvwxyz");
  const Found found(path_);
  ASSERT_EQ(found.Ring(0).count, 3u);
  const TraceEvent first = found.Event(0, 1);
  EXPECT_EQ(first.kind, static_cast<uint16_t>(TraceKind::kText));
  EXPECT_EQ(first.id, 26);
  const auto bytes = [](const TraceEvent& event, size_t size) {
    return std::string(reinterpret_cast<const char*>(&event) + kTraceTextAt,
                       size);
  };
  EXPECT_EQ(bytes(first, 20), "abcdefghijklmnopqrst");
  const TraceEvent more = found.Event(0, 2);
  EXPECT_EQ(more.kind, static_cast<uint16_t>(TraceKind::kTextMore));
  EXPECT_EQ(more.id, 20);
  EXPECT_EQ(bytes(more, 6), "uvwxyz");
}

TEST_F(TraceFileTest, AThreadWithoutARingIsCounted) {
  const auto file = Create();
  EXPECT_NE(file->AddThread(1), nullptr);
  EXPECT_NE(file->AddThread(2), nullptr);
  EXPECT_EQ(Found(path_).header.threads_without_ring, 0u);
  EXPECT_EQ(file->AddThread(3), nullptr);
  EXPECT_EQ(file->AddThread(4), nullptr);
  EXPECT_EQ(Found(path_).header.threads_without_ring, 2u);
}

TEST_F(TraceFileTest, ARingThatIsGivenBackIsUsedAgain) {
  const auto file = Create();
  TraceRing* const first = file->AddThread(1);
  EXPECT_NE(file->AddThread(2), nullptr);
  first->Add(TraceKind::kCallBegins, 0);
  file->RemoveThread(*first);
  EXPECT_EQ(file->AddThread(3), first);
  const Found found(path_);
  EXPECT_EQ(found.header.rings, 2u);
  EXPECT_EQ(found.Ring(0).thread, 3);
  ASSERT_EQ(found.Ring(0).count, 3u) << "earlier events stay";
  EXPECT_EQ(found.Event(0, 2).argument, 3u);
}

TEST_F(TraceFileTest, ThreadsHaveRingsOfTheirOwn) {
  constexpr uint64_t kMany = 200'000;
  const auto file = Create();
  std::vector<std::thread> threads;
  for (int32_t number : {11, 12}) {
    threads.emplace_back([&file, number] {
      TraceRing* const ring = file->AddThread(number);
      for (uint64_t i = 1; i < kMany; ++i) {
        ring->Add(TraceKind::kCallEnds, static_cast<uint16_t>(number), 0, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Found found(path_);
  for (uint32_t ring : {0, 1}) {
    const auto thread = static_cast<uint16_t>(found.Ring(ring).thread);
    ASSERT_EQ(found.Ring(ring).count, kMany);
    for (uint64_t i = kMany - kEvents; i < kMany; ++i) {
      EXPECT_EQ(found.Event(ring, i).bytes, i);
      EXPECT_EQ(found.Event(ring, i).id, thread);
    }
  }
  EXPECT_NE(found.Ring(0).thread, found.Ring(1).thread);
}

TEST_F(TraceFileTest, ASourceHasOneNumber) {
  const auto file = Create();
  EXPECT_EQ(file->AddSource("a.c"), 0);
  EXPECT_EQ(file->AddSource("b.c"), 1);
  EXPECT_EQ(file->AddSource("a.c"), 0);
  const Found found(path_);
  EXPECT_EQ(found.header.sources, 2u);
  EXPECT_EQ(found.Source(0), "a.c");
  EXPECT_EQ(found.Source(1), "b.c");
}

TEST_F(TraceFileTest, TheEndOfALongNameOfASourceIsKept) {
  const auto file = Create();
  const std::string end(sizeof(TraceSource), 'x');
  file->AddSource("begin" + end);
  EXPECT_EQ(Found(path_).Source(0), end);
}

TEST_F(TraceFileTest, ASourceBeyondTheTableHasNoNumber) {
  const auto file = Create();
  for (uint32_t i = 0; i < kTraceSources; ++i) {
    EXPECT_EQ(file->AddSource(absl::StrCat("file", i)), i);
  }
  EXPECT_EQ(file->AddSource("further"), kNoTraceSource);
  EXPECT_EQ(file->AddSource("file3"), 3);
  EXPECT_EQ(Found(path_).header.sources, kTraceSources);
}

}  // namespace
}  // namespace gasnet::observe
