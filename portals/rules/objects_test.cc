// Rules 4, 6 to 8: limits of objects, the interface to which objects belong,
// and the end of objects.
#include <portals4.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

class Rule04 : public World {
 protected:
  void SetUp() override {
    ptl_ni_limits_t four = {};
    four.max_entries = four.max_mds = four.max_cts = four.max_eqs = 4;
    four.max_list_size = four.max_triggered_ops = four.max_iovecs = 4;
    four.max_unexpected_headers = 4;
    four.max_pt_index = 63;
    four.max_msg_size = 4096;
    four.max_atomic_size = four.max_fetch_atomic_size = 64;
    Reopen(four);
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule04, AllSetups(), SetupName);

TEST_P(Rule04, FourOfEachAndNoMore) {
  const auto at = target().Call([ni = target().ni(),
                                 memory = target().memory()] {
    struct Counts {
      int eqs, cts, mds, last;
    } counts = {};
    ptl_handle_any_t handle;
    const ptl_md_t md = {memory, 64, 0, PTL_EQ_NONE, PTL_CT_NONE};
    while (counts.eqs < 9 &&
           (counts.last = PtlEQAlloc(ni, 8, &handle)) == PTL_OK)
      ++counts.eqs;
    if (counts.last != PTL_NO_SPACE) return counts;
    while (counts.cts < 9 && (counts.last = PtlCTAlloc(ni, &handle)) == PTL_OK)
      ++counts.cts;
    if (counts.last != PTL_NO_SPACE) return counts;
    while (counts.mds < 9 &&
           (counts.last = PtlMDBind(ni, &md, &handle)) == PTL_OK)
      ++counts.mds;
    return counts;
  });
  EXPECT_EQ(at.eqs, 4);
  EXPECT_EQ(at.cts, 4);
  EXPECT_EQ(at.mds, 4);
  EXPECT_EQ(at.last, PTL_NO_SPACE);
}

TEST_P(Rule04, FourEntries) {
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(target().Append(pt, {}).code, PTL_OK);
  const int code = target().Append(pt, {}).code;
  EXPECT_TRUE(code == PTL_NO_SPACE || code == PTL_LIST_TOO_LONG) << code;
}

TEST_P(Rule04, AnEntryForWhichThereIsNoPlaceTakesNoHeaders) {
  if (!target().matching()) GTEST_SKIP() << "a list entry takes everything";
  ptl_ni_limits_t two = initiator().limits();
  two.max_list_size = 1;
  Reopen(two);
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target);
  target().Link(pt, {.list = PTL_OVERFLOW_LIST}, at_target);
  target().Link(pt, {.bits = 7}, at_target);
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_OK);
  Expect(target(), at_target, {{PTL_EVENT_PUT}});
  EXPECT_EQ(target().Append(pt, {}).code, PTL_NO_SPACE);
  EXPECT_EQ(target().Search(pt, {}, PTL_SEARCH_ONLY), PTL_OK);
  Expect(target(), at_target, {{PTL_EVENT_SEARCH}});
}

TEST_P(Rule04, AFreedOneMakesRoom) {
  ptl_handle_ct_t last = PTL_CT_NONE;
  for (int i = 0; i < 4; ++i) last = target().Ct();
  EXPECT_EQ(target().Call([last] { return PtlCTFree(last); }), PTL_OK);
  target().Ct();
}

TEST_P(Rule04, MessagesHaveAMaxLength) {
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  EXPECT_EQ(initiator().Put(target(), {.md = md, .length = 4097}),
            PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Get(target(), {.md = md, .length = 4097}),
            PTL_ARG_INVALID);
  const ptl_size_t atomic = initiator().limits().max_atomic_size + 8;
  EXPECT_EQ(initiator().Atomic(target(), {.md = md, .length = atomic}, PTL_SUM,
                               PTL_INT64_T),
            PTL_ARG_INVALID);
  const ptl_size_t fetch = initiator().limits().max_fetch_atomic_size + 8;
  EXPECT_EQ(initiator().FetchAtomic(target(), {.md = md, .length = fetch}, md,
                                    0, PTL_SUM, PTL_INT64_T),
            PTL_ARG_INVALID);
}

