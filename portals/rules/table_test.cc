// Rules 9 to 12, and 20: portal table entries, disabled ones, flow control.
#include <portals4.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

class Rule09 : public World {};
INSTANTIATE_TEST_SUITE_P(All, Rule09, AllSetups(), SetupName);

TEST_P(Rule09, GivesTheLowestThatIsFree) {
  EXPECT_EQ(target().Pt(PTL_EQ_NONE), 0U);
  EXPECT_EQ(target().Pt(PTL_EQ_NONE, 0, 1), 1U);
  EXPECT_EQ(target().Pt(PTL_EQ_NONE), 2U);
  EXPECT_EQ(target().Call([ni = target().ni()] { return PtlPTFree(ni, 1); }),
            PTL_OK);
  EXPECT_EQ(target().Pt(PTL_EQ_NONE), 1U);
}

TEST_P(Rule09, FlowControlNeedsAQueue) {
  const int code = target().Call([ni = target().ni()] {
    ptl_pt_index_t pt;
    return PtlPTAlloc(ni, PTL_PT_FLOWCTRL, PTL_EQ_NONE, PTL_PT_ANY, &pt);
  });
  EXPECT_EQ(code, PTL_PT_EQ_NEEDED);
}

TEST_P(Rule09, IsNotFreedWithEntries) {
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  const auto free = [ni = target().ni(), pt] { return PtlPTFree(ni, pt); };
  const auto entry = target().Append(pt, {});
  EXPECT_EQ(target().Call(free), PTL_IN_USE);
  EXPECT_EQ(target().Unlink(entry.value), PTL_OK);
  EXPECT_EQ(target().Call(free), PTL_OK);
  EXPECT_EQ(target().Call(free), PTL_ARG_INVALID);
}

TEST_P(Rule09, ItsQueueMayGoFirst) {
  const ptl_handle_eq_t eq = target().Eq();
  const ptl_pt_index_t pt = target().Pt(eq);
  EXPECT_EQ(target().Call([eq] { return PtlEQFree(eq); }), PTL_OK);
  EXPECT_EQ(
      target().Call([ni = target().ni(), pt] { return PtlPTFree(ni, pt); }),
      PTL_OK);
}

TEST_P(Rule09, BadOptions) {
  const int code = target().Call([ni = target().ni()] {
    ptl_pt_index_t pt;
    return PtlPTAlloc(ni, PTL_PT_ALLOC_OPTIONS_MASK + 1, PTL_EQ_NONE,
                      PTL_PT_ANY, &pt);
  });
  EXPECT_EQ(code, PTL_ARG_INVALID);
}

TEST_P(Rule09, HintsChangeNothing) {
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const ptl_pt_index_t pt =
      target().Pt(PTL_EQ_NONE, PTL_PT_ONLY_USE_ONCE | PTL_PT_ONLY_TRUNCATE |
                                   PTL_PT_MATCH_UNORDERED);
  target().Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_USE_ONCE});
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_OK);
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_DROPPED);
}

TEST_P(Rule09, MayBeginDisabled) {
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE, PTL_PT_ALLOC_DISABLED);
  target().Append(pt, {});
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_PT_DISABLED);
  EXPECT_EQ(
      target().Call([ni = target().ni(), pt] { return PtlPTEnable(ni, pt); }),
      PTL_OK);
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_OK);
}

// An initiator with a queue and a descriptor, and a target with an entry.
class Disabling : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    at_target_ = target().Eq();
    pt_ = target().Pt(at_target_);
  }
  int Disable() {
    return target().Call(
        [ni = target().ni(), pt = pt_] { return PtlPTDisable(ni, pt); });
  }
  int Enable() {
    return target().Call(
        [ni = target().ni(), pt = pt_] { return PtlPTEnable(ni, pt); });
  }
  ptl_handle_eq_t eq_;
  ptl_handle_eq_t at_target_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule10 : public Disabling {};
