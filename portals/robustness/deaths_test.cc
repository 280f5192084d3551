// A process dies at a moment that the test chooses: while it moves the data of
// a long put, or while it holds the lock of a peer's portal table entry.
#include <gtest/gtest.h>
#include <portals4.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "portals/api/library.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr ptl_match_bits_t kShort = 1;
constexpr ptl_match_bits_t kLong = 2;
// longer than data that is moved under the lock
constexpr ptl_size_t kLength = 16'384;

class Deaths : public ::testing::Test {
 protected:
  Deaths()
      : target_(Process::Memory::kMapped),
        victim_(Process::Memory::kMapped),
        eq_(Open()),
        pt_(target_.Pt(eq_)),
        md_(victim_.Md(PTL_EQ_NONE)) {}

  ptl_handle_eq_t Open() {
    EXPECT_EQ(target_.Open(kOptions), PTL_OK);
    EXPECT_EQ(victim_.Open(kOptions), PTL_OK);
    return target_.Eq();
  }
  void VictimPuts(ptl_match_bits_t bits, ptl_size_t length) {
    victim_.child().Begin([md = md_, to = target_.id(), pt = pt_, bits,
                           length] {
      const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
      setrlimit(RLIMIT_CORE, &no_core);
      signal(SIGBUS, SIG_DFL);
      return PtlPut(md, 0, length, PTL_NO_ACK_REQ, to, pt, bits, 0, nullptr, 0);
    });
  }
  // Waits until the victim has died by itself.
  void AwaitDeath() {
    siginfo_t info;
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(victim_.child().pid()), &info,
                     WEXITED | WNOWAIT),
              0);
    victim_.child().Signal(SIGKILL);
  }

  Process target_;
  Process victim_;
  const ptl_handle_eq_t eq_;
  const ptl_pt_index_t pt_;
  const ptl_handle_md_t md_;
};

// The victim maps the file behind the entry. Then the file is truncated. So the
// victim dies by SIGBUS during its next put.
TEST_F(Deaths, AUsedEntryIsToldToATargetThatWaits) {
  struct File {
    int descriptor;
    void* memory;
  };
  const File file = target_.Call([] {
    File made;
    made.descriptor = memfd_create("trap", 0);
    if (ftruncate(made.descriptor, kLength) != 0) _exit(1);
    made.memory = mmap(nullptr, kLength, PROT_READ | PROT_WRITE, MAP_SHARED,
                       made.descriptor, 0);
    return made;
  });
  const unsigned options =
      PTL_ME_OP_PUT | PTL_ME_USE_ONCE | PTL_ME_EVENT_LINK_DISABLE;
  for (const ptl_match_bits_t bits : {kShort, kLong}) {
    target_.Append(pt_, {.length = kLength,
                         .options = options,
                         .bits = bits,
                         .start = file.memory});
  }
  VictimPuts(kShort, 8);
  EXPECT_EQ(victim_.child().End<int>(), PTL_OK);
  EXPECT_EQ(target_.Next(eq_).value.type, PTL_EVENT_PUT);
  EXPECT_EQ(target_.Next(eq_).value.type, PTL_EVENT_AUTO_UNLINK);
  ASSERT_EQ(target_.Call([file] { return ftruncate(file.descriptor, 0); }), 0);

  target_.child().Begin([eq = eq_] {
    ptl_event_t event = {};
    unsigned which;
    const int code = PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which);
    return code == PTL_OK ? static_cast<int>(event.type) : -1;
  });
  VictimPuts(kLong, kLength);
  AwaitDeath();
  EXPECT_EQ(target_.child().End<int>(), PTL_EVENT_AUTO_UNLINK);
}

TEST_F(Deaths, BreakTheEntryWhoseLockIsHeld) {
  Process witness(Process::Memory::kMapped);
  ASSERT_EQ(witness.Open(kOptions), PTL_OK);
  const ptl_handle_eq_t acks = witness.Eq();
  const ptl_handle_md_t md = witness.Md(acks, PTL_MD_EVENT_SEND_DISABLE);
  const ptl_pt_index_t other = target_.Pt(PTL_EQ_NONE);
  const Entry entry = {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE};
  const ptl_handle_me_t linked = target_.Append(pt_, entry).value;
  target_.Append(other, entry);
  ASSERT_TRUE(victim_.Call([to = target_.id(), pt = pt_] {
    portals4::PeerInterface* const peer = portals4::GetLibrary().FindPeer(
        portals4::PackPhysical(to.phys.nid, to.phys.pid), kOptions);
    return peer != nullptr && peer->view.Pt(pt)->lock.TryAcquire();
  }));
  victim_.child().Signal(SIGKILL);

  EXPECT_EQ(witness.Put(target_, {.md = md, .pt = pt_}), PTL_OK);
  EXPECT_EQ(witness.Next(acks).value.ni_fail_type, PTL_NI_UNDELIVERABLE);
  EXPECT_EQ(witness.Put(target_, {.md = md, .pt = other}), PTL_OK);
  EXPECT_EQ(witness.Next(acks).value.ni_fail_type, PTL_NI_OK);

  EXPECT_EQ(target_.Append(pt_, entry).code, PTL_FAIL);
  EXPECT_EQ(target_.Unlink(linked), PTL_FAIL);
  EXPECT_EQ(target_.Search(pt_, entry, PTL_SEARCH_ONLY), PTL_FAIL);
  struct Codes {
    int disable, enable, free, alloc;
  };
  const Codes codes = target_.Call([ni = target_.ni(), pt = pt_, eq = eq_] {
    Codes answered;
    ptl_pt_index_t given;
    answered.disable = PtlPTDisable(ni, pt);
    answered.enable = PtlPTEnable(ni, pt);
    answered.free = PtlPTFree(ni, pt);
    answered.alloc = PtlPTAlloc(ni, 0, eq, pt, &given);
    return answered;
  });
  EXPECT_EQ(codes.disable, PTL_FAIL);
  EXPECT_EQ(codes.enable, PTL_FAIL);
  EXPECT_EQ(codes.free, PTL_OK);
  EXPECT_EQ(codes.alloc, PTL_PT_IN_USE) << "its index is not given again";
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