TEST_P(Rule04, IovecsHaveAMaxCount) {
  const ptl_size_t most =
      static_cast<ptl_size_t>(initiator().limits().max_iovecs);
  const int code = initiator().Call([most, ni = initiator().ni()] {
    static ptl_iovec_t pieces[64];
    static char byte;
    for (ptl_iovec_t& piece : pieces) piece = {&byte, 1};
    if (most + 1 > 64) return -1;
    const ptl_md_t md = {pieces, most + 1, PTL_IOVEC, PTL_EQ_NONE, PTL_CT_NONE};
    ptl_handle_md_t handle;
    return PtlMDBind(ni, &md, &handle);
  });
  EXPECT_EQ(code, PTL_ARG_INVALID);
}

TEST_P(Rule04, ElementsOfEntriesAreThereUnlessTheFeatureLetsThemNotBe) {
  ptl_ni_limits_t asked = target().limits();
  asked.features = 0;
  Reopen(asked);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  char* const memory = target().memory();
  const Entry entry = {.length = 2, .options = PTL_ME_OP_PUT | PTL_IOVEC};
  target().Store<ptl_iovec_t>(0, {memory, 8});
  target().Store<ptl_iovec_t>(sizeof(ptl_iovec_t), {nullptr, 8});
  EXPECT_EQ(target().Append(pt, entry).code, PTL_ARG_INVALID);
  target().Store<ptl_iovec_t>(sizeof(ptl_iovec_t), {memory + 64, 8});
  EXPECT_EQ(target().Append(pt, entry).code, PTL_OK);
}

TEST_P(Rule04, IndicesOfThePortalTable) {
  const auto codes = target().Call([ni = target().ni()] {
    struct Codes {
      int above, first, taken, full, allocated;
    } result = {};
    ptl_pt_index_t pt;
    result.above = PtlPTAlloc(ni, 0, PTL_EQ_NONE, 64, &pt);
    result.first = PtlPTAlloc(ni, 0, PTL_EQ_NONE, 7, &pt);
    result.taken = PtlPTAlloc(ni, 0, PTL_EQ_NONE, 7, &pt);
    result.allocated = 1;
    while ((result.full = PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &pt)) ==
           PTL_OK)
      ++result.allocated;
    return result;
  });
  EXPECT_EQ(codes.above, PTL_ARG_INVALID);
  EXPECT_EQ(codes.first, PTL_OK);
  EXPECT_EQ(codes.taken, PTL_PT_IN_USE);
  EXPECT_EQ(codes.full, PTL_PT_FULL);
  EXPECT_EQ(codes.allocated, 64);
}

TEST_P(Rule04, FourTriggeredOperations) {
  const ptl_handle_ct_t ct = target().Ct();
  const auto code = [&] {
    return target().Call([ct] {
      return PtlTriggeredCTInc(ct, {1, 0}, ct, 1000);
    });
  };
  for (int i = 0; i < 4; ++i) EXPECT_EQ(code(), PTL_OK);
  EXPECT_EQ(code(), PTL_NO_SPACE);
  EXPECT_EQ(target().Call([ct] { return PtlCTCancelTriggered(ct); }), PTL_OK);
  EXPECT_EQ(code(), PTL_OK);
}

class Rule06 : public World {};
INSTANTIATE_TEST_SUITE_P(All, Rule06, AllSetups(), SetupName);

