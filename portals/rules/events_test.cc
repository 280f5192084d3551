// Rules 23 to 27: the events and counts of an operation, at the initiator and
// at the target.
#include <portals4.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

void* Pointer(uintptr_t user) { return reinterpret_cast<void*>(user); }

class Told : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    at_target_ = target().Eq();
    pt_ = target().Pt(at_target_);
    none_ = target().Pt(PTL_EQ_NONE);
  }
  Operation To(ptl_handle_md_t md, ptl_ack_req_t ack = PTL_ACK_REQ) {
    return {.md = md, .ack = ack, .pt = pt_};
  }
  void Link(const Entry& entry = {}) { target().Link(pt_, entry, at_target_); }
  void Counts(Process& process, ptl_handle_ct_t ct, ptl_size_t success,
              ptl_size_t failure) {
    const auto reached = process.Reached(ct, success + failure);
    EXPECT_EQ(reached.code, PTL_OK);
    const ptl_ct_event_t count = process.Count(ct);
    EXPECT_EQ(count.success, success);
    EXPECT_EQ(count.failure, failure);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
  ptl_pt_index_t none_;  // an index without an entry
};

class Rule23 : public Told {};
INSTANTIATE_TEST_SUITE_P(All, Rule23, AllSetups(), SetupName);

TEST_P(Rule23, APutIsSentAndAcknowledged) {
  Link();
  Operation put = To(md_);
  put.user = 12;
  EXPECT_EQ(initiator().Put(target(), put), PTL_OK);
  const auto events =
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(events[0].user_ptr, Pointer(12));
  EXPECT_EQ(events[1].user_ptr, Pointer(12));
  put.ack = PTL_NO_ACK_REQ;
  EXPECT_EQ(initiator().Put(target(), put), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_SEND}});
  ExpectQuiet(initiator(), eq_);
}

TEST_P(Rule23, SendIsHidden) {
  Link();
  const ptl_handle_md_t md = initiator().Md(eq_, PTL_MD_EVENT_SEND_DISABLE);
  EXPECT_EQ(initiator().Put(target(), To(md)), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_ACK}});
  ExpectQuiet(initiator(), eq_);
}

TEST_P(Rule23, SuccessIsHiddenFailureIsNot) {
  Link();
  const ptl_handle_md_t md = initiator().Md(eq_, PTL_MD_EVENT_SUCCESS_DISABLE);
  EXPECT_EQ(initiator().Put(target(), To(md)), PTL_OK);
  EXPECT_EQ(initiator().Get(target(), To(md)), PTL_OK);
  ExpectQuiet(initiator(), eq_);
  Operation lost = To(md);
  lost.pt = none_;
  EXPECT_EQ(initiator().Put(target(), lost), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_ACK, PTL_NI_DROPPED}});
  EXPECT_EQ(initiator().Get(target(), lost), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY, PTL_NI_DROPPED}});
  ExpectQuiet(initiator(), eq_);
}

TEST_P(Rule23, AFailureIsToldOnce) {
  Operation lost = To(md_);
  lost.pt = none_;
  EXPECT_EQ(initiator().Put(target(), lost), PTL_OK);
  ExpectAll(initiator(), eq_,
            {{PTL_EVENT_SEND}, {PTL_EVENT_ACK, PTL_NI_DROPPED}});
  ExpectQuiet(initiator(), eq_);
}

TEST_P(Rule23, FetchingIsToldByTwoDescriptors) {
  Link();
  const ptl_handle_eq_t get_eq = initiator().Eq();
  const ptl_handle_md_t get_md = initiator().Md(get_eq);
  Operation put = To(md_);
  put.user = 3;
  EXPECT_EQ(initiator().FetchAtomic(target(), put, get_md, 4096, PTL_SUM,
                                    PTL_INT64_T),
            PTL_OK);
  EXPECT_EQ(Expect(initiator(), eq_, {{PTL_EVENT_SEND}})[0].user_ptr,
            Pointer(3));
  EXPECT_EQ(Expect(initiator(), get_eq, {{PTL_EVENT_REPLY}})[0].user_ptr,
            Pointer(3));
  EXPECT_EQ(
      initiator().Swap(target(), put, get_md, 4096, 0, PTL_SWAP, PTL_INT64_T),
      PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_SEND}});
  Expect(initiator(), get_eq, {{PTL_EVENT_REPLY}});
}

TEST_P(Rule23, WithoutAQueueNothingIsTold) {
  Link();
  const ptl_handle_md_t md = initiator().Md(PTL_EQ_NONE);
  EXPECT_EQ(initiator().Put(target(), To(md, PTL_NO_ACK_REQ)), PTL_OK);
  EXPECT_EQ(initiator().Get(target(), To(md)), PTL_OK);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}, {PTL_EVENT_GET}});
}

class Rule24 : public Told {};
INSTANTIATE_TEST_SUITE_P(All, Rule24, AllSetups(), SetupName);

