// Tests of the matching of posts with completions.
#include "tools/gasnet_trace/transfers.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;
using testing::ElementsAre;
using testing::IsEmpty;

// The times of a post and of its completion.
using Times = std::tuple<std::optional<int64_t>, std::optional<int64_t>>;

class TransfersTest : public testing::Test {
 protected:
  void Take(int64_t nanos, TraceKind kind, uint64_t number, uint32_t ring = 0) {
    const TraceEvent event = {nanos, static_cast<uint16_t>(kind), 0, 1, 8,
                              number};
    transfers_.Take(event, ring, [this](const auto*... ends) { Add(ends...); });
  }
  void Finish() {
    transfers_.Finish([this](const auto*... ends) { Add(ends...); });
  }
  void Add(const TransferEnd* posted, const TransferEnd* completed) {
    const auto time = [](const TransferEnd* end) {
      return end == nullptr ? std::nullopt : std::optional(end->event.nanos);
    };
    found_.emplace_back(time(posted), time(completed));
    if (posted != nullptr && completed != nullptr) {
      EXPECT_EQ(posted->event.argument, completed->event.argument);
    }
  }

  Transfers transfers_;
  std::vector<Times> found_;
};

TEST_F(TransfersTest, CompletionsMayComeInAnyOrder) {
  Take(1, TraceKind::kPosted, 7);
  Take(2, TraceKind::kPosted, 8);
  Take(3, TraceKind::kCompleted, 8);
  EXPECT_THAT(found_, ElementsAre(Times(2, 3)));
  Take(4, TraceKind::kCompleted, 7);
  EXPECT_THAT(found_, ElementsAre(Times(2, 3), Times(1, 4)));
  Finish();
  EXPECT_EQ(found_.size(), 2u);
}

// The ring of the thread that took the completion is read first.
TEST_F(TransfersTest, ACompletionMayBeReadBeforeItsPost) {
  Take(4, TraceKind::kCompleted, 7, 0);
  Take(1, TraceKind::kPosted, 7, 1);
  EXPECT_THAT(found_, ElementsAre(Times(1, 4)));
}

TEST_F(TransfersTest, EventsWithoutAPartnerComeLast) {
  Take(4, TraceKind::kCompleted, 9);
  Take(5, TraceKind::kPosted, 7);
  EXPECT_THAT(found_, IsEmpty());
  Finish();
  EXPECT_THAT(found_,
              ElementsAre(Times(5, std::nullopt), Times(std::nullopt, 4)));
  Finish();
  EXPECT_EQ(found_.size(), 2u);
}

TEST_F(TransfersTest, TwoEqualEventsAreNoPair) {
  Take(1, TraceKind::kPosted, 7);
  Take(2, TraceKind::kPosted, 7);
  EXPECT_THAT(found_, ElementsAre(Times(2, std::nullopt)));
  Take(3, TraceKind::kCompleted, 7);
  EXPECT_THAT(found_, ElementsAre(Times(2, std::nullopt), Times(1, 3)));
}

TEST_F(TransfersTest, OtherEventsAreIgnored) {
  Take(1, TraceKind::kCallBegins, 7);
  Take(2, TraceKind::kThread, 7);
  Finish();
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(TransfersTest, KindsHaveNames) {
  EXPECT_EQ(NameOfTransfer(0), "put");
  EXPECT_EQ(NameOfTransfer(1), "get");
  EXPECT_EQ(NameOfTransfer(65535), "transfer of kind 65535");
}

}  // namespace
}  // namespace gasnet::trace
