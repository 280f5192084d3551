// A million puts with acknowledgement complete although their target is stopped
// by a signal.
#include <gtest/gtest.h>
#include <portals4.h>
#include <signal.h>
#include <sys/wait.h>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

TEST(StoppedTarget, AMillionPutsComplete) {
  constexpr ptl_size_t kPuts = 1'000'000;
  constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
  Process initiator(Process::Memory::kMapped);
  Process target(Process::Memory::kMapped);
  ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
  ASSERT_EQ(target.Open(kOptions), PTL_OK);
  const ptl_handle_ct_t arrived = target.Ct();
  const ptl_pt_index_t pt = target.Pt(PTL_EQ_NONE);
  target.Append(
      pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM, .ct = arrived});
  const ptl_handle_ct_t acknowledged = initiator.Ct();
  const ptl_handle_md_t md =
      initiator.Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK, acknowledged);

  target.child().Signal(SIGSTOP);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(target.child().pid()), &info,
                   WSTOPPED | WNOWAIT),
            0);
  const auto count = initiator.Call([=, to = target.id()] {
    ptl_ct_event_t value = {};
    for (ptl_size_t i = 0; i < kPuts; ++i) {
      if (PtlPut(md, 0, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, i) != PTL_OK)
        return value;
    }
    PtlCTWait(acknowledged, kPuts, &value);
    return value;
  });
  EXPECT_EQ(count.success, kPuts);
  EXPECT_EQ(count.failure, 0U);
  target.child().Signal(SIGCONT);
  EXPECT_EQ(target.Count(arrived).success, kPuts);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
