// Rules 13 to 16: the entry that takes a message, the place of the message in
// the entry, and the events.
#include <portals4.h>
#include <unistd.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

void* Pointer(uintptr_t user) { return reinterpret_cast<void*>(user); }

// The target has a portal table entry with a queue; the initiator has a
// descriptor.
class Matching : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    at_target_ = target().Eq();
    pt_ = target().Pt(at_target_);
  }
  ptl_handle_me_t Link(const Entry& entry) {
    return target().Link(pt_, entry, at_target_);
  }
  // Does a put that succeeds. Returns the target's event.
  ptl_event_t Deliver(Operation put) {
    put.md = md_;
    put.pt = pt_;
    PutEnds(put, eq_, PTL_NI_OK);
    return Expect(target(), at_target_, {{PTL_EVENT_PUT}})[0];
  }
  void Fails(Operation put, ptl_ni_fail_t fail) {
    put.md = md_;
    put.pt = pt_;
    PutEnds(put, eq_, fail);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule13 : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule13, MatchingSetups(), SetupName);

TEST_P(Rule13, TheFirstThatMatchesTakesIt) {
  Link({.bits = 5, .user = 1});
  Link({.bits = 6, .user = 2});
  Link({.bits = 6, .user = 3});
  EXPECT_EQ(Deliver({.bits = 6}).user_ptr, Pointer(2));
  EXPECT_EQ(Deliver({.bits = 5}).user_ptr, Pointer(1));
}

TEST_P(Rule13, ThePriorityListComesFirst) {
  Link({.list = PTL_OVERFLOW_LIST, .user = 1});
  Link({.user = 2});
  EXPECT_EQ(Deliver({}).user_ptr, Pointer(2));
}

TEST_P(Rule13, IgnoredBitsDoNotMatter) {
  Link({.bits = 0xff00, .ignore = 0x00ff, .user = 1});
  EXPECT_EQ(Deliver({.bits = 0xff37}).user_ptr, Pointer(1));
  Fails({.bits = 0xfe37}, PTL_NI_DROPPED);
  Fails({.bits = 0x800000000000ff00}, PTL_NI_DROPPED);
}

TEST_P(Rule13, OnlyItsInitiator) {
  ptl_process_t another = initiator().id();
  if ((GetParam().options & PTL_NI_LOGICAL) != 0) {
    another.rank += 17;
  } else {
    another.phys.pid += 1;
  }
  Link({.user = 1, .from = another});
  Fails({}, PTL_NI_DROPPED);
  Link({.user = 2, .from = initiator().id()});
  EXPECT_EQ(Deliver({}).user_ptr, Pointer(2));
}

TEST_P(Rule13, WildcardsOfEachField) {
  if ((GetParam().options & PTL_NI_LOGICAL) != 0)
    GTEST_SKIP() << "ranks are one field";
  ptl_process_t any_pid = initiator().id();
  any_pid.phys.pid = PTL_PID_ANY;
  Link({.bits = 1, .user = 1, .from = any_pid});
  ptl_process_t any_nid = initiator().id();
  any_nid.phys.nid = PTL_NID_ANY;
  Link({.bits = 2, .user = 2, .from = any_nid});
  ptl_process_t other_nid = initiator().id();
  other_nid.phys.nid += 1;
  other_nid.phys.pid = PTL_PID_ANY;
  Link({.bits = 3, .user = 3, .from = other_nid});
  EXPECT_EQ(Deliver({.bits = 1}).user_ptr, Pointer(1));
  EXPECT_EQ(Deliver({.bits = 2}).user_ptr, Pointer(2));
  Fails({.bits = 3}, PTL_NI_DROPPED);
}