TEST_P(Rule24, KindsOfAcknowledgement) {
  Link();
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md =
      initiator().Md(eq_, PTL_MD_EVENT_SEND_DISABLE | PTL_MD_EVENT_CT_ACK, ct);
  EXPECT_EQ(initiator().Put(target(), To(md)), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_ACK}});
  Counts(initiator(), ct, 1, 0);
  EXPECT_EQ(initiator().Put(target(), To(md, PTL_CT_ACK_REQ)), PTL_OK);
  Counts(initiator(), ct, 2, 0);
  EXPECT_EQ(initiator().Put(target(), To(md, PTL_OC_ACK_REQ)), PTL_OK);
  Counts(initiator(), ct, 3, 0);
  EXPECT_EQ(initiator().Put(target(), To(md, PTL_NO_ACK_REQ)), PTL_OK);
  ExpectQuiet(initiator(), eq_);
  Counts(initiator(), ct, 3, 0);
}

TEST_P(Rule24, WithoutAcknowledgementFailuresAreLost) {
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md =
      initiator().Md(eq_, PTL_MD_EVENT_SEND_DISABLE | PTL_MD_EVENT_CT_ACK, ct);
  Operation lost = To(md, PTL_NO_ACK_REQ);
  lost.pt = none_;
  EXPECT_EQ(initiator().Put(target(), lost), PTL_OK);
  ExpectQuiet(initiator(), eq_);
  Counts(initiator(), ct, 0, 0);
  lost.ack = PTL_CT_ACK_REQ;
  EXPECT_EQ(initiator().Put(target(), lost), PTL_OK);
  Counts(initiator(), ct, 0, 1);
}

TEST_P(Rule24, NeedsSomewhereToTell) {
  Link();
  const ptl_handle_md_t bare = initiator().Md(PTL_EQ_NONE);
  EXPECT_EQ(initiator().Put(target(), To(bare, PTL_ACK_REQ)), PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Put(target(), To(bare, PTL_CT_ACK_REQ)),
            PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Put(target(), To(bare, 4)), PTL_ARG_INVALID);
}

class Rule25 : public Told {};
INSTANTIATE_TEST_SUITE_P(All, Rule25, AllSetups(), SetupName);

TEST_P(Rule25, AcknowledgesWhatWasDone) {
  Link({.length = 100});
  EXPECT_EQ(initiator().Put(
                target(),
                {.md = md_, .length = 50, .pt = pt_, .remote = 80, .user = 4}),
            PTL_OK);
  const auto ack =
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}})[1];
  EXPECT_EQ(ack.mlength, 20U);
  EXPECT_EQ(ack.remote_offset, 80U);
  EXPECT_EQ(ack.ptl_list, ptl_list_t{PTL_PRIORITY_LIST});
  EXPECT_EQ(ack.user_ptr, Pointer(4));
}

TEST_P(Rule25, AcknowledgedIsThere) {
  Link({.length = 1 << 20});
  for (unsigned seed = 1; seed < 10; ++seed) {
    initiator().Fill(2 << 20, 100'000, seed);
    PutEnds({.md = md_, .local = 2 << 20, .length = 100'000, .pt = pt_}, eq_,
            PTL_NI_OK);
    EXPECT_EQ(target().Differs(0, 100'000, seed), 100'000U);
  }
}

class Rule26 : public Told {};
INSTANTIATE_TEST_SUITE_P(All, Rule26, AllSetups(), SetupName);

TEST_P(Rule26, CommunicationIsHidden) {
  Link({.options = kPutGet | PTL_ME_EVENT_COMM_DISABLE});
  PutEnds(To(md_), eq_, PTL_NI_OK);
  EXPECT_EQ(initiator().Get(target(), To(md_)), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule26, LinkAndUnlinkAreHidden) {
  target().Append(
      pt_, {.options = kPutGet | PTL_ME_USE_ONCE | PTL_ME_EVENT_LINK_DISABLE |
                       PTL_ME_EVENT_UNLINK_DISABLE});
  PutEnds(To(md_), eq_, PTL_NI_OK);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}});
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule26, OverflowIsHidden) {
  Link({.list = PTL_OVERFLOW_LIST});
  PutEnds(To(md_), eq_, PTL_NI_OK);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}});
  Link({.options = kPutGet | PTL_ME_EVENT_OVER_DISABLE});
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule26, FreeingIsHidden) {
  Link({.options = kPutGet | PTL_ME_USE_ONCE | PTL_ME_EVENT_UNLINK_DISABLE,
        .list = PTL_OVERFLOW_LIST});
  PutEnds(To(md_), eq_, PTL_NI_OK);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}});
  target().Append(pt_, {});
  Expect(target(), at_target_, {{PTL_EVENT_PUT_OVERFLOW}, {PTL_EVENT_LINK}});
}

