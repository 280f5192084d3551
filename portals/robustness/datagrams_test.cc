// Operations that datagrams carry: to targets that compute, to targets that no
// longer answer, and between many processes at once on a bad network.
#include <gtest/gtest.h>
#include <portals4.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "portals/testing/job.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr size_t kMega = size_t{1} << 20;

class Datagrams : public ::testing::Test {
 protected:
  void Open(size_t ranks, const JobSetup& setup = {}) {
    processes_ = MakeJob(ranks, Process::Memory::kPrivate, setup);
    for (const auto& process : processes_) {
      ASSERT_EQ(process->Open(kOptions), PTL_OK);
    }
  }
  Process& initiator() { return *processes_.front(); }
  Process& target() { return *processes_.back(); }

  Processes processes_;
};

TEST_F(Datagrams, NamesAreThoseOfTheJob) {
  Open(3, {.transport = "auto", .hosts = 2});
  for (size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(processes_[rank]->phys().phys.pid, rank);
    EXPECT_EQ(processes_[rank]->phys().phys.nid, rank % 2);
  }
}

TEST_F(Datagrams, AnotherPidIsTaken) {
  processes_ = MakeJob(2, Process::Memory::kPrivate, {});
  const auto open = [](ptl_pid_t pid) {
    return [pid] {
      ptl_handle_ni_t ni;
      PtlInit();
      return PtlNIInit(PTL_IFACE_DEFAULT, kOptions, pid, nullptr, nullptr, &ni);
    };
  };
  EXPECT_EQ(initiator().Call(open(1)), PTL_PID_IN_USE);
  EXPECT_EQ(initiator().Call(open(0)), PTL_OK);
}

TEST_F(Datagrams, ATargetThatComputesIsNotInTheWay) {
  Open(2);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {});
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  initiator().Store<uint64_t>(0, 1);
  // The target makes no call. It ends once it sees the put's data in memory.
  target().child().Begin([at = target().memory()] {
    auto& word = *reinterpret_cast<std::atomic<uint64_t>*>(at);
    while (word.load(std::memory_order_relaxed) == 0) continue;
    return true;
  });
  EXPECT_EQ(initiator().Put(target(), {.md = md, .pt = pt}), PTL_OK);
  EXPECT_EQ(initiator().Next(eq).value.type, ptl_event_kind_t{PTL_EVENT_SEND});
  const auto ack = initiator().Next(eq);
  EXPECT_EQ(ack.code, PTL_OK);
  EXPECT_EQ(ack.value.ni_fail_type, ptl_ni_fail_t{PTL_NI_OK});
  EXPECT_TRUE(target().child().End<bool>());
}

TEST_F(Datagrams, AFileBehindAnEntryOutlivesTheMappingOfTheProgram) {
  Open(2);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  char* const page = target().Call([] {
    const int file = memfd_create("entry", 0);  // stays open
    if (ftruncate(file, 4096) != 0) return static_cast<char*>(nullptr);
    return static_cast<char*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  });
  ASSERT_EQ(target().Append(pt, {.length = 4096, .start = page}).code, PTL_OK);
  target().Call([page] { munmap(page, 4096); });
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  initiator().Store<uint64_t>(0, 77);
  EXPECT_EQ(initiator().Put(target(), {.md = md, .pt = pt}), PTL_OK);
  EXPECT_EQ(initiator().Next(eq).value.type, ptl_event_kind_t{PTL_EVENT_SEND});
  EXPECT_EQ(initiator().Next(eq).value.ni_fail_type, ptl_ni_fail_t{PTL_NI_OK});
  EXPECT_EQ(initiator().Get(target(), {.md = md, .local = 64, .pt = pt}),
            PTL_OK);
  EXPECT_EQ(initiator().Next(eq).value.ni_fail_type, ptl_ni_fail_t{PTL_NI_OK});
  EXPECT_EQ(initiator().Load<uint64_t>(64), 77U);
}

TEST_F(Datagrams, WhatIsNotThereIsUndeliverable) {
  Open(2);
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  target().Call([ni = target().ni()] { return PtlNIFini(ni); });
  EXPECT_EQ(initiator().Get(target(), {.md = md}), PTL_OK);
  EXPECT_EQ(initiator().Next(eq).value.ni_fail_type,
            ptl_ni_fail_t{PTL_NI_UNDELIVERABLE});
}

