// Rules 17 to 19, 21 and 22: unexpected headers, unlinking, searches.
#include <portals4.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
constexpr unsigned kOnce = kPutGet | PTL_ME_USE_ONCE;

void* Pointer(uintptr_t user) { return reinterpret_cast<void*>(user); }

class Overflow : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    Prepare();
  }
  void Prepare() {
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    at_target_ = target().Eq();
    pt_ = target().Pt(at_target_);
  }
  // Does a put that succeeds. Expects the put's event at the target, and then
  // the events `more`. Returns the put's event.
  ptl_event_t Deliver(Operation put,
                      std::initializer_list<Expected> more = {}) {
    put.md = md_;
    put.pt = pt_;
    PutEnds(put, eq_, PTL_NI_OK);
    const ptl_event_t event =
        Expect(target(), at_target_, {{PTL_EVENT_PUT}})[0];
    Expect(target(), at_target_, more);
    return event;
  }
  ptl_handle_me_t LinkOverflow(Entry entry = {}) {
    entry.list = PTL_OVERFLOW_LIST;
    return target().Link(pt_, entry, at_target_);
  }
  ptl_handle_me_t Append(const Entry& entry) {
    const auto appended = target().Append(pt_, entry);
    EXPECT_EQ(appended.code, PTL_OK);
    return appended.value;
  }
  ptl_event_t Told(ptl_event_kind_t type) {
    return Expect(target(), at_target_, {{type}})[0];
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule17 : public Overflow {};
INSTANTIATE_TEST_SUITE_P(All, Rule17, AllSetups(), SetupName);

TEST_P(Rule17, TellsTheListToBothSides) {
  LinkOverflow({.user = 4});
  EXPECT_EQ(initiator().Put(target(), {.md = md_, .pt = pt_}), PTL_OK);
  const auto acked =
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(acked[1].ptl_list, ptl_list_t{PTL_OVERFLOW_LIST});
  const auto event = Told(PTL_EVENT_PUT);
  EXPECT_EQ(event.ptl_list, ptl_list_t{PTL_OVERFLOW_LIST});
  EXPECT_EQ(event.user_ptr, Pointer(4));
}

TEST_P(Rule17, NoHeadersWhereDisabled) {
  LinkOverflow({.options = kPutGet | PTL_ME_UNEXPECTED_HDR_DISABLE});
  Deliver({});
  EXPECT_EQ(target().Search(pt_, {}, PTL_SEARCH_ONLY), PTL_OK);
  Expect(target(), at_target_, {{PTL_EVENT_SEARCH, PTL_NI_NO_MATCH}});
}

TEST_P(Rule17, KeepsTheEntryBusy) {
  const ptl_handle_me_t overflow = LinkOverflow();
  Deliver({});
  EXPECT_EQ(target().Unlink(overflow), PTL_IN_USE);
  Append({.options = kOnce});
  Expect(target(), at_target_,
         {{PTL_EVENT_PUT_OVERFLOW}, {PTL_EVENT_AUTO_UNLINK}});
  EXPECT_EQ(target().Unlink(overflow), PTL_OK);
}

TEST_P(Rule17, HeadersHaveALimit) {
  ptl_ni_limits_t limits;
  memset(&limits, 0x7f, sizeof limits);
  limits.max_unexpected_headers = 1;
  Reopen(limits);
  Prepare();
  ASSERT_EQ(target().limits().max_unexpected_headers, 1);
  LinkOverflow();
  Deliver({});
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_DROPPED);
  Append({.options = kOnce});
  Expect(target(), at_target_,
         {{PTL_EVENT_PUT_OVERFLOW}, {PTL_EVENT_AUTO_UNLINK}});
  Deliver({});
}

class Rule18 : public Overflow {};
INSTANTIATE_TEST_SUITE_P(All, Rule18, AllSetups(), SetupName);

