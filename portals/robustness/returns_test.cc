// Return codes of calls with wrong arguments, in cases that the rules do not
// mention.
#include <portals4.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

class Returns : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    pt_ = target().Pt(PTL_EQ_NONE);
  }
  ptl_pt_index_t pt_;
};
INSTANTIATE_TEST_SUITE_P(All, Returns, AllSetups(), SetupName);

TEST_P(Returns, Descriptors) {
  char* const memory = target().memory();
  const auto bind = [&](unsigned options, ptl_handle_eq_t eq,
                        ptl_handle_ct_t ct) {
    return target().Bind({memory, 64, options, eq, ct}).code;
  };
  const ptl_handle_eq_t eq = target().Eq();
  const ptl_handle_ct_t ct = target().Ct();
  EXPECT_EQ(bind(0, eq, ct), PTL_OK);
  EXPECT_EQ(bind(1U << 20, eq, ct), PTL_ARG_INVALID);
  EXPECT_EQ(bind(PTL_MD_OPTIONS_MASK + 1, eq, ct), PTL_ARG_INVALID);
  EXPECT_EQ(bind(0, ct, PTL_CT_NONE), PTL_ARG_INVALID);
  EXPECT_EQ(bind(0, PTL_EQ_NONE, eq), PTL_ARG_INVALID);
  EXPECT_EQ(bind(0, PTL_INVALID_HANDLE, PTL_CT_NONE), PTL_ARG_INVALID);
}

TEST_P(Returns, Entries) {
  EXPECT_EQ(target().Append(pt_, {}).code, PTL_OK);
  EXPECT_EQ(target().Append(9, {}).code, PTL_ARG_INVALID) << "not allocated";
  EXPECT_EQ(target().Append(PTL_PT_ANY, {}).code, PTL_ARG_INVALID);
  EXPECT_EQ(target().Append(pt_, {.options = 1U << 30}).code, PTL_ARG_INVALID);
  EXPECT_EQ(target().Append(pt_, {.ct = PTL_INVALID_HANDLE}).code,
            PTL_ARG_INVALID);
  EXPECT_EQ(target().Append(pt_, {.list = 2}).code, PTL_ARG_INVALID);
  EXPECT_EQ(target().Search(9, {}, PTL_SEARCH_ONLY), PTL_ARG_INVALID);
  EXPECT_EQ(target().Search(pt_, {}, 2), PTL_ARG_INVALID);
  EXPECT_EQ(target().Unlink(PTL_INVALID_HANDLE), PTL_ARG_INVALID);
}

TEST_P(Returns, EachKindOfInterfaceHasItsEntries) {
  const int code = target().Call([ni = target().ni(), pt = pt_,
                                  matching = target().matching(),
                                  memory = target().memory()] {
    ptl_handle_me_t handle;
    const ptl_le_t le = {memory, 64, PTL_CT_NONE, PTL_UID_ANY, kPutGet};
    ptl_me_t me = {};
    me.start = memory;
    me.length = 64;
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.options = kPutGet;
    return matching
               ? PtlLEAppend(ni, pt, &le, PTL_PRIORITY_LIST, nullptr, &handle)
               : PtlMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, nullptr, &handle);
  });
  EXPECT_EQ(code, PTL_ARG_INVALID);
}

TEST_P(Returns, OperationsOnWhatIsNoDescriptor) {
  const ptl_handle_eq_t eq = initiator().Eq();
  EXPECT_EQ(initiator().Put(target(), {.md = eq, .pt = pt_}), PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Get(target(), {.md = PTL_INVALID_HANDLE, .pt = pt_}),
            PTL_ARG_INVALID);
  const ptl_handle_md_t md = initiator().Md(eq);
  EXPECT_EQ(initiator().FetchAtomic(target(), {.md = md, .pt = pt_}, eq, 0,
                                    PTL_SUM, PTL_INT64_T),
            PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Swap(target(), {.md = eq, .pt = pt_}, md, 0, 0,
                             PTL_SWAP, PTL_INT64_T),
            PTL_ARG_INVALID);
}

TEST_P(Returns, TriggersOnWhatIsNoCounter) {
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_ct_t ct = initiator().Ct();
  const ptl_handle_md_t md = initiator().Md(eq);
  const int wrong = initiator().Call([=, to = target().id(), pt = pt_] {
    if (PtlTriggeredPut(md, 0, 8, PTL_ACK_REQ, to, pt, 0, 0, nullptr, 0, eq,
                        1) != PTL_ARG_INVALID)
      return 1;
    if (PtlTriggeredGet(md, 0, 8, to, pt, 0, 0, nullptr, PTL_CT_NONE, 1) !=
        PTL_ARG_INVALID)
      return 2;
    if (PtlTriggeredCTInc(eq, {1, 0}, ct, 1) != PTL_ARG_INVALID) return 3;
    if (PtlTriggeredCTSet(ct, {1, 0}, PTL_INVALID_HANDLE, 1) != PTL_ARG_INVALID)
      return 4;
    if (PtlTriggeredCTInc(ct, {1, 1}, ct, 1) != PTL_ARG_INVALID) return 5;
    if (PtlCTCancelTriggered(eq) != PTL_ARG_INVALID) return 6;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Returns, Interfaces) {
  const int wrong = target().Call([] {
    ptl_handle_ni_t none = PTL_INVALID_HANDLE;
    ptl_handle_any_t handle;
    ptl_process_t id;
    if (PtlEQAlloc(none, 8, &handle) != PTL_ARG_INVALID) return 1;
    if (PtlCTAlloc(none, &handle) != PTL_ARG_INVALID) return 2;
    if (PtlGetId(none, &id) != PTL_ARG_INVALID) return 3;
    if (PtlGetPhysId(none, &id) != PTL_ARG_INVALID) return 4;
    if (PtlNIFini(none) != PTL_ARG_INVALID) return 5;
    if (PtlStartBundle(none) != PTL_ARG_INVALID) return 6;
    if (PtlPTDisable(none, 0) != PTL_ARG_INVALID) return 7;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