TEST_P(Rule13, WhatIsTooLongGoesOn) {
  Link({.length = 16, .options = kPutGet | PTL_ME_NO_TRUNCATE, .user = 1});
  Link({.length = 64, .user = 2});
  EXPECT_EQ(Deliver({.length = 16}).user_ptr, Pointer(1));
  EXPECT_EQ(Deliver({.length = 17}).user_ptr, Pointer(2));
  EXPECT_EQ(Deliver({.length = 8, .remote = 9}).user_ptr, Pointer(2));
}

TEST_P(Rule13, TheFirstMatchDecidesAboutPermission) {
  Link({.uid = getuid() + 1, .user = 1});
  Link({.user = 2});
  Fails({}, PTL_NI_PERM_VIOLATION);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule13, TheFirstMatchDecidesAboutOperations) {
  Link({.options = PTL_ME_OP_GET, .user = 1});
  Link({.user = 2});
  Fails({}, PTL_NI_OP_VIOLATION);
  ExpectQuiet(target(), at_target_);
}

class Rule13Any : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule13Any, AllSetups(), SetupName);

TEST_P(Rule13Any, OperationsNeedTheirOption) {
  const ptl_handle_me_t entry = Link({.options = PTL_ME_OP_PUT});
  const Operation plain = {.md = md_, .pt = pt_};
  EXPECT_EQ(initiator().Get(target(), plain), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY, PTL_NI_OP_VIOLATION}});
  EXPECT_EQ(initiator().Atomic(target(), plain, PTL_SUM, PTL_INT64_T), PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  Expect(target(), at_target_, {{PTL_EVENT_ATOMIC}});
  EXPECT_EQ(
      initiator().FetchAtomic(target(), plain, md_, 64, PTL_SUM, PTL_INT64_T),
      PTL_OK);
  ExpectAll(initiator(), eq_,
            {{PTL_EVENT_SEND}, {PTL_EVENT_REPLY, PTL_NI_OP_VIOLATION}});
  EXPECT_EQ(target().Unlink(entry), PTL_OK);
  Link({.options = PTL_ME_OP_GET});
  EXPECT_EQ(initiator().Atomic(target(), plain, PTL_SUM, PTL_INT64_T), PTL_OK);
  ExpectAll(initiator(), eq_,
            {{PTL_EVENT_SEND}, {PTL_EVENT_ACK, PTL_NI_OP_VIOLATION}});
  EXPECT_EQ(initiator().Get(target(), plain), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  Expect(target(), at_target_, {{PTL_EVENT_GET}});
}

TEST_P(Rule13Any, GetsWithoutAnEntryAreDropped) {
  EXPECT_EQ(initiator().Get(target(), {.md = md_, .pt = pt_}), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY, PTL_NI_DROPPED}});
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 1);
}

TEST_P(Rule13Any, AnOwnUserIsAllowed) {
  Link({.uid = getuid()});
  EXPECT_EQ(Deliver({}).uid, getuid());
}

class Rule14 : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule14, AllSetups(), SetupName);

TEST_P(Rule14, TruncatesAtTheEnd) {
  target().Fill(0, 256, 1);
  initiator().Fill(4096, 64, 2);
  Link({.offset = 64, .length = 64});
  const ptl_event_t event =
      Deliver({.local = 4096, .length = 64, .remote = 40});
  EXPECT_EQ(event.mlength, 24U);
  EXPECT_EQ(event.rlength, 64U);
  EXPECT_EQ(target().Differs(104, 24, 2), 24U);
  const auto behind = target().Call([at = target().memory() + 128] {
    return static_cast<unsigned char>(*at);
  });
  EXPECT_EQ(behind, static_cast<unsigned char>(128 * 131 + 29 + 7));
}

TEST_P(Rule14, BeyondTheEndNothingIsMoved) {
  Link({.length = 64});
  EXPECT_EQ(Deliver({.length = 8, .remote = 64}).mlength, 0U);
  EXPECT_EQ(Deliver({.length = 8, .remote = PTL_SIZE_MAX}).mlength, 0U);
  EXPECT_EQ(Deliver({.length = 8, .remote = PTL_SIZE_MAX - 3}).mlength, 0U);
}