TEST_F(Datagrams, AnAppendInTheThreadWaitsForDataThatTheThreadBrings) {
  constexpr ptl_match_bits_t kData = 1;
  constexpr ptl_match_bits_t kStart = 2;
  Open(2, {.faults = "drop=20,seed=5"});
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target);
  const ptl_handle_ct_t ct = target().Ct();
  target().Append(pt, {.length = 64,
                       .options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM,
                       .bits = kStart,
                       .ct = ct});
  target().Append(pt, {.offset = kMega,
                       .length = kMega,
                       .bits = kData,
                       .list = PTL_OVERFLOW_LIST});
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq, PTL_MD_EVENT_SEND_DISABLE);
  // The target makes no call. So its transport's thread notices that the
  // triggered append is due, and runs the append. The append waits for the
  // header's data.
  for (ptl_size_t round = 1; round <= 20 && !HasFailure(); ++round) {
    EXPECT_EQ(target().Call([ni = target().ni(), ct, pt, round] {
      ptl_me_t me = {};
      me.length = 64;
      me.ct_handle = PTL_CT_NONE;
      me.uid = PTL_UID_ANY;
      me.options = PTL_ME_OP_PUT | PTL_ME_USE_ONCE;
      me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
      me.match_bits = kData;
      ptl_handle_me_t entry;
      return PtlTriggeredMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, nullptr,
                                  &entry, ct, round);
    }),
              PTL_OK);
    EXPECT_EQ(
        initiator().Put(target(),
                        {.md = md, .length = 20'000, .pt = pt, .bits = kData}),
        PTL_OK);
    EXPECT_EQ(initiator().Put(target(), {.md = md, .pt = pt, .bits = kStart}),
              PTL_OK);
    EXPECT_EQ(initiator().Next(eq).value.ni_fail_type,
              ptl_ni_fail_t{PTL_NI_OK});
    EXPECT_EQ(initiator().Next(eq).value.ni_fail_type,
              ptl_ni_fail_t{PTL_NI_OK});
  }
}

TEST_F(Datagrams, AFiniThatIsNotTheLastForgetsNothing) {
  Open(2);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {});
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq, PTL_MD_EVENT_SEND_DISABLE);
  target().child().Signal(SIGSTOP);
  EXPECT_EQ(initiator().Put(target(), {.md = md, .pt = pt}), PTL_OK);
  initiator().Call([] {
    PtlInit();
    PtlFini();
  });
  target().child().Signal(SIGCONT);
  const auto ack = initiator().Next(eq);
  EXPECT_EQ(ack.code, PTL_OK);
  EXPECT_EQ(ack.value.type, ptl_event_kind_t{PTL_EVENT_ACK});
}

TEST_F(Datagrams, WhatTheLastFiniMakesDueIsForgotten) {
  Open(2);
  const ptl_handle_ct_t ct = target().Ct();
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {.length = 4 * kMega,
                       .options = PTL_ME_OP_GET | PTL_ME_EVENT_CT_COMM,
                       .ct = ct});
  EXPECT_EQ(target().Call([ct] {
    return PtlTriggeredCTInc(ct, {1, 0}, ct, 1);
  }),
            PTL_OK);
  const ptl_handle_md_t md = initiator().Md(PTL_EQ_NONE);
  // The initiator stops itself before it receives the answer. So the answer
  // stays in flight.
  initiator().child().Begin([md, to = target().id(), pt] {
    const int begun = PtlGet(md, 0, 4 * kMega, to, pt, 0, 0, nullptr);
    raise(SIGSTOP);
    return begun;
  });
  int status;
  ASSERT_EQ(waitpid(initiator().child().pid(), &status, WUNTRACED),
            initiator().child().pid());
  const int wrong = target().Call([] {
    PtlFini();
    PtlInit();
    ptl_handle_ni_t ni;
    ptl_handle_ct_t counter;
    if (PtlNIInit(PTL_IFACE_DEFAULT, kOptions, PTL_PID_ANY, nullptr, nullptr,
                  &ni) ||
        PtlCTAlloc(ni, &counter)) {
      return 1;
    }
    return PtlCTInc(counter, {1, 0}) == PTL_OK ? 0 : 2;
  });
  EXPECT_EQ(wrong, 0);
  initiator().child().Signal(SIGCONT);
  EXPECT_EQ(initiator().child().End<int>(), PTL_OK);
}

class Silence : public Datagrams {
 protected:
  void SetUp() override {
    setenv("PORTALS4_SILENCE_LIMIT", "1", 1);
    Open(2);
    unsetenv("PORTALS4_SILENCE_LIMIT");
    pt_ = target().Pt(PTL_EQ_NONE);
    target().Append(pt_, {.length = 4 * kMega});
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
  }
  // Starts a put and a get. Checks that both fail with PTL_NI_UNDELIVERABLE,
  // like earlier operations without an answer.
  void ExpectEnd() {
    const Operation large = {.md = md_, .length = 4 * kMega, .pt = pt_};
    EXPECT_EQ(initiator().Put(target(), large), PTL_OK);
    EXPECT_EQ(initiator().Get(target(), large), PTL_OK);
    int failures = 0;
    for (int i = 0; i < 3; ++i) {
      const auto got = initiator().Next(eq_);
      EXPECT_EQ(got.code, PTL_OK);
      if (got.value.ni_fail_type == PTL_NI_UNDELIVERABLE) ++failures;
    }
    EXPECT_EQ(failures, 2);
    // The operations no longer use the descriptor, so it can be released.
    EXPECT_EQ(initiator().Call([md = md_] { return PtlMDRelease(md); }),
              PTL_OK);
  }

  ptl_pt_index_t pt_;
  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
};

