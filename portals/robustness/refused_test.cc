// Peers cannot map some memory, and the kernel does not let them copy it. So a
// thread of the owner copies. This thread exists only if it is needed.
#include <dirent.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fstream>

#include "portals/testing/process.h"
#include "portals/testing/refusal.h"

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

// An initiator and a target, both with memory of kind `memory`.
struct Pair {
  Pair(bool initiator_refused, bool target_refused,
       Process::Memory memory = Process::Memory::kPrivate)
      : initiator(memory), target(memory) {
    if (initiator_refused) initiator.Call([] { RefuseCopies(); });
    if (target_refused) target.Call([] { RefuseCopies(); });
    EXPECT_EQ(initiator.Open(kOptions), PTL_OK);
    EXPECT_EQ(target.Open(kOptions), PTL_OK);
    threads = Threads(target);
    at_target = target.Eq();
    pt = target.Pt(at_target);
    eq = initiator.Eq();
    md = initiator.Md(eq);
  }
  void Append(const Entry& entry) {
    EXPECT_EQ(target.Append(pt, entry).code, PTL_OK);
  }
  ptl_ni_fail_t AckOf(const Operation& put) {
    EXPECT_EQ(initiator.Put(target, put), PTL_OK);
    return Acknowledged();
  }
  ptl_ni_fail_t Acknowledged() {
    for (;;) {
      const auto got = initiator.Next(eq);
      EXPECT_EQ(got.code, PTL_OK);
      if (got.code != PTL_OK || got.value.type == PTL_EVENT_ACK) {
        return got.value.ni_fail_type;
      }
    }
  }
  Process initiator;
  Process target;
  int threads;  // number of the target's threads before its first entry
  ptl_handle_eq_t at_target;
  ptl_pt_index_t pt;
  ptl_handle_eq_t eq;
  ptl_handle_md_t md;
};

