// Rule 28: counters, and waiting for them.
#include <portals4.h>

#include <thread>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

class Rule28 : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
  }
  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
};
INSTANTIATE_TEST_SUITE_P(All, Rule28, AllSetups(), SetupName);

TEST_P(Rule28, SetsAndIncrements) {
  const ptl_handle_ct_t ct = target().Ct();
  const int wrong = target().Call([ct] {
    ptl_ct_event_t value;
    if (PtlCTGet(ct, &value) || value.success != 0 || value.failure != 0)
      return 1;
    if (PtlCTSet(ct, {7, 2}) || PtlCTInc(ct, {3, 0}) || PtlCTInc(ct, {0, 5}))
      return 2;
    if (PtlCTGet(ct, &value) || value.success != 10 || value.failure != 7)
      return 3;
    if (PtlCTInc(ct, {1, 1}) != PTL_ARG_INVALID) return 4;
    if (PtlCTInc(ct, {~ptl_size_t{0}, 0})) return 5;
    if (PtlCTInc(ct, {0, ~ptl_size_t{0}})) return 6;
    if (PtlCTGet(ct, &value) || value.success != 9 || value.failure != 6)
      return 7;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Rule28, SuccessesReachTheTest) {
  const ptl_handle_ct_t ct = target().Ct();
  const int wrong = target().Call([ct] {
    ptl_ct_event_t value;
    unsigned which = 9;
    ptl_size_t test = 7;
    if (PtlCTSet(ct, {7, 0}) || PtlCTWait(ct, 7, &value)) return 1;
    if (value.success != 7 || value.failure != 0) return 2;
    if (PtlCTPoll(&ct, &test, 1, 0, &value, &which) || which != 0) return 3;
    test = 8;
    if (PtlCTPoll(&ct, &test, 1, 0, &value, &which) != PTL_CT_NONE_REACHED)
      return 4;
    if (PtlCTPoll(&ct, &test, 1, 1, &value, &which) != PTL_CT_NONE_REACHED)
      return 5;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Rule28, AFailureEndsAWait) {
  const ptl_handle_ct_t ct = target().Ct();
  const int wrong = target().Call([ct] {
    ptl_ct_event_t value;
    unsigned which = 9;
    const ptl_size_t test = 100;
    if (PtlCTSet(ct, {7, 1})) return 1;
    if (PtlCTPoll(&ct, &test, 1, 0, &value, &which) || which != 0) return 2;
    if (value.success != 7 || value.failure != 1) return 3;
    if (PtlCTWait(ct, test, &value) || value.failure != 1) return 4;
    if (PtlCTInc(ct, {0, ~ptl_size_t{0}})) return 5;
    if (PtlCTPoll(&ct, &test, 1, 0, &value, &which) != PTL_CT_NONE_REACHED)
      return 6;
    return 0;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Rule28, PollsManyInTurns) {
  const ptl_handle_ct_t cts[2] = {target().Ct(), target().Ct()};
  const int wrong = target().Call([one = cts[0], two = cts[1]] {
    const ptl_handle_ct_t both[2] = {one, two};
    const ptl_size_t tests[2] = {1, 1};
    ptl_ct_event_t value;
    unsigned which = 9;
    PtlCTInc(two, {1, 0});
    if (PtlCTPoll(both, tests, 2, PTL_TIME_FOREVER, &value, &which)) return 1;
    return which == 1 && value.success == 1 ? 0 : 2;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Rule28, IncrementsOfThreadsAllCount) {
  const ptl_handle_ct_t ct = target().Ct();
  const auto value = target().Call([ct] {
    constexpr int kEach = 10'000;
    const auto increment = [ct] {
      for (int i = 0; i < kEach; ++i) PtlCTInc(ct, {1, 0});
    };
    std::thread other(increment);
    increment();
    other.join();
    ptl_ct_event_t result = {};
    PtlCTWait(ct, 2 * kEach, &result);
    return result;
  });
  EXPECT_EQ(value.success, 20'000U);
}

TEST_P(Rule28, WaitsForAPeer) {
  const ptl_handle_ct_t ct = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt,
                  {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM, .ct = ct});
  if (one_process()) {
    for (int i = 0; i < 3; ++i) PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
    EXPECT_EQ(target().Reached(ct, 3).code, PTL_OK);
    return;
  }
  target().child().Begin([ct] {
    ptl_ct_event_t value = {};
    return PtlCTWait(ct, 3, &value) == PTL_OK ? value.success : 0;
  });
  for (int i = 0; i < 3; ++i) PutEnds({.md = md_, .pt = pt}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().child().End<ptl_size_t>(), 3U);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