TEST_F(Silence, OfTheDead) {
  target().child().Signal(SIGKILL);
  ExpectEnd();
}

TEST_F(Silence, OfTheDeadIsReportedOfQuietPutsToo) {
  const ptl_handle_md_t quiet =
      initiator().Md(eq_, PTL_MD_EVENT_SUCCESS_DISABLE);
  target().child().Signal(SIGKILL);
  EXPECT_EQ(initiator().Put(target(), {.md = quiet, .pt = pt_}), PTL_OK);
  const auto end = initiator().Next(eq_);
  EXPECT_EQ(end.value.type, ptl_event_kind_t{PTL_EVENT_ACK});
  EXPECT_EQ(end.value.ni_fail_type, ptl_ni_fail_t{PTL_NI_UNDELIVERABLE});
  EXPECT_EQ(initiator().Call([quiet] { return PtlMDRelease(quiet); }), PTL_OK);
}

TEST_F(Silence, OfTheStopped) {
  target().child().Signal(SIGSTOP);
  ExpectEnd();
  target().child().Signal(SIGCONT);
}

TEST_F(Silence, OfAnInitiatorEndsWhatItBegan) {
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target);
  const ptl_handle_me_t entry =
      target().Link(pt, {.length = 4 * kMega}, at_target);
  // The initiator is killed while its put is under way.
  initiator().Call([md = md_, to = target().id(), pt] {
    PtlPut(md, 0, 4 * kMega, PTL_NO_ACK_REQ, to, pt, 0, 0, nullptr, 0);
  });
  initiator().child().Signal(SIGKILL);
  const auto event = target().Next(at_target);
  EXPECT_EQ(event.code, PTL_OK);
  // On a fast machine the operation may already be complete.
  EXPECT_TRUE(event.value.ni_fail_type == PTL_NI_UNDELIVERABLE ||
              event.value.ni_fail_type == PTL_NI_OK);
  EXPECT_EQ(target().Unlink(entry), PTL_OK);
}

constexpr int kRounds = 20;

// Runs one rank's part: sums to all ranks, and large puts. Reads the data of
// the puts back.
int Part(ptl_handle_md_t md, ptl_handle_ct_t ct, ptl_pt_index_t pt,
         uint32_t rank, uint32_t ranks, uint32_t hosts, char* memory) {
  ptl_size_t over = 0;
  const auto wait = [&] {
    ptl_ct_event_t value;
    if (PtlCTWait(ct, ++over, &value) != PTL_OK) return 1;
    return value.failure == 0 && value.success == over ? 0 : 2;
  };
  auto* const one = reinterpret_cast<int64_t*>(memory + 64);
  *one = 1;
  for (int i = 0; i < kRounds; ++i) {
    for (uint32_t to = 0; to < ranks; ++to) {
      ptl_process_t target;
      target.phys = {to % hosts, to};
      if (PtlAtomic(md, 64, 8, PTL_CT_ACK_REQ, target, pt, 0, 0, nullptr, 0,
                    PTL_SUM, PTL_INT64_T) != PTL_OK)
        return 3;
      if (wait() != 0) return 4;
      const ptl_size_t length = 8000 * static_cast<ptl_size_t>(i + 1) + rank;
      const ptl_size_t place = kMega + rank * kMega / 4;
      memset(memory + kMega * 4, static_cast<int>(rank * 16 + to + 1), length);
      if (PtlPut(md, kMega * 4, length, PTL_CT_ACK_REQ, target, pt, 0, place,
                 nullptr, 0) != PTL_OK)
        return 5;
      if (wait() != 0) return 6;
      memset(memory + kMega * 5, 0, length);
      if (PtlGet(md, kMega * 5, length, target, pt, 0, place, nullptr) !=
          PTL_OK)
        return 7;
      if (wait() != 0) return 8;
      if (memcmp(memory + kMega * 4, memory + kMega * 5, length) != 0) return 9;
    }
  }
  return 0;
}

TEST_F(Datagrams, ManyProcessesOnABadNetwork) {
  constexpr uint32_t kRanks = 4;
  constexpr uint32_t kHosts = 2;
  Open(kRanks, {.transport = "auto",
                .hosts = kHosts,
                .faults = "drop=5,duplicate=2,reorder=10,corrupt=1"});
  ptl_pt_index_t pt = 0;
  for (const auto& process : processes_) {
    pt = process->Pt(PTL_EQ_NONE);
    process->Append(pt, {.length = 4 * kMega});
  }
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    Process& process = *processes_[rank];
    const ptl_handle_ct_t ct = process.Ct();
    const ptl_handle_md_t md = process.Md(
        PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY, ct);
    process.child().Begin([=, memory = process.memory()] {
      return Part(md, ct, pt, rank, kRanks, kHosts, memory);
    });
  }
  for (const auto& process : processes_) {
    EXPECT_EQ(process->child().End<int>(), 0);
  }
  for (const auto& process : processes_) {
    EXPECT_EQ(process->Load<int64_t>(0), int64_t{kRounds} * kRanks);
  }
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
