// A process, the runner, dies while it runs triggered operations of another
// process's counter. Any process that looks at the counter, or waits for it,
// runs the rest. The owner also runs the rest when it sleeps for any other
// reason.
//
// The runner dies at a chosen operation: a put into a file that the runner has
// mapped and that was truncated. The owner has not mapped this file, so the
// same put would not kill it. If the owner waits, the test stops the owner
// while it sleeps, before the runner dies. Otherwise the owner would run the
// operations itself.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr ptl_size_t kLeft = 10;

// A flag shared by this process and the processes that it starts later.
class SharedFlag {
 public:
  SharedFlag()
      : memory_(mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        flag_(new (memory_) Flag(false)) {}
  ~SharedFlag() { munmap(memory_, sizeof(Flag)); }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;

  std::atomic<bool>* get() const { return flag_; }

 private:
  using Flag = std::atomic<bool>;
  void* memory_;
  Flag* flag_;
};

// Returns the state of a process as the kernel's letter: R, S, T and others.
char StateOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string stat(std::istreambuf_iterator<char>(file), {});
  const size_t name_end = stat.rfind(')');
  return name_end + 2 < stat.size() ? stat[name_end + 2] : '?';
}

class Resumed : public ::testing::Test {
 protected:
  Resumed()
      : owner_(Process::Memory::kMapped),
        runner_(Process::Memory::kMapped),
        trap_(Process::Memory::kMapped) {
    for (Process* const process : {&owner_, &runner_, &trap_}) {
      EXPECT_EQ(process->Open(kOptions), PTL_OK);
    }
    begins_ = owner_.Ct();
    left_ = owner_.Ct();
    begin_pt_ = owner_.Pt(PTL_EQ_NONE);
    const unsigned counted = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM;
    owner_.Append(begin_pt_, {.options = counted, .ct = begins_});
    md_ = owner_.Md(PTL_EQ_NONE);
    runner_md_ = runner_.Md(PTL_EQ_NONE);
    SetTrap();
    MakeWait();
  }

  // Makes an entry for the deadly put: lets the runner map the entry's memory,
  // and then removes the memory.
  void SetTrap() {
    struct File {
      int descriptor;
      char* memory;
    };
    const File file = trap_.Call([] {
      File made;
      made.descriptor = memfd_create("trap", 0);
      if (ftruncate(made.descriptor, 4096) != 0) _exit(1);
      made.memory =
          static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                  MAP_SHARED, made.descriptor, 0));
      return made;
    });
    trap_pt_ = trap_.Pt(PTL_EQ_NONE);
    trap_.Append(trap_pt_, {.start = file.memory});
    EXPECT_EQ(
        runner_.Put(trap_,
                    {.md = runner_md_, .ack = PTL_NO_ACK_REQ, .pt = trap_pt_}),
        PTL_OK);
    EXPECT_EQ(trap_.Call([file] { return ftruncate(file.descriptor, 0); }), 0);
  }

  // Makes these operations wait for `begins_`: the deadly put, kLeft increments
  // of `left_`, and an increment of `begins_` itself.
  void MakeWait() {
    const int code = owner_.Call([md = md_, begins = begins_, left = left_,
                                  to = trap_.id(), pt = trap_pt_] {
      int result = PtlTriggeredPut(md, 0, 8, PTL_NO_ACK_REQ, to, pt, 0, 0,
                                   nullptr, 0, begins, 1);
      for (ptl_size_t i = 0; i < kLeft && result == PTL_OK; ++i) {
        result = PtlTriggeredCTInc(left, {1, 0}, begins, 1);
      }
      if (result != PTL_OK) return result;
      return PtlTriggeredCTInc(begins, {1, 0}, begins, 1);
    });
    EXPECT_EQ(code, PTL_OK);
  }

  // Lets the owner sleep until `ct` reaches `until`, and stops the owner. The
  // owner continues after the runner's death.
  void LetTheRunnerDieWhileTheOwnerWaits(ptl_handle_ct_t ct, ptl_size_t until) {
    owner_.child().Begin([ct, until, waits = waits_.get()] {
      Answer<ptl_ct_event_t> answer = {};
      waits->store(true);
      answer.code = PtlCTWait(ct, until, &answer.value);
      return answer;
    });
    const pid_t owner = owner_.child().pid();
    while (!waits_.get()->load() || StateOf(owner) != 'S') sched_yield();
    owner_.child().Signal(SIGSTOP);
    while (StateOf(owner) != 'T') sched_yield();
    LetTheRunnerDie();
    owner_.child().Signal(SIGCONT);
  }

  void LetTheRunnerDie() { LetTheRunnerDieAt(begin_pt_); }
  void LetTheRunnerDieAt(ptl_pt_index_t begin_pt) {
    runner_.Call([] {
      const rlimit none = {0, 0};
      setrlimit(RLIMIT_CORE, &none);
    });
    runner_.child().Begin([md = runner_md_, to = owner_.id(), pt = begin_pt] {
      return PtlPut(md, 0, 8, PTL_NO_ACK_REQ, to, pt, 0, 0, nullptr, 0);
    });
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(runner_.child().pid()), &info,
                     WEXITED | WNOWAIT),
              0);
    EXPECT_TRUE(info.si_code != CLD_EXITED || info.si_status != 0)
        << "it was to die";
    runner_.child().Signal(SIGKILL);
  }

  void ExpectAllIsRun() {
    EXPECT_EQ(owner_.Count(left_).success, kLeft);
    EXPECT_EQ(owner_.Call([md = md_] { return PtlMDRelease(md); }), PTL_OK)
        << "the operation that was deadly is over";
  }

  SharedFlag waits_;  // true once the owner waits or is about to
  Process owner_;
  Process runner_;
  Process trap_;
  ptl_handle_ct_t begins_;
  ptl_handle_ct_t left_;
  ptl_pt_index_t begin_pt_;
  ptl_pt_index_t trap_pt_;
  ptl_handle_md_t md_;
  ptl_handle_md_t runner_md_;
};