TEST_P(Rule18, OrderOfEventsOfUseOnce) {
  const ptl_handle_me_t overflow =
      LinkOverflow({.offset = 256, .options = kOnce, .user = 1});
  Deliver({.length = 16, .header = 7}, {{PTL_EVENT_AUTO_UNLINK}});
  const ptl_handle_me_t late = Append({.options = kOnce, .user = 2});
  const auto events = Expect(target(), at_target_,
                             {{PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_AUTO_FREE},
                              {PTL_EVENT_AUTO_UNLINK}});
  EXPECT_EQ(events[0].start, target().memory() + 256);
  EXPECT_EQ(events[0].user_ptr, Pointer(2));
  EXPECT_EQ(events[0].hdr_data, 7U);
  EXPECT_EQ(events[0].mlength, 16U);
  EXPECT_EQ(events[1].user_ptr, Pointer(1));
  EXPECT_EQ(events[2].user_ptr, Pointer(2));
  EXPECT_EQ(target().Unlink(overflow), PTL_ARG_INVALID);
  EXPECT_EQ(target().Unlink(late), PTL_ARG_INVALID);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule18, PersistentTakesAllInOrder) {
  LinkOverflow();
  for (ptl_hdr_data_t i = 1; i <= 5; ++i) Deliver({.header = i});
  Append({.user = 3});
  const auto events = Expect(target(), at_target_,
                             {{PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_LINK}});
  for (ptl_hdr_data_t i = 1; i <= 5; ++i) EXPECT_EQ(events[i - 1].hdr_data, i);
  EXPECT_EQ(Deliver({}).user_ptr, Pointer(3)) << "it is linked";
}

TEST_P(Rule18, UseOnceTakesTheFirstAlone) {
  LinkOverflow();
  Deliver({.header = 1});
  Deliver({.header = 2});
  Append({.options = kOnce});
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).hdr_data, 1U);
  Told(PTL_EVENT_AUTO_UNLINK);
  Append({.options = kOnce});
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).hdr_data, 2U);
  Told(PTL_EVENT_AUTO_UNLINK);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule18, OverflowAppendsDoNotSearch) {
  LinkOverflow();
  Deliver({});
  LinkOverflow();
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule18, FreedAfterTheLastHeader) {
  LinkOverflow({.options = kOnce, .user = 1});
  Deliver({}, {{PTL_EVENT_AUTO_UNLINK}});
  LinkOverflow({.options = kOnce, .user = 2});
  Deliver({}, {{PTL_EVENT_AUTO_UNLINK}});
  Append({});
  const auto events = Expect(target(), at_target_,
                             {{PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_AUTO_FREE},
                              {PTL_EVENT_PUT_OVERFLOW},
                              {PTL_EVENT_AUTO_FREE},
                              {PTL_EVENT_LINK}});
  EXPECT_EQ(events[1].user_ptr, Pointer(1));
  EXPECT_EQ(events[3].user_ptr, Pointer(2));
}

TEST_P(Rule18, OtherOperationsLeaveHeadersToo) {
  LinkOverflow();
  const Operation plain = {.md = md_, .pt = pt_};
  EXPECT_EQ(initiator().Get(target(), plain), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  Told(PTL_EVENT_GET);
  EXPECT_EQ(initiator().Atomic(target(), plain, PTL_BOR, PTL_INT64_T), PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  Told(PTL_EVENT_ATOMIC);
  EXPECT_EQ(
      initiator().FetchAtomic(target(), plain, md_, 4096, PTL_BOR, PTL_INT64_T),
      PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_REPLY}});
  Told(PTL_EVENT_FETCH_ATOMIC);
  Append({});
  Expect(target(), at_target_,
         {{PTL_EVENT_GET_OVERFLOW},
          {PTL_EVENT_ATOMIC_OVERFLOW},
          {PTL_EVENT_FETCH_ATOMIC_OVERFLOW},
          {PTL_EVENT_LINK}});
}

class Rule18Matching : public Overflow {};
INSTANTIATE_TEST_SUITE_P(All, Rule18Matching, MatchingSetups(), SetupName);

