// Tests refused requests: which rank notifies which rank, and when.
#include <gtest/gtest.h>

#include <vector>

#include "conduits/portals/gate.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/pauses.h"
#include "conduits/portals/system_message.h"
#include "conduits/portals/tagged.h"

namespace gasnet::portals_conduit {
namespace {

int first, second;  // stand for operations

TEST(PausesTest, OnlyTheFirstRefusalOfAPauseIsTold) {
  Pauses pauses(3);
  EXPECT_FALSE(pauses.IsPaused(1));
  EXPECT_TRUE(pauses.Refused(1, &first));
  EXPECT_FALSE(pauses.Refused(1, &second));
  EXPECT_TRUE(pauses.IsPaused(1));
  EXPECT_FALSE(pauses.IsPaused(2));
  EXPECT_EQ(pauses.Resume(1), (std::vector<void*>{&first, &second}));
  EXPECT_FALSE(pauses.IsPaused(1));
}

// A refusal that this rank sees after the end of the pause begins another
// pause.
TEST(PausesTest, WhatWasResumedIsNotSentTwice) {
  Pauses pauses(2);
  EXPECT_TRUE(pauses.Refused(1, &first));
  pauses.Resume(1);
  EXPECT_TRUE(pauses.Refused(1, &second));
  EXPECT_EQ(pauses.Resume(1), (std::vector<void*>{&second}));
  EXPECT_TRUE(pauses.Resume(1).empty());
}

TEST(PausesTest, NothingIsSentToAPeerThatIsGivenUpOn) {
  Pauses pauses(3);
  EXPECT_TRUE(pauses.Refused(1, &first));
  EXPECT_EQ(pauses.Close(1), (std::vector<void*>{&first}));
  EXPECT_TRUE(pauses.IsClosed(1));
  EXPECT_FALSE(pauses.IsClosed(2));
  // The message that ends the pause arrives after the peer was given up on.
  EXPECT_TRUE(pauses.Resume(1).empty());
  EXPECT_TRUE(pauses.IsPaused(1));
  EXPECT_FALSE(pauses.Refused(1, &second));
  EXPECT_EQ(pauses.Close(1), (std::vector<void*>{&second}));
}

TEST(TaggedTest, UsersOfARecordAreToldApart) {
  struct alignas(kRecordAlignment) Record {
  } record;
  void* const user = Tag(record, TagKind::kRequest, kTurns + 3);
  EXPECT_EQ(KindOf(user), TagKind::kRequest);
  EXPECT_EQ(TurnOf(user), 3u);
  EXPECT_EQ(&Untag<Record>(user), &record);
}

TEST(GateTest, ItOpensWhenThereIsRoom) {
  Gate gate;
  unsigned enabled = 0;
  const auto enable = [&] { ++enabled; };
  EXPECT_TRUE(gate.IsIdle());
  gate.Shut();
  gate.Blocked(4);
  EXPECT_FALSE(gate.IsIdle());
  EXPECT_TRUE(gate.Open(false, enable).empty());
  EXPECT_EQ(enabled, 0u);
  EXPECT_FALSE(gate.IsIdle());
  EXPECT_EQ(gate.Open(true, enable), (std::vector<Rank>{4}));
  EXPECT_EQ(enabled, 1u);
  EXPECT_TRUE(gate.IsIdle());
  EXPECT_TRUE(gate.Open(true, enable).empty());
  EXPECT_EQ(enabled, 1u);
}

// The gate was opened after the peer was refused. So Open() only notifies the
// peer.
TEST(GateTest, WhoIsLateIsToldWithoutOpening) {
  Gate gate;
  unsigned enabled = 0;
  gate.Blocked(2);
  EXPECT_EQ(gate.Open(false, [&] { ++enabled; }), (std::vector<Rank>{2}));
  EXPECT_EQ(enabled, 0u);
}

TEST(OpSlotsTest, TheLastTwoAreForReplies) {
  OpSlots op_slots(4);
  EXPECT_TRUE(op_slots.Take());
  EXPECT_TRUE(op_slots.Take());
  EXPECT_FALSE(op_slots.Take());
  EXPECT_TRUE(op_slots.TakeForReply(2));
  EXPECT_FALSE(op_slots.TakeForReply(1));
  op_slots.Give(2);
  EXPECT_FALSE(op_slots.Take());
  op_slots.Give(1);
  EXPECT_TRUE(op_slots.Take());
  EXPECT_EQ(op_slots.in_use(), 2u);
}

TEST(SystemMessageTest, EveryFieldComesBack) {
  for (const auto kind :
       {SystemMessage::Kind::kRevoke, SystemMessage::Kind::kReturn,
        SystemMessage::Kind::kBlocked, SystemMessage::Kind::kResume}) {
    for (const bool epoch : {false, true}) {
      const SystemMessage sent = {
          .kind = kind, .epoch = epoch, .credits = 0xffff};
      const SystemMessage read = SystemMessage::Of(sent.HeaderData());
      EXPECT_EQ(read.kind, kind);
      EXPECT_EQ(read.epoch, epoch);
      EXPECT_EQ(read.credits, 0xffff);
    }
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
