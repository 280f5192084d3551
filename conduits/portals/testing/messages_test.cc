// Tests of requests in flight. Each event belongs to one use of a chunk, and
// does not affect later uses of the chunk.
#include "conduits/portals/messages.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "conduits/portals/testing/fake_portals.h"

namespace gasnet::portals_conduit {
namespace {

constexpr Rank kPeer = 1;
constexpr Rank kOther = 2;
constexpr size_t kChunk = 512;

class MessagesTest : public ::testing::Test {
 protected:
  MessagesTest() {
    settings_.msg_limit = 8;
    settings_.sb_chunks = 4;
    settings_.rpl_chunks = 2;
    settings_.chunk = kChunk;
    settings_.credits.mode = credits::Mode::kOff;
    absl::StatusOr<Plan> plan = Plan::For(kOther, /*threads=*/true, settings_);
    EXPECT_TRUE(plan.ok()) << plan.status();
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, *plan);
    EXPECT_TRUE(opened.ok()) << opened.status();
    interface_ = *std::move(opened);
    transfers_ = std::make_unique<PortalsTransfers>(*interface_, op_slots_,
                                                    statistics_, settings_);
    messages_ = std::make_unique<PortalsMessages>(
        *interface_, op_slots_, *transfers_, statistics_, *plan, settings_, 0,
        kOther + 1);
    EXPECT_TRUE(messages_->Start().ok());
  }

  // Sends a Short. Returns the user pointer of its put.
  void* Request() {
    EXPECT_EQ(
        messages_->sender().Send(kPeer, am::Lane::kRequest, {.handler = 200}),
        am::Post::kDone);
    return fake_.operations.back().user;
  }
  void Answer(Rank source, size_t chunk, size_t beside = 0) {
    const PortalsHeader nothing = {.form = Form::kNothing};
    ptl_event_t event = {};
    event.type = PTL_EVENT_PUT;
    event.initiator.rank = source;
    event.remote_offset = chunk * kChunk + beside;
    event.pt_index = ConduitInterface::IndexOf(PortalTable::kReplies);
    event.match_bits = nothing.MatchBits();
    EXPECT_EQ(messages_->receiver().TakeReply(event, nullptr), 0u);
  }
  static ptl_event_t EventOf(void* user) {
    ptl_event_t event = {};
    event.type = PTL_EVENT_ACK;
    event.user_ptr = user;
    return event;
  }
  void Resume(Rank source) {
    const SystemMessage resume = {.kind = SystemMessage::Kind::kResume};
    ptl_event_t event = {};
    event.type = PTL_EVENT_PUT;
    event.initiator.rank = source;
    event.hdr_data = resume.HeaderData();
    messages_->TakeSystem(event);
  }

  FakePortals fake_;
  PortalsSettings settings_ = {};
  OpSlots op_slots_{8};
  PortalsStatistics statistics_{true};
  std::unique_ptr<ConduitInterface> interface_;
  std::unique_ptr<PortalsTransfers> transfers_;
  std::unique_ptr<PortalsMessages> messages_;
};

TEST_F(MessagesTest, UsesOfAChunkAreToldApart) {
  std::vector<void*> users;
  for (unsigned i = 0; i < kTurns; ++i) {
    users.push_back(Request());
    EXPECT_EQ(KindOf(users.back()), TagKind::kRequest);
    EXPECT_EQ(Requests::PeerOf(users.back()), kPeer);
    for (unsigned before = 0; before < i; ++before) {
      EXPECT_NE(users[before], users[i]);
    }
    Answer(kPeer, 0);
    EXPECT_EQ(op_slots_.in_use(), 0u);
  }
}

TEST_F(MessagesTest, ALossReleasesTheRequestThatItIsOf) {
  void* const first = Request();
  messages_->requests().Lost(EventOf(first));
  EXPECT_EQ(op_slots_.in_use(), 0u);
  // The same failure is reported twice.
  messages_->requests().Lost(EventOf(first));
  EXPECT_EQ(op_slots_.in_use(), 0u);
}

TEST_F(MessagesTest, ALateLossDoesNotReleaseTheUseBehind) {
  void* const first = Request();
  Answer(kPeer, 0);
  void* const second = Request();
  messages_->requests().Lost(EventOf(first));
  EXPECT_EQ(op_slots_.in_use(), 1u);
  // The third request gets another chunk, since the second one still uses its
  // chunk.
  const void* const third = Request();
  EXPECT_NE(reinterpret_cast<uintptr_t>(third) / kRecordAlignment,
            reinterpret_cast<uintptr_t>(second) / kRecordAlignment);
  messages_->requests().Lost(EventOf(second));
  EXPECT_EQ(op_slots_.in_use(), 1u);
}

TEST_F(MessagesTest, ALateRefusalPausesNobody) {
  void* const first = Request();
  Answer(kPeer, 0);
  void* const second = Request();
  const size_t puts = fake_.operations.size();
  messages_->requests().Refused(EventOf(first));
  EXPECT_EQ(statistics_[Counted::kRefusals], 0u);
  EXPECT_EQ(fake_.operations.size(), puts) << "nothing is told";
  messages_->requests().Refused(EventOf(second));
  EXPECT_EQ(statistics_[Counted::kRefusals], 1u);
  ASSERT_EQ(fake_.operations.size(), puts + 1);
  EXPECT_EQ(fake_.operations.back().table,
            ConduitInterface::IndexOf(PortalTable::kSystem));
}

// The first request is refused and then lost, and another request reuses its
// slot. The first request must not be sent again.
TEST_F(MessagesTest, WhatIsSentAgainIsOfTheSameUse) {
  void* const first = Request();
  messages_->requests().Refused(EventOf(first));
  messages_->requests().Lost(EventOf(first));
  EXPECT_EQ(
      messages_->sender().Send(kOther, am::Lane::kRequest, {.handler = 200}),
      am::Post::kDone);
  EXPECT_NE(fake_.operations.back().user, first);
  const size_t puts = fake_.operations.size();
  Resume(kPeer);
  EXPECT_EQ(fake_.operations.size(), puts);
  // This refusal belongs to the current use.
  void* const second = Request();
  messages_->requests().Refused(EventOf(second));
  Resume(kPeer);
  EXPECT_EQ(fake_.operations.back().user, second);
  EXPECT_EQ(fake_.operations.back().table,
            ConduitInterface::IndexOf(PortalTable::kRequests));
}

using MessagesDeathTest = MessagesTest;

TEST_F(MessagesDeathTest, AReplyToNoRequestEndsTheJob) {
  Request();
  static constexpr const char* kNone =
      "malformed reply.*no request of that chunk";
  EXPECT_DEATH(Answer(kOther, 0), kNone);
  EXPECT_DEATH(Answer(kPeer, 1), kNone);
  EXPECT_DEATH(Answer(kPeer, 0, 16), "it goes to no chunk");
  EXPECT_DEATH(Answer(kPeer, 4), "it goes to no chunk");
  Answer(kPeer, 0);
  EXPECT_DEATH(Answer(kPeer, 0), kNone);
}

}  // namespace
}  // namespace gasnet::portals_conduit