TEST_P(Rule06, ObjectsOfTwoInterfacesDoNotMix) {
  const unsigned other =
      GetParam().options ^ (PTL_NI_MATCHING | PTL_NI_NO_MATCHING);
  const auto codes = target().Call([other, ni = target().ni()] {
    struct Codes {
      int opened, md, ct, pt, poll;
    } result = {};
    ptl_handle_ni_t second;
    result.opened = PtlNIInit(PTL_IFACE_DEFAULT, other, PTL_PID_ANY, nullptr,
                              nullptr, &second);
    ptl_handle_eq_t eqs[2];
    ptl_handle_ct_t ct;
    ptl_handle_md_t handle;
    ptl_pt_index_t pt;
    ptl_event_t event;
    unsigned which;
    static char byte;
    PtlEQAlloc(ni, 8, &eqs[0]);
    PtlEQAlloc(second, 8, &eqs[1]);
    PtlCTAlloc(second, &ct);
    const ptl_md_t with_eq = {&byte, 1, 0, eqs[1], PTL_CT_NONE};
    const ptl_md_t with_ct = {&byte, 1, 0, PTL_EQ_NONE, ct};
    result.md = PtlMDBind(ni, &with_eq, &handle);
    result.ct = PtlMDBind(ni, &with_ct, &handle);
    result.pt = PtlPTAlloc(ni, 0, eqs[1], PTL_PT_ANY, &pt);
    result.poll = PtlEQPoll(eqs, 2, 0, &event, &which);
    return result;
  });
  EXPECT_EQ(codes.opened, PTL_OK);
  EXPECT_EQ(codes.md, PTL_ARG_INVALID);
  EXPECT_EQ(codes.ct, PTL_ARG_INVALID);
  EXPECT_EQ(codes.pt, PTL_ARG_INVALID);
  EXPECT_EQ(codes.poll, PTL_ARG_INVALID);
}

TEST_P(Rule06, StaleHandlesAreRefusedForever) {
  const int wrong =
      target().Call([ni = target().ni(), memory = target().memory()] {
        ptl_handle_eq_t eq, new_eq;
        ptl_handle_ct_t ct, new_ct;
        ptl_handle_md_t md, new_md;
        ptl_event_t event;
        ptl_ct_event_t count;
        const ptl_md_t bound = {memory, 8, 0, PTL_EQ_NONE, PTL_CT_NONE};
        PtlEQAlloc(ni, 8, &eq);
        PtlCTAlloc(ni, &ct);
        PtlMDBind(ni, &bound, &md);
        if (PtlEQFree(eq) || PtlCTFree(ct) || PtlMDRelease(md)) return 1;
        // Repeats often enough that the slots of the freed objects are
        // certainly reused.
        for (int i = 0; i < 1000; ++i) {
          PtlEQAlloc(ni, 8, &new_eq);
          PtlCTAlloc(ni, &new_ct);
          PtlMDBind(ni, &bound, &new_md);
          if (PtlEQGet(eq, &event) != PTL_ARG_INVALID) return 2;
          if (PtlCTGet(ct, &count) != PTL_ARG_INVALID) return 3;
          if (PtlMDRelease(md) != PTL_ARG_INVALID) return 4;
          if (PtlEQFree(new_eq) || PtlCTFree(new_ct) || PtlMDRelease(new_md))
            return 5;
        }
        return 0;
      });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Rule06, HandlesOfOtherKindsAreRefused) {
  const int wrong = target().Call([ni = target().ni()] {
    ptl_handle_eq_t eq;
    ptl_handle_ct_t ct;
    ptl_event_t event;
    ptl_ct_event_t count;
    ptl_handle_ni_t owner;
    PtlEQAlloc(ni, 8, &eq);
    PtlCTAlloc(ni, &ct);
    if (PtlEQGet(ct, &event) != PTL_ARG_INVALID) return 1;
    if (PtlCTGet(eq, &count) != PTL_ARG_INVALID) return 2;
    if (PtlMDRelease(eq) != PTL_ARG_INVALID) return 3;
    if (PtlNIFini(ct) != PTL_ARG_INVALID) return 4;
    if (PtlEQGet(PTL_EQ_NONE, &event) != PTL_ARG_INVALID) return 5;
    if (PtlCTGet(PTL_CT_NONE, &count) != PTL_ARG_INVALID) return 6;
    if (PtlEQGet(PTL_INVALID_HANDLE, &event) != PTL_ARG_INVALID) return 7;
    if (PtlNIHandle(ct, &owner) != PTL_OK || !PtlHandleIsEqual(owner, ni))
      return 8;
    if (PtlNIHandle(ni, &owner) != PTL_OK || !PtlHandleIsEqual(owner, ni))
      return 9;
    if (PtlNIHandle(PTL_INVALID_HANDLE, &owner) != PTL_ARG_INVALID) return 10;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

class Rule07 : public World {};
INSTANTIATE_TEST_SUITE_P(All, Rule07, AllSetups(), SetupName);

TEST_P(Rule07, RegistersCountWhatIsRefused) {
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const ptl_pt_index_t empty = target().Pt(PTL_EQ_NONE);
  const ptl_pt_index_t foreign = target().Pt(PTL_EQ_NONE);
  const ptl_pt_index_t readable = target().Pt(PTL_EQ_NONE);
  target().Append(foreign, {.uid = getuid() + 1});
  target().Append(readable, {.options = PTL_ME_OP_GET});
  PutEnds({.md = md, .pt = empty}, eq, PTL_NI_DROPPED);
  PutEnds({.md = md, .pt = foreign}, eq, PTL_NI_PERM_VIOLATION);
  PutEnds({.md = md, .pt = foreign}, eq, PTL_NI_PERM_VIOLATION);
  for (int i = 0; i < 3; ++i)
    PutEnds({.md = md, .pt = readable}, eq, PTL_NI_OP_VIOLATION);
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 1);
  EXPECT_EQ(target().Register(PTL_SR_PERMISSION_VIOLATIONS), 2);
  EXPECT_EQ(target().Register(PTL_SR_OPERATION_VIOLATIONS), 3);
}

TEST_P(Rule07, SearchesNeverCount) {
  const ptl_handle_eq_t eq = target().Eq();
  const ptl_pt_index_t pt = target().Pt(eq);
  EXPECT_EQ(target().Search(pt, {}, PTL_SEARCH_ONLY), PTL_OK);
  Expect(target(), eq, {{PTL_EVENT_SEARCH, PTL_NI_NO_MATCH}});
  EXPECT_EQ(target().Register(PTL_SR_DROP_COUNT), 0);
}

TEST_P(Rule07, ThereAreThree) {
  const int code = target().Call([ni = target().ni()] {
    ptl_sr_value_t value;
    return PtlNIStatus(ni, static_cast<ptl_sr_index_t>(PTL_SR_LAST), &value);
  });
  EXPECT_EQ(code, PTL_ARG_INVALID);
}

class Rule08 : public World {
 protected:
  // Some setups notice a dead peer only by its silence. In these setups a
  // shorter silence limit shortens the test.
  void SetUp() override {
    setenv("PORTALS4_SILENCE_LIMIT", "3", 1);
    World::SetUp();
    unsetenv("PORTALS4_SILENCE_LIMIT");
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule08, AllSetups(), SetupName);

TEST_P(Rule08, AnInterfaceEndsWithItsObjects) {
  target().Md(target().Eq());
  target().Append(target().Pt(PTL_EQ_NONE), {.ct = target().Ct()});
  EXPECT_EQ(target().Call([ni = target().ni()] { return PtlNIFini(ni); }),
            PTL_OK);
}

TEST_P(Rule08, WhoIsGoneIsUndeliverable) {
  if (one_process()) GTEST_SKIP() << "a process is never gone for itself";
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {});
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_OK);
  target().Call([] { PtlFini(); });
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_UNDELIVERABLE);
}

