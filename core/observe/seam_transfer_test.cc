// Tests of native transfers at the seam, on one thread, and of the library's
// messages in traces.
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "core/observe/seam.h"
#include "core/observe/testing/found_trace.h"
#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using SeamTransferTest = ObservedTest;

TEST_F(SeamTransferTest, PostsAndCompletionsAreCounted) {
  TransferObservation first;
  TransferObservation second;
  TransferObservation third;
  first.Post(TransferKind::kPut, 1, 100);
  second.Post(TransferKind::kPut, 2, 20);
  third.Post(TransferKind::kGet, 1, 8);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 2u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).bytes, 120u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 0u);
  EXPECT_EQ(OfTransfers(TransferKind::kGet).posted, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kGet).bytes, 8u);
  second.Complete();
  third.Complete();
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 2u);
  EXPECT_EQ(OfTransfers(TransferKind::kGet).completed, 1u);
  // Peers and their bytes are those of calls.
  EXPECT_EQ(Now().peers[1].operations, 0u);
}

TEST_F(SeamTransferTest, TheTimeIsThatFromThePostToTheCompletion) {
  TransferObservation put;
  const int64_t before = NowNanos();
  put.Post(TransferKind::kPut, 1, 1);
  PassTime();
  put.Complete();
  const auto after = static_cast<uint64_t>(NowNanos() - before);
  const TransferTotal& total = OfTransfers(TransferKind::kPut);
  EXPECT_EQ(total.times.timed, 1u);
  EXPECT_EQ(total.stood_for, 1u);
  EXPECT_GE(total.times.least, uint64_t{kNanosPerMilli});
  EXPECT_LE(total.times.most, after);
  EXPECT_EQ(total.times.sum, total.times.least);
}

TEST_F(SeamTransferTest, TheFirst64AreTimedAndThenOneOf64) {
  for (int i = 0; i < 128; ++i) {
    TransferObservation get;
    get.Post(TransferKind::kGet, 1, 1);
    AwaitTick();
    get.Complete();
    EXPECT_EQ(OfTransfers(TransferKind::kGet).times.timed, i < 64    ? i + 1u
                                                           : i < 127 ? 64u
                                                                     : 65u);
  }
  const TransferTotal& total = OfTransfers(TransferKind::kGet);
  EXPECT_EQ(total.completed, 128u);
  EXPECT_EQ(total.stood_for, 128u);
  EXPECT_LE(total.times.least * 128, total.times.sum);
  EXPECT_LE(total.times.sum, total.times.most * 128);
}

TEST_F(SeamTransferTest, ARecordIsReused) {
  TransferObservation record;
  for (int i = 0; i < 3; ++i) {
    record.Post(TransferKind::kPut, 1, 5);
    record.Complete();
    record.Complete();  // the second has no effect
  }
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 3u);
}

// The network gives up a transfer to a rank that has left.
TEST_F(SeamTransferTest, ATransferMayNeverComplete) {
  TransferObservation record;
  record.Post(TransferKind::kPut, 1, 5);
  record.Post(TransferKind::kGet, 1, 5);
  record.Complete();
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 0u);
  EXPECT_EQ(OfTransfers(TransferKind::kGet).completed, 1u);
}

TEST_F(SeamTransferTest, TransfersBelongToTheGroupOfTheConduit) {
  TransferObservation record;
  SetMask("^C");
  record.Post(TransferKind::kPut, 1, 5);
  SetMask("C");
  record.Complete();
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 0u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 0u);
  record.Post(TransferKind::kPut, 1, 5);
  SetMask("^C");
  record.Complete();
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 1u)
      << "a transfer that is counted is counted to its end";
}

TEST_F(SeamTransferTest, NothingIsCountedWithoutAnObserver) {
  TransferObservation unobserved;
  TransferObservation outlives;
  outlives.Post(TransferKind::kPut, 1, 5);
  End();
  unobserved.Post(TransferKind::kPut, 1, 5);
  outlives.Complete();
  Start();
  unobserved.Complete();
  outlives.Complete();
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 0u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 0u);
}

class TracedSeamTest : public ObservedTest {
 protected:
  TracedSeamTest() {
    setenv("GASNET_TRACEFILE", (path_ + ".%").c_str(), 1);
    End();
    Start();
  }
  ~TracedSeamTest() override {
    End();
    Start();
    unsetenv("GASNET_TRACEFILE");
    unsetenv("GASNET_TRACELOCAL");
    unlink((path_ + ".0").c_str());
  }
  Found Trace() const { return Found(path_ + ".0"); }

 private:
  const std::string path_ =
      absl::StrCat(testing::TempDir(), "/transfers.", getpid());
};