TEST_F(Resumed, ByWhoLooks) {
  LetTheRunnerDie();
  EXPECT_EQ(owner_.Count(left_).success, 0U) << "nobody looked yet";
  EXPECT_EQ(owner_.Count(begins_).success, 2U);
  ExpectAllIsRun();
}

TEST_F(Resumed, ByWhoPolls) {
  LetTheRunnerDie();
  EXPECT_EQ(owner_.Reached(begins_, 2).code, PTL_OK);
  ExpectAllIsRun();
}

TEST_F(Resumed, ByWhoSleeps) {
  LetTheRunnerDieWhileTheOwnerWaits(begins_, 2);
  const auto answer = owner_.child().End<Answer<ptl_ct_event_t>>();
  EXPECT_EQ(answer.code, PTL_OK);
  ExpectAllIsRun();
}

TEST_F(Resumed, ByWhoSleepsForAnotherCounter) {
  LetTheRunnerDieWhileTheOwnerWaits(left_, kLeft);
  const auto answer = owner_.child().End<Answer<ptl_ct_event_t>>();
  EXPECT_EQ(answer.code, PTL_OK);
  ExpectAllIsRun();
}

// Each put wakes the owner, so the owner never sleeps for long.
TEST_F(Resumed, ByWhoIsWokenForOtherThingsAgainAndAgain) {
  const ptl_pt_index_t other_pt = owner_.Pt(PTL_EQ_NONE);
  owner_.Append(other_pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM,
                           .ct = owner_.Ct()});
  LetTheRunnerDieWhileTheOwnerWaits(left_, kLeft);
  const ptl_handle_md_t md = trap_.Md(PTL_EQ_NONE);
  trap_.child().Begin([md, to = owner_.id(), other_pt] {
    for (;;) {
      PtlPut(md, 0, 8, PTL_NO_ACK_REQ, to, other_pt, 0, 0, nullptr, 0);
      usleep(10'000);
    }
    return 0;
  });
  const auto answer = owner_.child().End<Answer<ptl_ct_event_t>>();
  trap_.child().Signal(SIGKILL);
  EXPECT_EQ(answer.code, PTL_OK);
  ExpectAllIsRun();
}

// The counter has no operation behind the deadly one.
TEST_F(Resumed, WithNothingBehindTheDeadlyOne) {
  const ptl_handle_ct_t last = owner_.Ct();
  const ptl_handle_md_t md = owner_.Md(PTL_EQ_NONE);
  const ptl_pt_index_t pt = owner_.Pt(PTL_EQ_NONE);
  owner_.Append(pt,
                {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM, .ct = last});
  const int code = owner_.Call([md, last, to = trap_.id(), trap_pt = trap_pt_] {
    return PtlTriggeredPut(md, 0, 8, PTL_NO_ACK_REQ, to, trap_pt, 0, 0, nullptr,
                           0, last, 1);
  });
  ASSERT_EQ(code, PTL_OK);
  LetTheRunnerDieAt(pt);
  const int released = owner_.Call([md, left = left_] {
    for (;;) {
      const int result = PtlMDRelease(md);
      if (result != PTL_IN_USE) return result;
      const ptl_size_t enough = 1;
      ptl_ct_event_t event;
      unsigned which;
      PtlCTPoll(&left, &enough, 1, 200, &event, &which);
    }
  });
  EXPECT_EQ(released, PTL_OK);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