// Returns true if this host refuses copies between processes. Containers and
// strict settings do so.
bool HostRefuses() {
  std::ifstream scope("/proc/sys/kernel/yama/ptrace_scope");
  if (scope.good() && scope.peek() >= '2') return true;
  char from = 0;
  char to = 0;
  const iovec here = {&to, 1};
  const iovec there = {&from, 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1;
}

TEST(Refused, NoThreadWhereNoneIsNeeded) {
  if (HostRefuses()) GTEST_SKIP() << "this host refuses copies to all";
  Pair open(false, false);
  open.Append({});
  EXPECT_EQ(open.AckOf({.md = open.md, .pt = open.pt}), PTL_NI_OK);
  EXPECT_EQ(Threads(open.target), open.threads) << "nothing is refused";
  Pair mapped(true, true, Process::Memory::kMapped);
  mapped.Append({});
  EXPECT_EQ(mapped.AckOf({.md = mapped.md, .pt = mapped.pt}), PTL_NI_OK);
  EXPECT_EQ(Threads(mapped.target), mapped.threads) << "peers map it";
}

TEST(Refused, OneThreadWhereItIs) {
  Pair pair(true, true);
  pair.Append({});
  EXPECT_EQ(Threads(pair.target), pair.threads + 1);
  EXPECT_EQ(pair.AckOf({.md = pair.md, .pt = pair.pt}), PTL_NI_OK);
  EXPECT_EQ(Threads(pair.target), pair.threads + 1);
  EXPECT_EQ(pair.target.Call([ni = pair.target.ni()] { return PtlNIFini(ni); }),
            PTL_OK);
  EXPECT_EQ(Threads(pair.target), pair.threads) << "it goes with its interface";
}

TEST(Refused, EveryLengthArrives) {
  Pair pair(true, true);
  pair.Append({.offset = 3, .length = 2 * kMega});
  unsigned seed = 1;
  for (const size_t length :
       {1U, 8U, 4096U, 4097U, 65535U, 65536U, 65537U, 1U << 20}) {
    pair.initiator.Fill(kMega, length, ++seed);
    EXPECT_EQ(pair.AckOf({.md = pair.md,
                          .local = kMega,
                          .length = length,
                          .pt = pair.pt,
                          .remote = 5}),
              PTL_NI_OK);
    EXPECT_EQ(pair.target.Differs(8, length, seed), length);
    EXPECT_EQ(pair.initiator.Get(pair.target, {.md = pair.md,
                                               .local = 4 * kMega,
                                               .length = length,
                                               .pt = pair.pt,
                                               .remote = 5}),
              PTL_OK);
    EXPECT_EQ(pair.initiator.Next(pair.eq).value.type,
              ptl_event_kind_t{PTL_EVENT_REPLY});
    EXPECT_EQ(pair.initiator.Differs(4 * kMega, length, seed), length);
  }
}

TEST(Refused, WhatIsNotThereIsSaid) {
  Pair pair(true, true);
  char* const pages = pair.target.Call([] {
    void* const at = mmap(nullptr, kMega, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(at, 4096, PROT_READ);
    munmap(static_cast<char*>(at) + kMega / 2, kMega / 2);
    return static_cast<char*>(at);
  });
  pair.Append({.length = kMega, .start = pages});
  const auto put = [&](ptl_size_t at, ptl_size_t length) {
    return pair.AckOf(
        {.md = pair.md, .length = length, .pt = pair.pt, .remote = at});
  };
  EXPECT_EQ(put(0, 8), PTL_NI_SEGV) << "read-only";
  EXPECT_EQ(put(4096, 8), PTL_NI_OK);
  EXPECT_EQ(put(kMega / 2, 8), PTL_NI_SEGV);
  EXPECT_EQ(put(kMega / 2 - 4096, 8192), PTL_NI_SEGV);
  EXPECT_EQ(put(8192, 100'000), PTL_NI_OK) << "both live";
}

// The kernel refuses the initiator, but not the target. The target learns of
// the initiator's request in its own calls.
class RefusedOneSided : public ::testing::Test {
 protected:
  RefusedOneSided() : pair_(true, false) {
    pair_.Append({.length = kMega});
    pair_.initiator.Fill(0, 100'000, 7);
  }
  void Begin() {
    pair_.initiator.child().Begin(
        [md = pair_.md, to = pair_.target.id(), pt = pair_.pt] {
          return PtlPut(md, 0, 100'000, PTL_ACK_REQ, to, pt, 0, 0, nullptr, 0);
        });
  }
  void Ends() {
    EXPECT_EQ(pair_.initiator.child().End<int>(), PTL_OK);
    EXPECT_EQ(pair_.Acknowledged(), PTL_NI_OK);
    EXPECT_EQ(pair_.target.Differs(0, 100'000, 7), 100'000U);
    EXPECT_EQ(Threads(pair_.target), pair_.threads + 1);
  }
  Pair pair_;
};

TEST_F(RefusedOneSided, ATargetThatWaits) {
  pair_.target.child().Begin([eq = pair_.at_target] {
    ptl_event_t event;
    unsigned which;
    int types = 0;
    do {
      if (PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which) != PTL_OK) break;
      ++types;
    } while (event.type != PTL_EVENT_PUT);
    return types;
  });
  Begin();
  EXPECT_EQ(pair_.target.child().End<int>(), 2) << "LINK and PUT";
  Ends();
}

TEST_F(RefusedOneSided, ATargetThatLooks) {
  Begin();
  ptl_event_kind_t type = PTL_EVENT_LINK;
  while (type != PTL_EVENT_PUT) {
    const auto got = pair_.target.Look(pair_.at_target);
    if (got.code == PTL_OK) type = got.value.type;
    ASSERT_FALSE(pair_.target.child().lost());
  }
  Ends();
}

TEST_F(RefusedOneSided, ATargetThatDisables) {
  Begin();
  // During these calls, the put is under way. Or the put finds the entry
  // disabled, or enabled again.
  int code = PTL_OK;
  while (!pair_.initiator.child().Answers(0)) {
    code = pair_.target.Call([ni = pair_.target.ni(), pt = pair_.pt] {
      const int disabled = PtlPTDisable(ni, pt);
      const int enabled = PtlPTEnable(ni, pt);
      return disabled != PTL_OK ? disabled : enabled;
    });
    ASSERT_EQ(code, PTL_OK);
  }
  EXPECT_EQ(pair_.initiator.child().End<int>(), PTL_OK);
  const ptl_ni_fail_t fail = pair_.Acknowledged();
  EXPECT_TRUE(fail == PTL_NI_OK || fail == PTL_NI_PT_DISABLED) << fail;
}

TEST_F(RefusedOneSided, ATargetThatIsKilled) {
  Begin();
  // The initiator has asked for help or is about to ask. No thread will answer.
  pair_.target.child().Signal(SIGKILL);
  EXPECT_EQ(pair_.initiator.child().End<int>(), PTL_OK);
  EXPECT_NE(pair_.Acknowledged(), PTL_NI_OK);
}

TEST_F(RefusedOneSided, ATargetThatCloses) {
  Begin();
  pair_.target.Call([ni = pair_.target.ni()] { PtlNIFini(ni); });
  EXPECT_EQ(pair_.initiator.child().End<int>(), PTL_OK);
  EXPECT_NE(pair_.Acknowledged(), PTL_NI_OK);
}

// Process A waits for a copy that only process B can make. B waits for a copy
// that only A can make.
TEST(Refused, EachWaitsForTheOther) {
  Pair one(true, true);
  one.Append({});
  Pair two(true, true);
  two.Append({});
  const auto begin = [](Process& from, ptl_handle_md_t md, const Process& to,
                        ptl_pt_index_t pt) {
    from.child().Begin([=, id = to.id()] {
      for (int i = 0; i < 2000; ++i) {
        if (PtlPut(md, 0, 8, PTL_NO_ACK_REQ, id, pt, 0, 0, nullptr, 0) !=
            PTL_OK)
          return -1;
      }
      return 0;
    });
  };
  begin(one.target, one.target.Md(PTL_EQ_NONE), two.target, two.pt);
  begin(two.target, two.target.Md(PTL_EQ_NONE), one.target, one.pt);
  EXPECT_EQ(one.target.child().End<int>(), 0);
  EXPECT_EQ(two.target.child().End<int>(), 0);
}

// A process runs another process's triggered put. The kernel does not let it
// read the put's data.
TEST(Refused, OperationsBegunByOthers) {
  Pair pair(true, true);
  pair.Append({});
  Process other(Process::Memory::kMapped);
  other.Call([] { RefuseCopies(); });
  ASSERT_EQ(other.Open(kOptions), PTL_OK);
  const ptl_handle_ct_t ct = pair.initiator.Ct();
  const ptl_pt_index_t begins = pair.initiator.Pt(PTL_EQ_NONE);
  ASSERT_EQ(
      pair.initiator
          .Append(begins, {.offset = kMega,
                           .options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM,
                           .ct = ct})
          .code,
      PTL_OK);
  pair.initiator.Fill(0, 64, 5);
  EXPECT_EQ(pair.initiator.Call(
                [=, md = pair.md, to = pair.target.id(), pt = pair.pt] {
                  return PtlTriggeredPut(md, 0, 64, PTL_NO_ACK_REQ, to, pt, 0,
                                         0, nullptr, 0, ct, 1);
                }),
            PTL_OK);
  EXPECT_EQ(other.Put(pair.initiator, {.md = other.Md(PTL_EQ_NONE),
                                       .ack = PTL_NO_ACK_REQ,
                                       .pt = begins}),
            PTL_OK);
  EXPECT_EQ(pair.target.Differs(0, 64, 5), 64U);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