TEST_P(Rule18Matching, OnlyWhatMatches) {
  LinkOverflow({.ignore = ~ptl_match_bits_t{0}});
  for (ptl_match_bits_t bits = 1; bits <= 3; ++bits) Deliver({.bits = bits});
  Append({.options = kOnce, .bits = 2});
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).match_bits, 2U);
  Told(PTL_EVENT_AUTO_UNLINK);
  target().Link(pt_, {.bits = 4}, at_target_);
  Append({.bits = 1, .ignore = 2});
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).match_bits, 1U);
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).match_bits, 3U);
  Told(PTL_EVENT_LINK);
}

TEST_P(Rule18Matching, DataLiesInTheOverflowBuffer) {
  LinkOverflow({.length = 4096, .options = kPutGet | PTL_ME_MANAGE_LOCAL});
  initiator().Fill(8192, 100, 1);
  Deliver({.local = 8192, .length = 10});
  Deliver({.local = 8192, .length = 100});
  Append({.offset = 4096});
  Told(PTL_EVENT_PUT_OVERFLOW);
  EXPECT_EQ(Told(PTL_EVENT_PUT_OVERFLOW).start, target().memory() + 10);
  EXPECT_EQ(target().Differs(10, 100, 1), 100U);
}

class Rule19 : public Overflow {
 protected:
  void Deliver5() {
    LinkOverflow();
    for (int i = 0; i < 5; ++i) Overflow::Deliver({.length = 10});
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule19, MatchingSetups(), SetupName);

TEST_P(Rule19, HeadersUseNoRoomOfTheNewEntry) {
  Deliver5();
  Append(
      {.offset = 4096, .length = 30, .options = kPutGet | PTL_ME_MANAGE_LOCAL});
  for (int i = 0; i < 5; ++i) Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_LINK);
  EXPECT_EQ(Deliver({.length = 10}).start, target().memory() + 4096);
}

TEST_P(Rule19, ButWhereItIsAskedFor) {
  Deliver5();
  const unsigned options =
      kPutGet | PTL_ME_MANAGE_LOCAL | PTL_ME_LOCAL_INC_UH_RLENGTH;
  Append({.offset = 4096, .length = 100, .options = options});
  for (int i = 0; i < 5; ++i) Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_LINK);
  EXPECT_EQ(Deliver({.length = 10}).start, target().memory() + 4096 + 50);
}

TEST_P(Rule19, StopsWhereMinFreeIsViolated) {
  Deliver5();
  const unsigned options =
      kPutGet | PTL_ME_MANAGE_LOCAL | PTL_ME_LOCAL_INC_UH_RLENGTH;
  const ptl_handle_me_t entry =
      Append({.offset = 4096, .length = 30, .options = options, .min_free = 5});
  // Each header takes 10 bytes of the room: 30, 20, 10, 0 bytes are left. The
  // third header leaves less than 5 bytes.
  for (int i = 0; i < 3; ++i) Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_AUTO_UNLINK);
  EXPECT_EQ(target().Unlink(entry), PTL_ARG_INVALID);
  Append({.offset = 4096});
  for (int i = 0; i < 2; ++i) Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_LINK);
}

class Rule21 : public Overflow {};
INSTANTIATE_TEST_SUITE_P(All, Rule21, AllSetups(), SetupName);

TEST_P(Rule21, UnlinkingIsSilentAndForGood) {
  const ptl_handle_me_t entry = target().Link(pt_, {}, at_target_);
  Deliver({});
  EXPECT_EQ(target().Unlink(entry), PTL_OK);
  EXPECT_EQ(target().Unlink(entry), PTL_ARG_INVALID);
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_DROPPED);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule21, BusyWhileHeadersLieInIt) {
  const ptl_handle_me_t overflow = LinkOverflow();
  Deliver({});
  Deliver({});
  EXPECT_EQ(target().Unlink(overflow), PTL_IN_USE);
  EXPECT_EQ(target().Search(pt_, {}, PTL_SEARCH_DELETE), PTL_OK);
  Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_PUT_OVERFLOW);
  EXPECT_EQ(target().Unlink(overflow), PTL_OK);
}