TEST_P(Rule08, WhoWasKilledIsUndeliverable) {
  if (one_process()) GTEST_SKIP() << "a process is never gone for itself";
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {});
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_OK);
  target().child().Signal(SIGKILL);
  PutEnds({.md = md, .pt = pt}, eq, PTL_NI_UNDELIVERABLE);
  EXPECT_EQ(initiator().Get(target(), {.md = md, .pt = pt}), PTL_OK);
  Expect(initiator(), eq, {{PTL_EVENT_REPLY, PTL_NI_UNDELIVERABLE}});
}

TEST_P(Rule08, WhoWasNeverThereIsUndeliverable) {
  if ((GetParam().options & PTL_NI_LOGICAL) != 0)
    GTEST_SKIP() << "ranks are there";
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  const int code = initiator().Call([md, id = target().phys()] {
    ptl_process_t nobody = id;
    nobody.phys.pid = PTL_PID_MAX;  // a pid that is assigned only on request
    return PtlPut(md, 0, 8, PTL_ACK_REQ, nobody, 0, 0, 0, nullptr, 0);
  });
  EXPECT_EQ(code, PTL_OK);
  ExpectAll(initiator(), eq,
            {{PTL_EVENT_SEND}, {PTL_EVENT_ACK, PTL_NI_UNDELIVERABLE}});
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