TEST_P(Rule14, GetsAreTruncatedToo) {
  target().Fill(0, 64, 3);
  initiator().Fill(4096, 64, 4);
  Link({.length = 48});
  EXPECT_EQ(initiator().Get(
                target(), {.md = md_, .local = 4096, .length = 64, .pt = pt_}),
            PTL_OK);
  EXPECT_EQ(Expect(initiator(), eq_, {{PTL_EVENT_REPLY}})[0].mlength, 48U);
  EXPECT_EQ(Expect(target(), at_target_, {{PTL_EVENT_GET}})[0].mlength, 48U);
  EXPECT_EQ(initiator().Differs(4096, 48, 3), 48U);
}

class Rule15 : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule15, MatchingSetups(), SetupName);

TEST_P(Rule15, PacksOneBehindTheOther) {
  Link({.length = 100, .options = kPutGet | PTL_ME_MANAGE_LOCAL});
  EXPECT_EQ(Deliver({.length = 10, .remote = 55}).start, target().memory());
  const ptl_event_t second = Deliver({.length = 20, .remote = 55});
  EXPECT_EQ(second.start, target().memory() + 10);
  EXPECT_EQ(second.remote_offset, 55U) << "as requested";
  EXPECT_EQ(Deliver({.length = 100}).mlength, 70U);
  EXPECT_EQ(Deliver({.length = 8}).mlength, 0U);
}

TEST_P(Rule15, MayAlignAndOverlapsNothing) {
  target().Append(
      pt_, {.length = 256,
            .options = PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL | PTL_ME_MAY_ALIGN});
  ptl_size_t end = 0;
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(initiator().Put(target(), {.md = md_, .length = 5, .pt = pt_}),
              PTL_OK);
    const auto events =
        ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
    EXPECT_EQ(events[1].mlength, 5U);
    EXPECT_GE(events[1].remote_offset, end);
    end = events[1].remote_offset + 5;
  }
}

TEST_P(Rule15, GetsUseTheSameOffset) {
  Link({.length = 100, .options = kPutGet | PTL_ME_MANAGE_LOCAL});
  Deliver({.length = 10});
  EXPECT_EQ(initiator().Get(target(), {.md = md_, .length = 7, .pt = pt_}),
            PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  EXPECT_EQ(Expect(target(), at_target_, {{PTL_EVENT_GET}})[0].start,
            target().memory() + 10);
  EXPECT_EQ(Deliver({.length = 3}).start, target().memory() + 17);
}

TEST_P(Rule15, AcknowledgesTheOffsetUsed) {
  Link({.length = 100, .options = kPutGet | PTL_ME_MANAGE_LOCAL});
  Deliver({.length = 10});
  EXPECT_EQ(initiator().Put(target(),
                            {.md = md_, .length = 10, .pt = pt_, .remote = 55}),
            PTL_OK);
  const auto events =
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(events[1].remote_offset, 10U);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}});
}

TEST_P(Rule15, UnlinksWhenLessThanMinFreeIsLeft) {
  const ptl_handle_me_t entry = Link({.length = 100,
                                      .options = kPutGet | PTL_ME_MANAGE_LOCAL,
                                      .min_free = 50,
                                      .user = 9});
  Deliver({.length = 50});
  ExpectQuiet(target(), at_target_);
  Deliver({.length = 1});
  EXPECT_EQ(Expect(target(), at_target_, {{PTL_EVENT_AUTO_UNLINK}})[0].user_ptr,
            Pointer(9));
  EXPECT_EQ(target().Unlink(entry), PTL_ARG_INVALID);
  Fails({.length = 1}, PTL_NI_DROPPED);
}

class Rule15Any : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule15Any, AllSetups(), SetupName);