INSTANTIATE_TEST_SUITE_P(All, Rule10, AllSetups(), SetupName);

TEST_P(Rule10, DisablingIsSilentAndEnds) {
  target().Link(pt_, {}, at_target_);
  EXPECT_EQ(Disable(), PTL_OK);
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_PT_DISABLED);
  EXPECT_EQ(Enable(), PTL_OK);
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
  Expect(target(), at_target_, {{PTL_EVENT_PUT}});
  ExpectQuiet(target(), at_target_);
}

TEST_P(Rule10, AppendsAndSearchesWorkMeanwhile) {
  EXPECT_EQ(Disable(), PTL_OK);
  const auto entry = target().Append(pt_, {.user = 3});
  EXPECT_EQ(entry.code, PTL_OK);
  EXPECT_EQ(Expect(target(), at_target_, {{PTL_EVENT_LINK}})[0].user_ptr,
            reinterpret_cast<void*>(3));
  EXPECT_EQ(target().Search(pt_, {}, PTL_SEARCH_ONLY), PTL_OK);
  Expect(target(), at_target_, {{PTL_EVENT_SEARCH, PTL_NI_NO_MATCH}});
  EXPECT_EQ(target().Unlink(entry.value), PTL_OK);
}

TEST_P(Rule10, AllPutsBeforeItAreTold) {
  target().Link(pt_, {}, at_target_);
  constexpr int kPuts = 32;
  for (int i = 0; i < kPuts; ++i)
    PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
  EXPECT_EQ(Disable(), PTL_OK);
  for (int i = 0; i < kPuts; ++i) {
    EXPECT_EQ(target().Look(at_target_).code, PTL_OK)
        << "reported when it returned";
  }
}

TEST_P(Rule10, OnlyWhatIsAllocated) {
  const int wrong = target().Call([ni = target().ni()] {
    if (PtlPTDisable(ni, 40) != PTL_ARG_INVALID) return 1;
    if (PtlPTEnable(ni, 40) != PTL_ARG_INVALID) return 2;
    if (PtlPTDisable(ni, 1u << 30) != PTL_ARG_INVALID) return 3;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

class Rule11 : public Disabling {};
INSTANTIATE_TEST_SUITE_P(All, Rule11, AllSetups(), SetupName);

TEST_P(Rule11, NothingIsProcessedWhileDisabled) {
  target().Fill(0, 64, 1);
  initiator().Fill(4096, 64, 2);
  target().Link(pt_, {}, at_target_);
  EXPECT_EQ(Disable(), PTL_OK);
  PutEnds({.md = md_, .local = 4096, .length = 64, .pt = pt_}, eq_,
          PTL_NI_PT_DISABLED);
  EXPECT_EQ(target().Differs(0, 64, 1), 64U);
  EXPECT_EQ(initiator().Get(target(), {.md = md_, .pt = pt_}), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY, PTL_NI_PT_DISABLED}});
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 0);
}

class Rule12 : public Disabling {};
INSTANTIATE_TEST_SUITE_P(All, Rule12, AllSetups(), SetupName);

TEST_P(Rule12, WhatIsNotAllocatedDrops) {
  PutEnds({.md = md_, .pt = 33}, eq_, PTL_NI_DROPPED);
  PutEnds({.md = md_, .pt = 0x7fffffff}, eq_, PTL_NI_DROPPED);
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 2);
}

class Rule20 : public World {
 protected:
  void SetUp() override {
    ptl_ni_limits_t limits;
    memset(&limits, 0x7f, sizeof limits);
    limits.max_unexpected_headers = 32;
    Reopen(limits);
    eq_ = initiator().Eq(1024);
    md_ = initiator().Md(eq_);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
};
INSTANTIATE_TEST_SUITE_P(All, Rule20, AllSetups(), SetupName);

TEST_P(Rule20, NoMatchDisables) {
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  const auto events = Expect(target(), at_target,
                             {{PTL_EVENT_PT_DISABLED, PTL_NI_PT_DISABLED}});
  EXPECT_EQ(events[0].pt_index, pt);
  target().Link(pt, {}, at_target);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  ExpectQuiet(target(), at_target);
  EXPECT_EQ(
      target().Call([ni = target().ni(), pt] { return PtlPTEnable(ni, pt); }),
      PTL_OK);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  Expect(target(), at_target, {{PTL_EVENT_PUT}});
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 0);
}