TEST_P(Rule21, OthersStayInOrder) {
  ptl_handle_me_t entries[4];
  for (uintptr_t i = 0; i < 4; ++i) {
    entries[i] = target().Link(pt_, {.options = kOnce, .user = i}, at_target_);
  }
  EXPECT_EQ(target().Unlink(entries[0]), PTL_OK);
  EXPECT_EQ(target().Unlink(entries[2]), PTL_OK);
  EXPECT_EQ(Deliver({}, {{PTL_EVENT_AUTO_UNLINK}}).user_ptr, Pointer(1));
  EXPECT_EQ(Deliver({}, {{PTL_EVENT_AUTO_UNLINK}}).user_ptr, Pointer(3));
}

class Rule22 : public Overflow {
 protected:
  void Fill(int headers) {
    LinkOverflow({.options = kPutGet | PTL_ME_EVENT_COMM_DISABLE});
    for (int i = 0; i < headers; ++i)
      PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
  }
  void Counts(ptl_handle_ct_t ct, ptl_size_t success, ptl_size_t failure) {
    const ptl_ct_event_t count = target().Count(ct);
    EXPECT_EQ(count.success, success);
    EXPECT_EQ(count.failure, failure);
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule22, AllSetups(), SetupName);

TEST_P(Rule22, OnlyLooking) {
  Fill(2);
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(target().Search(pt_, {.user = 6}, PTL_SEARCH_ONLY), PTL_OK);
    const auto events =
        Expect(target(), at_target_, {{PTL_EVENT_SEARCH}, {PTL_EVENT_SEARCH}});
    EXPECT_EQ(events[0].user_ptr, Pointer(6));
    EXPECT_EQ(events[0].start, target().memory());
    EXPECT_EQ(events[0].mlength, 8U);
  }
  EXPECT_EQ(target().Search(pt_, {.options = kOnce}, PTL_SEARCH_ONLY), PTL_OK);
  Told(PTL_EVENT_SEARCH);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule22, Deleting) {
  Fill(3);
  EXPECT_EQ(target().Search(pt_, {.options = kOnce}, PTL_SEARCH_DELETE),
            PTL_OK);
  Told(PTL_EVENT_PUT_OVERFLOW);
  EXPECT_EQ(target().Search(pt_, {}, PTL_SEARCH_DELETE), PTL_OK);
  Told(PTL_EVENT_PUT_OVERFLOW);
  Told(PTL_EVENT_PUT_OVERFLOW);
  EXPECT_EQ(target().Search(pt_, {.user = 8}, PTL_SEARCH_DELETE), PTL_OK);
  EXPECT_EQ(
      Expect(target(), at_target_, {{PTL_EVENT_SEARCH, PTL_NI_NO_MATCH}})[0]
          .user_ptr,
      Pointer(8));
}

TEST_P(Rule22, CountsWhenItReturns) {
  Fill(3);
  const unsigned counted = kPutGet | PTL_ME_EVENT_CT_OVERFLOW;
  const ptl_handle_ct_t ct = target().Ct();
  target().Search(pt_, {.options = counted | PTL_ME_USE_ONCE, .ct = ct},
                  PTL_SEARCH_ONLY);
  Counts(ct, 1, 0);
  target().Search(pt_, {.options = counted, .ct = ct}, PTL_SEARCH_ONLY);
  Counts(ct, 4, 1);
  target().Search(pt_, {.options = counted, .ct = ct}, PTL_SEARCH_DELETE);
  Counts(ct, 7, 2);
  target().Search(pt_, {.options = counted | PTL_ME_USE_ONCE, .ct = ct},
                  PTL_SEARCH_DELETE);
  Counts(ct, 7, 3);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
