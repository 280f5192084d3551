// Processes that are not dumpable (below: shut). No other process may open
// their descriptors, map their files, or copy from and to their memory.
#include <dirent.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/unique_fd.h"
#include "portals/testing/process.h"
#include "portals/testing/shut.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr size_t kMega = 1 << 20;

int Threads(Process& process) {
  return process.Call([] {
    DIR* const tasks = opendir("/proc/self/task");
    if (tasks == nullptr) return -1;
    int count = -2;  // leaves out "." and ".."
    while (readdir(tasks) != nullptr) ++count;
    closedir(tasks);
    return count;
  });
}

enum When { kNever, kBefore, kAfter };

class ShutTest : public ::testing::TestWithParam<Process::Memory> {
 protected:
  // Opens the interfaces of both processes. A process becomes shut before or
  // after it opens its interface, or never.
  void Open(When initiator, When target) {
    Open(initiator_, initiator);
    Open(target_, target);
    at_target_ = target_.Eq();
    pt_ = target_.Pt(at_target_);
    eq_ = initiator_.Eq();
    md_ = initiator_.Md(eq_, PTL_MD_EVENT_SEND_DISABLE);
    EXPECT_EQ(target_.Append(pt_, {.length = 2 * kMega}).code, PTL_OK);
  }
  void PutsAndGetsArrive() {
    unsigned seed = 1;
    for (const size_t length : {8U, 4096U, 4097U, 100'000U, 1U << 20}) {
      initiator_.Fill(kMega, length, ++seed);
      EXPECT_EQ(initiator_.Put(target_, {.md = md_,
                                         .local = kMega,
                                         .length = length,
                                         .pt = pt_,
                                         .remote = 5}),
                PTL_OK);
      ASSERT_EQ(initiator_.Next(eq_).value.ni_fail_type, PTL_NI_OK);
      EXPECT_EQ(target_.Differs(5, length, seed), length);
      EXPECT_EQ(initiator_.Get(target_, {.md = md_,
                                         .local = 4 * kMega,
                                         .length = length,
                                         .pt = pt_,
                                         .remote = 5}),
                PTL_OK);
      ASSERT_EQ(initiator_.Next(eq_).value.ni_fail_type, PTL_NI_OK);
      EXPECT_EQ(initiator_.Differs(4 * kMega, length, seed), length);
    }
  }

  Process initiator_{GetParam()};
  Process target_{GetParam()};
  ptl_handle_eq_t at_target_ = PTL_EQ_NONE;
  ptl_handle_eq_t eq_ = PTL_EQ_NONE;
  ptl_handle_md_t md_ = PTL_INVALID_HANDLE;
  ptl_pt_index_t pt_ = 0;

 private:
  static void Open(Process& process, When when) {
    process.Call([] { LoseCapabilities(); });
    if (when == kBefore) process.Call([] { Shut(); });
    EXPECT_EQ(process.Open(kOptions), PTL_OK);
    if (when == kAfter) process.Call([] { Shut(); });
  }
};

INSTANTIATE_TEST_SUITE_P(Of, ShutTest,
                         ::testing::Values(Process::Memory::kMapped,
                                           Process::Memory::kPrivate),
                         [](const auto& memory) {
                           return memory.param == Process::Memory::kMapped
                                      ? "MappedMemory"
                                      : "PrivateMemory";
                         });

TEST_P(ShutTest, BothReachEachOther) {
  Open(kBefore, kBefore);
  PutsAndGetsArrive();
}

TEST_P(ShutTest, OneIsReached) {
  Open(kNever, kBefore);
  PutsAndGetsArrive();
}

TEST_P(ShutTest, OneReachesOthers) {
  Open(kBefore, kNever);
  PutsAndGetsArrive();
}

// A process that has become shut opens its door when it sleeps.
TEST_P(ShutTest, OneThatBecomesSoIsReachedWhileItWaits) {
  Open(kNever, kAfter);
  target_.child().Begin([eq = at_target_] {
    ptl_event_t event;
    unsigned which;
    do {
      if (PtlEQPoll(&eq, 1, kPatienceMs, &event, &which) != PTL_OK) return -1;
    } while (event.type != PTL_EVENT_PUT);
    return 0;
  });
  for (ptl_ni_fail_t fail = PTL_NI_UNDELIVERABLE; fail != PTL_NI_OK;) {
    ASSERT_EQ(initiator_.Put(target_, {.md = md_, .pt = pt_}), PTL_OK);
    fail = initiator_.Next(eq_).value.ni_fail_type;
    ASSERT_TRUE(fail == PTL_NI_OK || fail == PTL_NI_UNDELIVERABLE) << fail;
    ASSERT_FALSE(initiator_.child().lost());
    ASSERT_TRUE(fail == PTL_NI_OK || !target_.child().Answers(0));
  }
  EXPECT_EQ(target_.child().End<int>(), 0);
}

TEST_P(ShutTest, ItsThreadsGoWithTheInterface) {
  Open(kNever, kBefore);
  EXPECT_EQ(Threads(target_), 3) << "one at the door, one that copies";
  EXPECT_EQ(target_.Call([ni = target_.ni()] { return PtlNIFini(ni); }),
            PTL_OK);
  EXPECT_EQ(Threads(target_), 1);
  EXPECT_EQ(Threads(initiator_), 1) << "it is not shut";
}

// Becomes `user` and asks at a door. Returns the number of descriptors that it
// gets, or a negative number if it cannot ask.
int DescriptorsFor(uid_t user, const sockaddr_un& door, socklen_t size,
                   const char* label) {
  if (setresuid(user, user, user) != 0) return -1;
  const UniqueFd asker(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(asker.get(), reinterpret_cast<const sockaddr*>(&door), size) !=
      0) {
    return -2;
  }
  send(asker.get(), label, strlen(label), MSG_NOSIGNAL);
  char byte;
  iovec part = {&byte, 1};
  char control[CMSG_SPACE(sizeof(int))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(asker.get(), &message, 0);
  return got == 1 && CMSG_FIRSTHDR(&message) != nullptr ? 1 : 0;
}

TEST(Door, OpensForTheSameUserAlone) {
  constexpr uid_t kNobody = 65534;
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  Process target(Process::Memory::kPrivate);
  Child same;
  Child other;
  target.Call([] { Shut(); });
  ASSERT_EQ(target.Open(kOptions), PTL_OK);
  const ptl_process_t id = target.phys();
  const auto ask = [id](uid_t user) {
    sockaddr_un door = {};
    door.sun_family = AF_UNIX;
    const int length = snprintf(door.sun_path + 1, sizeof door.sun_path - 1,
                                "portals4/0/0/%u/%u", id.phys.nid, id.phys.pid);
    char label[64];
    snprintf(label, sizeof label, "portals4-0-%u-%u-%u", id.phys.nid,
             id.phys.pid, kOptions);
    return DescriptorsFor(
        user, door,
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length),
        label);
  };
  EXPECT_EQ(same.Call([ask] { return ask(0); }), 1);
  EXPECT_EQ(other.Call([ask] { return ask(kNobody); }), 0);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