TEST_P(Rule20, HeadersDisableExactlyAtTheLimit) {
  const ptl_handle_eq_t at_target = target().Eq(256);
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  ASSERT_EQ(target().limits().max_unexpected_headers, 32);
  target().Link(pt, {.list = PTL_OVERFLOW_LIST}, at_target);
  for (int i = 0; i < 32; ++i) {
    PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
    Expect(target(), at_target, {{PTL_EVENT_PUT}});
  }
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  Expect(target(), at_target, {{PTL_EVENT_PT_DISABLED, PTL_NI_PT_DISABLED}});
}

TEST_P(Rule20, AFullQueueDisablesBeforeAnythingIsConsumed) {
  const ptl_handle_eq_t at_target = target().Eq(8);
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  target().Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  int delivered = 0;
  ptl_ni_fail_t last = PTL_NI_OK;
  while (last == PTL_NI_OK && delivered < 64) {
    initiator().Store(0, delivered);
    ASSERT_EQ(initiator().Put(
                  target(),
                  {.md = md_, .local = 0, .length = 4, .pt = pt, .remote = 64}),
              PTL_OK);
    Expect(initiator(), eq_, {{PTL_EVENT_SEND}});
    last = initiator().Next(eq_).value.ni_fail_type;
    delivered += last == PTL_NI_OK ? 1 : 0;
  }
  EXPECT_EQ(last, ptl_ni_fail_t{PTL_NI_PT_DISABLED});
  EXPECT_GE(delivered, 7);
  EXPECT_LE(delivered, 15);
  EXPECT_EQ(target().Load<int>(64), delivered - 1)
      << "the refused one left nothing";
  for (int i = 0; i < delivered; ++i)
    Expect(target(), at_target, {{PTL_EVENT_PUT}});
  Expect(target(), at_target, {{PTL_EVENT_PT_DISABLED, PTL_NI_PT_DISABLED}});
}

TEST_P(Rule20, ARefusedUseOnceEntryStays) {
  const ptl_handle_eq_t at_target = target().Eq(64);
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  Expect(target(), at_target, {{PTL_EVENT_PT_DISABLED, PTL_NI_PT_DISABLED}});
  target().Link(pt, {.options = PTL_ME_OP_PUT | PTL_ME_USE_ONCE}, at_target);
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  target().Call([ni = target().ni(), pt] { PtlPTEnable(ni, pt); });
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  Expect(target(), at_target, {{PTL_EVENT_PUT}, {PTL_EVENT_AUTO_UNLINK}});
}

TEST_P(Rule20, AnEntryMayKeepItSilent) {
  const ptl_handle_eq_t at_target = target().Eq(256);
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  target().Link(pt,
                {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_FLOWCTRL_DISABLE,
                 .list = PTL_OVERFLOW_LIST},
                at_target);
  for (int i = 0; i < 32; ++i) {
    PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
    Expect(target(), at_target, {{PTL_EVENT_PUT}});
  }
  PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_PT_DISABLED);
  ExpectQuiet(target(), at_target);
}

TEST_P(Rule20, GetsDisableToo) {
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target, PTL_PT_FLOWCTRL);
  EXPECT_EQ(initiator().Get(target(), {.md = md_, .pt = pt}), PTL_OK);
  Expect(initiator(), eq_, {{PTL_EVENT_REPLY, PTL_NI_PT_DISABLED}});
  Expect(target(), at_target, {{PTL_EVENT_PT_DISABLED, PTL_NI_PT_DISABLED}});
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