TEST_P(Rule15Any, UsedOnceAndUnlinked) {
  const ptl_handle_me_t entry =
      Link({.options = kPutGet | PTL_ME_USE_ONCE, .user = 9});
  Deliver({});
  EXPECT_EQ(Expect(target(), at_target_, {{PTL_EVENT_AUTO_UNLINK}})[0].user_ptr,
            Pointer(9));
  EXPECT_EQ(target().Unlink(entry), PTL_ARG_INVALID);
  Fails({}, PTL_NI_DROPPED);
}

class Rule16 : public Matching {};
INSTANTIATE_TEST_SUITE_P(All, Rule16, AllSetups(), SetupName);

TEST_P(Rule16, TellsAllOfThePut) {
  const ptl_match_bits_t bits = target().matching() ? 0x1234567890abcdef : 0;
  initiator().Fill(4096, 96, 6);
  Link({.offset = 512, .length = 1024, .bits = bits, .user = 77});
  const ptl_event_t event = Deliver({.local = 4096,
                                     .length = 96,
                                     .bits = bits,
                                     .remote = 128,
                                     .user = 5,
                                     .header = 0xfedcba9876543210});
  EXPECT_EQ(event.start, target().memory() + 640);
  EXPECT_EQ(event.user_ptr, Pointer(77));
  EXPECT_EQ(event.hdr_data, 0xfedcba9876543210U);
  EXPECT_EQ(target().matching() ? event.match_bits : bits, bits);
  EXPECT_EQ(event.rlength, 96U);
  EXPECT_EQ(event.mlength, 96U);
  EXPECT_EQ(event.remote_offset, 128U);
  EXPECT_EQ(event.uid, getuid());
  EXPECT_EQ(event.pt_index, pt_);
  EXPECT_EQ(event.ptl_list, ptl_list_t{PTL_PRIORITY_LIST});
  if ((GetParam().options & PTL_NI_LOGICAL) != 0) {
    EXPECT_EQ(event.initiator.rank, initiator().id().rank);
  } else {
    EXPECT_EQ(event.initiator.phys.pid, initiator().id().phys.pid);
    EXPECT_EQ(event.initiator.phys.nid, initiator().id().phys.nid);
  }
  EXPECT_EQ(target().Differs(640, 96, 6), 96U);
}

TEST_P(Rule16, TellsAllOfAnAtomic) {
  Link({.user = 77});
  initiator().Store<int64_t>(0, 5);
  target().Store<int64_t>(4096 - 64, 0);
  EXPECT_EQ(initiator().Atomic(
                target(), {.md = md_, .pt = pt_, .remote = 4032, .header = 11},
                PTL_SUM, PTL_INT64_T),
            PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  const auto event = Expect(target(), at_target_, {{PTL_EVENT_ATOMIC}})[0];
  EXPECT_EQ(event.atomic_operation, ptl_op_t{PTL_SUM});
  EXPECT_EQ(event.atomic_type, ptl_datatype_t{PTL_INT64_T});
  EXPECT_EQ(event.hdr_data, 11U);
  EXPECT_EQ(event.start, target().memory() + 4032);
}

TEST_P(Rule16, UnlinkIsToldAfterTheOperation) {
  for (uintptr_t i = 1; i <= 4; ++i) {
    Link({.options = PTL_ME_OP_PUT | PTL_ME_USE_ONCE, .user = i});
  }
  for (int i = 0; i < 4; ++i) Fails({}, PTL_NI_OK);
  for (uintptr_t i = 1; i <= 4; ++i) {
    const auto events = Expect(target(), at_target_,
                               {{PTL_EVENT_PUT}, {PTL_EVENT_AUTO_UNLINK}});
    EXPECT_EQ(events[0].user_ptr, Pointer(i));
    EXPECT_EQ(events[1].user_ptr, Pointer(i));
    EXPECT_EQ(events[1].pt_index, pt_);
  }
}

TEST_P(Rule16, NothingToMoveIsTold) {
  Link({.length = 0});
  EXPECT_EQ(Deliver({.length = 0, .header = 3}).hdr_data, 3U);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
