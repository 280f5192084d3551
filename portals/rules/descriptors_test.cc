// Rules 36 and 37: the time for which a descriptor and its memory are in use.
#include <portals4.h>

#include <algorithm>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr size_t kMega = 1 << 20;

class Descriptors : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    pt_ = target().Pt(PTL_EQ_NONE);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule36 : public Descriptors {};
INSTANTIATE_TEST_SUITE_P(All, Rule36, AllSetups(), SetupName);

TEST_P(Rule36, AVolatileSourceMayChangeAtOnce) {
  target().Append(pt_, {.offset = kMega, .length = kMega});
  const ptl_handle_md_t md = initiator().Md(eq_, PTL_MD_VOLATILE);
  const ptl_size_t most =
      std::min<ptl_size_t>(initiator().limits().max_volatile_size, 100'000);
  initiator().Fill(0, most, 4);
  const int code = initiator().Call(
      [md, to = target().id(), pt = pt_, most, memory = initiator().memory()] {
        const int result =
            PtlPut(md, 0, most, PTL_ACK_REQ, to, pt, 0, 0, nullptr, 0);
        memset(memory, 0, most);
        return result;
      });
  EXPECT_EQ(code, PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(target().Differs(kMega, most, 4), most);
}

TEST_P(Rule36, AVolatileSourceHasALimit) {
  ptl_ni_limits_t limits = initiator().limits();
  limits.max_volatile_size = 16;
  Reopen(limits);
  const ptl_handle_md_t md = initiator().Md(PTL_EQ_NONE, PTL_MD_VOLATILE);
  const auto put = [&](ptl_size_t length) {
    return initiator().Put(target(),
                           {.md = md, .length = length, .ack = PTL_NO_ACK_REQ});
  };
  const auto add = [&](ptl_size_t length) {
    return initiator().Atomic(
        target(), {.md = md, .length = length, .ack = PTL_NO_ACK_REQ}, PTL_SUM,
        PTL_INT8_T);
  };
  EXPECT_EQ(put(16), PTL_OK);
  EXPECT_EQ(put(17), PTL_ARG_INVALID);
  EXPECT_EQ(add(16), PTL_OK);
  EXPECT_EQ(add(17), PTL_ARG_INVALID);
  const ptl_handle_md_t other = initiator().Md(PTL_EQ_NONE);
  EXPECT_EQ(initiator().Put(target(),
                            {.md = other, .length = 17, .ack = PTL_NO_ACK_REQ}),
            PTL_OK);
}

// The source of an atomic operation may be volatile. So the maximum size of a
// volatile source must not exceed that of an atomic operation.
TEST_P(Rule36, AVolatileSourceIsNoLongerThanAnAtomicOne) {
  const ptl_ni_limits_t& limits = initiator().limits();
  if (GetParam().job == nullptr) {
    GTEST_SKIP() << "limits are as requested if memory is shared";
  }
  EXPECT_LE(limits.max_volatile_size, limits.max_atomic_size);
}

TEST_P(Rule36, UnreliableAndAcknowledgedArrives) {
  target().Append(pt_, {.offset = kMega});
  initiator().Fill(0, 64, 5);
  const ptl_handle_md_t md = initiator().Md(eq_, PTL_MD_UNRELIABLE);
  PutEnds({.md = md, .length = 64, .pt = pt_}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Differs(kMega, 64, 5), 64U);
}

class Rule37 : public Descriptors {};
INSTANTIATE_TEST_SUITE_P(All, Rule37, AllSetups(), SetupName);

TEST_P(Rule37, ReleasedWhenItsOperationsAreOver) {
  target().Append(pt_, {.length = 4 * kMega});
  EXPECT_EQ(initiator().Put(target(), {.md = md_, .length = kMega, .pt = pt_}),
            PTL_OK);
  const int code = initiator().Call([md = md_] {
    int result;
    do {
      result = PtlMDRelease(md);
    } while (result == PTL_IN_USE);
    return result;
  });
  EXPECT_EQ(code, PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(initiator().Put(target(), {.md = md_, .pt = pt_}), PTL_ARG_INVALID);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
