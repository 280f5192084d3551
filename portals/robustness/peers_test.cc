// Many processes look for one process. They are more than the backlog of its
// claim holds.
#include <errno.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstring>

#include "base/unique_fd.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;

struct Name {
  sockaddr_un address;
  socklen_t size;
};

// Shrinks the backlog of this process's claim to two connections. Returns the
// name of the claim, or a name of size 0 if there is no claim.
Name ShrinkBacklog() {
  constexpr int kMaxDescriptors = 1024;
  constexpr char kBegins[] = "\0portals4/";
  for (int file = 0; file < kMaxDescriptors; ++file) {
    Name name = {.address = {}, .size = sizeof name.address};
    auto* const address = reinterpret_cast<sockaddr*>(&name.address);
    if (getsockname(file, address, &name.size) == 0 &&
        name.address.sun_family == AF_UNIX &&
        memcmp(name.address.sun_path, kBegins, sizeof kBegins - 1) == 0) {
      listen(file, 1);
      return name;
    }
  }
  return {};
}

// Connects to a claim for a moment. Returns false if the claim's backlog is
// full.
bool Connects(const Name& to) {
  const UniqueFd looker(
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int result = connect(
      looker.get(), reinterpret_cast<const sockaddr*>(&to.address), to.size);
  EXPECT_TRUE(result == 0 || errno == EAGAIN) << strerror(errno);
  return result == 0;
}

class Peers : public ::testing::Test {
 protected:
  Peers() : target_(Process::Memory::kMapped) {
    EXPECT_EQ(target_.Open(kOptions), PTL_OK);
    claim_ = target_.Call([] { return ShrinkBacklog(); });
    EXPECT_GT(claim_.size, 0U);
  }
  void FillBacklog() {
    while (Connects(claim_)) continue;
  }

  Process target_;
  Name claim_;
};

TEST_F(Peers, FindAStoppedTargetWhoseBacklogIsFull) {
  const ptl_pt_index_t pt = target_.Pt(PTL_EQ_NONE);
  target_.Append(pt, {.options = PTL_ME_OP_PUT});
  FillBacklog();
  target_.child().Signal(SIGSTOP);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(target_.child().pid()), &info,
                   WSTOPPED | WNOWAIT),
            0);
  for (int i = 0; i < 3; ++i) {
    Process initiator(Process::Memory::kMapped);
    ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
    const ptl_handle_eq_t eq = initiator.Eq();
    const ptl_handle_md_t md = initiator.Md(eq, PTL_MD_EVENT_SEND_DISABLE);
    EXPECT_EQ(initiator.Put(target_, {.md = md, .pt = pt}), PTL_OK);
    EXPECT_EQ(initiator.Next(eq).value.ni_fail_type, PTL_NI_OK);
  }
  target_.child().Signal(SIGCONT);
}

TEST_F(Peers, AreAcceptedByATargetThatWaits) {
  const ptl_handle_eq_t eq = target_.Eq();
  const ptl_pt_index_t pt = target_.Pt(eq);
  target_.Append(pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  FillBacklog();
  target_.child().Begin([eq] {
    ptl_event_t event;
    unsigned which;
    return PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which);
  });
  while (!Connects(claim_) && !target_.child().Answers(0)) sched_yield();
  Process initiator(Process::Memory::kMapped);
  ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
  const ptl_handle_md_t md = initiator.Md(PTL_EQ_NONE);
  initiator.Put(target_, {.md = md, .ack = PTL_NO_ACK_REQ, .pt = pt});
  EXPECT_EQ(target_.child().End<int>(), PTL_OK) << "none was accepted";
}

TEST_F(Peers, AreAcceptedByATargetThatLooksForOthers) {
  const ptl_handle_md_t md = target_.Md(PTL_EQ_NONE);
  FillBacklog();
  ptl_process_t nobody = target_.id();
  nobody.phys.pid = (nobody.phys.pid + 1) % PTL_PID_MAX;
  target_.Call([md, nobody] {
    return PtlPut(md, 0, 8, PTL_NO_ACK_REQ, nobody, 0, 0, 0, nullptr, 0);
  });
  EXPECT_TRUE(Connects(claim_));
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