TEST_P(Rule26, SuccessIsHidden) {
  target().Append(pt_, {.options = kPutGet | PTL_ME_EVENT_SUCCESS_DISABLE |
                                   PTL_ME_EVENT_LINK_DISABLE});
  PutEnds(To(md_), eq_, PTL_NI_OK);
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule26, APortalTableEntryWithoutAQueue) {
  target().Append(none_, {.options = kPutGet | PTL_ME_USE_ONCE});
  target().Append(none_, {.list = PTL_OVERFLOW_LIST});
  for (int i = 0; i < 3; ++i) PutEnds({.md = md_, .pt = none_}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Append(none_, {}).code, PTL_OK);
  EXPECT_EQ(target().Search(none_, {}, PTL_SEARCH_ONLY), PTL_OK);
  PutEnds({.md = md_, .pt = none_}, eq_, PTL_NI_OK);
}

class Rule27 : public Told {};
INSTANTIATE_TEST_SUITE_P(All, Rule27, AllSetups(), SetupName);

TEST_P(Rule27, DescriptorsCountWhatTheyAreToldTo) {
  Link();
  const ptl_handle_ct_t sends = initiator().Ct();
  const ptl_handle_ct_t replies = initiator().Ct();
  const ptl_handle_md_t sending =
      initiator().Md(eq_, PTL_MD_EVENT_CT_SEND, sends);
  const ptl_handle_md_t getting =
      initiator().Md(eq_, PTL_MD_EVENT_CT_REPLY, replies);
  PutEnds(To(sending), eq_, PTL_NI_OK);
  PutEnds(To(getting), eq_, PTL_NI_OK);
  for (const ptl_handle_md_t md : {sending, getting}) {
    EXPECT_EQ(initiator().Get(target(), To(md)), PTL_OK);
    Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  }
  Counts(initiator(), sends, 1, 0);
  Counts(initiator(), replies, 1, 0);
}

TEST_P(Rule27, BytesAreThoseMoved) {
  Link({.length = 100});
  const unsigned bytes = PTL_MD_EVENT_CT_BYTES;
  const ptl_handle_ct_t sends = initiator().Ct();
  const ptl_handle_ct_t acks = initiator().Ct();
  const ptl_handle_ct_t replies = initiator().Ct();
  const ptl_handle_md_t send =
      initiator().Md(eq_, PTL_MD_EVENT_CT_SEND | bytes, sends);
  const ptl_handle_md_t ack =
      initiator().Md(eq_, PTL_MD_EVENT_CT_ACK | bytes, acks);
  const ptl_handle_md_t get =
      initiator().Md(eq_, PTL_MD_EVENT_CT_REPLY | bytes, replies);
  for (const ptl_handle_md_t md : {send, ack}) {
    PutEnds({.md = md, .length = 50, .pt = pt_, .remote = 90}, eq_, PTL_NI_OK);
  }
  EXPECT_EQ(initiator().Get(target(),
                            {.md = get, .length = 50, .pt = pt_, .remote = 70}),
            PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY}});
  Counts(initiator(), sends, 50, 0);
  Counts(initiator(), acks, 10, 0);
  Counts(initiator(), replies, 30, 0);
}

TEST_P(Rule27, FailuresCountOne) {
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md = initiator().Md(
      eq_, PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_BYTES,
      ct);
  Operation lost = {.md = md, .length = 50, .pt = none_};
  PutEnds(lost, eq_, PTL_NI_DROPPED);
  Counts(initiator(), ct, 0, 1);
  EXPECT_EQ(initiator().Get(target(), lost), PTL_OK);
  Counts(initiator(), ct, 0, 2);
}

TEST_P(Rule27, EntriesCount) {
  const ptl_handle_ct_t ct = target().Ct();
  const ptl_handle_ct_t bytes = target().Ct();
  Link({.length = 20,
        .options = kPutGet | PTL_ME_USE_ONCE | PTL_ME_EVENT_CT_COMM,
        .ct = ct});
  Link({.length = 20,
        .options = kPutGet | PTL_ME_EVENT_CT_COMM | PTL_ME_EVENT_CT_BYTES,
        .ct = bytes});
  for (int i = 0; i < 3; ++i)
    PutEnds({.md = md_, .length = 15, .pt = pt_, .remote = 10}, eq_, PTL_NI_OK);
  Counts(target(), ct, 1, 0);
  Counts(target(), bytes, 20, 0);
}

TEST_P(Rule27, EntriesCountHeadersFound) {
  const ptl_handle_ct_t ct = target().Ct();
  Link({.list = PTL_OVERFLOW_LIST});
  for (int i = 0; i < 3; ++i) PutEnds(To(md_), eq_, PTL_NI_OK);
  EXPECT_EQ(target()
                .Append(pt_, {.options = kPutGet | PTL_ME_EVENT_CT_OVERFLOW,
                              .ct = ct})
                .code,
            PTL_OK);
  Counts(target(), ct, 3, 0);
  PutEnds(To(md_), eq_, PTL_NI_OK);
  Counts(target(), ct, 3, 0);
}

TEST_P(Rule27, HiddenEventsAreCounted) {
  Link({.options = kPutGet | PTL_ME_EVENT_COMM_DISABLE});
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md = initiator().Md(
      eq_, PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_EVENT_CT_ACK, ct);
  EXPECT_EQ(initiator().Put(target(), To(md)), PTL_OK);
  Counts(initiator(), ct, 1, 0);
  ExpectQuiet(initiator(), eq_);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