TEST_F(TracedSeamTest, BothEventsHaveTheNumberOfTheTransfer) {
  TransferObservation put;
  TransferObservation get;
  put.Post(TransferKind::kPut, 1, 100);
  get.Post(TransferKind::kGet, 2, 8);
  get.Complete();
  const Found found = Trace();
  ASSERT_EQ(found.Ring(0).count, 4u) << "one event begins the thread";
  const TraceEvent put_posted = found.Event(0, 1);
  const TraceEvent get_posted = found.Event(0, 2);
  const TraceEvent completed = found.Event(0, 3);
  EXPECT_EQ(put_posted.kind, static_cast<uint16_t>(TraceKind::kPosted));
  EXPECT_EQ(put_posted.id, static_cast<uint16_t>(TransferKind::kPut));
  EXPECT_EQ(put_posted.peer, 1u);
  EXPECT_EQ(put_posted.bytes, 100u);
  EXPECT_EQ(completed.kind, static_cast<uint16_t>(TraceKind::kCompleted));
  EXPECT_EQ(completed.id, static_cast<uint16_t>(TransferKind::kGet));
  EXPECT_EQ(completed.peer, 2u);
  EXPECT_EQ(completed.bytes, 8u);
  EXPECT_EQ(completed.argument, get_posted.argument);
  EXPECT_NE(put_posted.argument, get_posted.argument);
  EXPECT_LE(get_posted.nanos, completed.nanos);
}

TEST_F(TracedSeamTest, MessagesOfTheLibraryAreTraced) {
  NoteSent(5, 2, 12);
  const Found found = Trace();
  ASSERT_EQ(found.Ring(0).count, 2u);
  const TraceEvent sent = found.Event(0, 1);
  EXPECT_EQ(sent.kind, static_cast<uint16_t>(TraceKind::kSent));
  EXPECT_EQ(sent.id, 5u);
  EXPECT_EQ(sent.peer, 2u);
  EXPECT_EQ(sent.bytes, 12u);
}

TEST_F(TracedSeamTest, NoMessageAndNoHandlerIsOnlyCounted) {
  for (uint64_t i = 0; i <= kAllTimed; ++i) {
    EXPECT_FALSE(CountMessage(Call::kAMRequestShort, {.peer = 1}));
    const CallScope scope(Call::kAMRequestShort, {.peer = 1});
    HandlerCount count;
    EXPECT_FALSE(count.Begin(200, 0));
  }
  for (uint64_t i = 0; i <= kAllTimed; ++i) {
    HandlerCount count;
    EXPECT_FALSE(count.Begin(200, 0));
    const HandlerObservation run(1, 200, 0);
  }
  // One event begins the thread. No call is traced outside a job.
  const uint64_t events = 1 + 2 * (kAllTimed + 1);
  EXPECT_EQ(Trace().Ring(0).count, events);
}

TEST_F(TracedSeamTest, ANetworksThreadThatServesHasARing) {
  NoteSent(5, 2, 12);
  std::thread([] {
    ServiceObservation observation(1, 7, 10);
    observation.NoteReply(8, 1, 20);
  }).join();
  const Found found = Trace();
  EXPECT_EQ(found.Ring(0).count, 2u);
  ASSERT_EQ(found.Ring(1).count, 4u);
  EXPECT_NE(found.Ring(1).thread, found.Ring(0).thread);
  const TraceEvent begun = found.Event(1, 1);
  EXPECT_EQ(begun.kind, static_cast<uint16_t>(TraceKind::kHandlerBegins));
  EXPECT_EQ(begun.id, 7u);
  EXPECT_EQ(begun.peer, 1u);
  EXPECT_EQ(begun.bytes, 10u);
  const TraceEvent replied = found.Event(1, 2);
  EXPECT_EQ(replied.kind, static_cast<uint16_t>(TraceKind::kSent));
  EXPECT_EQ(replied.id, 8u);
  const TraceEvent ended = found.Event(1, 3);
  EXPECT_EQ(ended.kind, static_cast<uint16_t>(TraceKind::kHandlerEnds));
  EXPECT_EQ(ended.id, 7u);
}

TEST_F(TracedSeamTest, TheMaskOfTracesDecides) {
  Mask mask;
  ASSERT_TRUE(Mask::Parse("^C", mask));
  observer_->tracing().SetMask(mask);
  TransferObservation put;
  put.Post(TransferKind::kPut, 1, 100);
  put.Complete();
  EXPECT_EQ(Trace().Ring(0).count, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 1u);
}

TEST_F(TracedSeamTest, LocalTransfersAreTracedOnlyOnDemand) {
  observer_->tracing().SetLocal(false);
  TransferObservation put;
  put.Post(TransferKind::kPut, 0, 100);
  put.Complete();
  EXPECT_EQ(Trace().Ring(0).count, 1u);
}

}  // namespace
}  // namespace gasnet::observe
