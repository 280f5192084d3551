// A process is killed at a random moment, often while it holds locks of other
// processes. Calls of the other processes return. Everything that the dead
// process did not use still works. PORTALS_KILLS sets the number of kills; the
// seed is printed.
#include <gtest/gtest.h>
#include <portals4.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <string>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
constexpr ptl_pt_index_t kShared = 0;  // the index that the victim uses too
constexpr ptl_pt_index_t kApart = 1;   // the index that the victim never uses

using Flag = std::atomic<int>;

Flag* SharedFlag() {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page != MAP_FAILED ? new (page) Flag(0) : nullptr;
}

void Spin() { asm volatile("" ::: "memory"); }

// A process with an entry behind both indices, a queue and a descriptor.
struct Member {
  explicit Member(Process::Memory memory) : process(memory) {
    EXPECT_EQ(process.Open(kOptions), PTL_OK);
    at_target = process.Eq(256);
    eq = process.Eq(1024);
    md = process.Md(eq, 0, PTL_CT_NONE, 0, 1 << 20);
    process.Pt(at_target, 0, kShared);
    process.Pt(PTL_EQ_NONE, 0, kApart);
    const Entry entry = {.offset = 1 << 20,
                         .length = 1 << 20,
                         .options = kPutGet | PTL_ME_EVENT_LINK_DISABLE};
    process.Append(kShared, entry);
    process.Append(kApart, entry);
  }
  Process process;
  ptl_handle_eq_t at_target;
  ptl_handle_eq_t eq;
  ptl_handle_md_t md;
};

// Returns a function that does all kinds of operations on `to` and on its own
// table, until `stop` is set.
auto Busy(const Member& self, const Process& to, Flag* stop) {
  return [ni = self.process.ni(), md = self.md, eq = self.eq,
          at_target = self.at_target, id = to.id(), stop,
          memory = self.process.memory()] {
    ptl_event_t event;
    ptl_me_t me = {};
    me.start = memory;
    me.length = 64;
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.options = kPutGet | PTL_ME_USE_ONCE;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    me.match_bits = 77;
    int rounds = 0;
    while (stop->load(std::memory_order_relaxed) == 0) {
      const ptl_size_t length = rounds % 16 == 0 ? 100'000 : 8;
      PtlPut(md, 0, length, PTL_ACK_REQ, id, kShared, 0, 0, nullptr, 0);
      PtlGet(md, 0, 8, id, kShared, 0, 0, nullptr);
      PtlFetchAtomic(md, 64, md, 0, 8, id, kShared, 0, 0, nullptr, 0, PTL_SUM,
                     PTL_INT64_T);
      ptl_handle_me_t entry;
      if (PtlMEAppend(ni, kShared, &me, PTL_PRIORITY_LIST, nullptr, &entry) ==
          PTL_OK)
        PtlMEUnlink(entry);
      while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
      while (PtlEQGet(at_target, &event) != PTL_EQ_EMPTY) continue;
      ++rounds;
    }
    return rounds;
  };
}

// Returns the result of a put with acknowledgement.
int Ends(Member& from, Process& to, ptl_pt_index_t pt) {
  return from.process.Call([md = from.md, eq = from.eq, id = to.id(), pt] {
    ptl_event_t event;
    while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
    if (PtlPut(md, 0, 8, PTL_ACK_REQ, id, pt, 0, 0, &event, 0) != PTL_OK)
      return -1;
    unsigned which;
    do {
      if (PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which) == PTL_EQ_EMPTY)
        return -2;
    } while (event.type != PTL_EVENT_ACK || event.user_ptr == nullptr);
    return static_cast<int>(event.ni_fail_type);
  });
}

class Kills : public ::testing::TestWithParam<Process::Memory> {
 protected:
  void Round(std::mt19937_64& random) {
    Flag* const stop = SharedFlag();
    ASSERT_NE(stop, nullptr);
    {
      Member survivor(GetParam());
      Member witness(GetParam());
      Member victim(GetParam());
      victim.process.child().Begin(Busy(victim, survivor.process, stop));
      survivor.process.child().Begin(Busy(survivor, victim.process, stop));
      witness.process.child().Begin(Busy(witness, survivor.process, stop));
      // Each yield gives other processes a time slice. The spins vary the
      // moment of the kill in finer steps.
      for (uint64_t yields = random() % 20; yields > 0; --yields) sched_yield();
      for (uint64_t spins = random() % 100'000; spins > 0; --spins) Spin();
      victim.process.child().Signal(SIGKILL);
      for (uint64_t yields = random() % 8; yields > 0; --yields) sched_yield();
      stop->store(1, std::memory_order_relaxed);
      survivor.process.child().End<int>();
      witness.process.child().End<int>();

      EXPECT_EQ(Ends(survivor, victim.process, kApart), PTL_NI_UNDELIVERABLE);
      EXPECT_EQ(Ends(witness, victim.process, kShared), PTL_NI_UNDELIVERABLE);
      EXPECT_EQ(Ends(witness, survivor.process, kApart), PTL_NI_OK);
      EXPECT_EQ(Ends(survivor, witness.process, kApart), PTL_NI_OK);
      // If the dead process held the lock of the entry at kShared, that entry
      // is broken for all processes. deaths_test.cc always tests that case.
      const int shared = Ends(witness, survivor.process, kShared);
      EXPECT_TRUE(shared == PTL_NI_OK || shared == PTL_NI_UNDELIVERABLE)
          << shared;
      broken_ += shared == PTL_NI_OK ? 0 : 1;
    }
    munmap(stop, 4096);
  }
  int broken_ = 0;
};

TEST_P(Kills, OthersGoOn) {
  const char* const wanted = getenv("PORTALS_KILLS");
  const int kills = wanted != nullptr ? atoi(wanted) : 20;
  const uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    SCOPED_TRACE("kill " + std::to_string(i) + " of seed " +
                 std::to_string(seed));
    Round(random);
  }
  printf("seed %llu: %d kills, %d with a lock held\n",
         static_cast<unsigned long long>(seed), kills, broken_);
}

INSTANTIATE_TEST_SUITE_P(All, Kills,
                         ::testing::Values(Process::Memory::kMapped,
                                           Process::Memory::kPrivate),
                         [](const auto& memory) {
                           return memory.param == Process::Memory::kMapped
                                      ? "mapped"
                                      : "private";
                         });

}  // namespace
}  // namespace gasnet::portals4_tests::testing
