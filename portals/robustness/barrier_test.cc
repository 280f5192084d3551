// A dissemination barrier of triggered operations. Any process that makes a
// triggered operation due runs it. The test checks that no operation is lost or
// run twice, and that waiting processes are woken. During the test some
// processes compute, and each process is stopped now and again.
//
// Each rank votes with two numbers. The greatest first number and the greatest
// second number win. In step i, each rank sends the greatest numbers that it
// knows to the rank 2^i further on. A step's counter counts the arrivals for
// the step, and the completion of the previous step. Three sets of counters and
// memory take turns.
#include <gtest/gtest.h>
#include <portals4.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "portals/testing/job.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr unsigned kMaxRanks = 16;
constexpr unsigned kMaxSteps = 4;
constexpr uint64_t kSets = 3;
constexpr uint64_t kRounds = 200;
constexpr ptl_pt_index_t kVotes = 0;
constexpr ptl_pt_index_t kBell = 1;

struct Vote {
  int64_t most;
  int64_t least;  // the least vote, negated
};
constexpr Vote kNone = {INT64_MIN, INT64_MIN};

int64_t VoteOf(unsigned rank, uint64_t round) {
  return static_cast<int64_t>((rank + 1) * 2654435761U * (round + 7) % 10007);
}

// The data of a rank. Each process has a copy of its rank's data.
struct Barrier {
  struct Set {
    alignas(64) Vote known;
    alignas(64) Vote mine;
  };

  unsigned rank;
  unsigned size;
  unsigned steps;
  Set* sets;
  ptl_process_t id[kMaxRanks];
  ptl_handle_md_t md;
  ptl_handle_eq_t bell;
  ptl_handle_ct_t counters[kSets * kMaxSteps];

  Set& SetOf(uint64_t round) const { return sets[round % kSets]; }
  unsigned BitsOf(uint64_t round, unsigned step) const {
    return static_cast<unsigned>(round % kSets) * steps + step;
  }
  ptl_handle_ct_t CounterOf(uint64_t round, unsigned step) const {
    return counters[BitsOf(round, step)];
  }
  static ptl_size_t CountOf(uint64_t round) {
    return 2 * ((round + kSets - 1) / kSets);
  }
  ptl_process_t Ahead(unsigned step) const {
    return id[(rank + (1U << step)) % size];
  }
  ptl_size_t OffsetOf(const Vote& vote) const {
    return static_cast<ptl_size_t>(reinterpret_cast<const char*>(&vote) -
                                   reinterpret_cast<const char*>(sets));
  }

  int SetUp(uint64_t round) const {
    for (unsigned step = 0; step + 1 < steps; ++step) {
      const ptl_handle_ct_t at = CounterOf(round, step);
      int code = PtlTriggeredAtomic(
          md, OffsetOf(SetOf(round).known), sizeof(Vote), PTL_NO_ACK_REQ,
          Ahead(step + 1), kVotes, BitsOf(round, step + 1), 0, nullptr, 0,
          PTL_MAX, PTL_INT64_T, at, CountOf(round));
      if (code == PTL_OK) {
        code = PtlTriggeredCTInc(CounterOf(round, step + 1), {1, 0}, at,
                                 CountOf(round));
      }
      if (code != PTL_OK) return code;
    }
    return PTL_OK;
  }

  int Notify(uint64_t round) const {
    Vote& mine = SetOf(round).mine;
    const int64_t vote = VoteOf(rank, round);
    mine = {vote, -vote};
    for (const ptl_process_t to : {Ahead(0), id[rank]}) {
      const int code = PtlAtomic(md, OffsetOf(mine), sizeof(Vote),
                                 PTL_NO_ACK_REQ, to, kVotes, BitsOf(round, 0),
                                 0, nullptr, 0, PTL_MAX, PTL_INT64_T);
      if (code != PTL_OK) return code;
    }
    return SetUp(round + 1);
  }

  int Wait(uint64_t round, unsigned how) const {
    const ptl_handle_ct_t last = CounterOf(round, steps - 1);
    ptl_ct_event_t count;
    switch (how % 3) {
      case 0:
        return PtlCTWait(last, CountOf(round), &count);
      case 1:
        do {
          if (PtlCTGet(last, &count) != PTL_OK) return PTL_FAIL;
          sched_yield();
        } while (count.success < CountOf(round));
        return PTL_OK;
      default:
        break;
    }
    // Waits for an event of one more triggered operation, not for the counter.
    ptl_event_t event;
    const int code =
        PtlTriggeredPut(md, 0, 0, PTL_NO_ACK_REQ, id[rank], kBell, 0, 0,
                        nullptr, round, last, CountOf(round));
    if (code != PTL_OK) return code;
    const int woken = PtlEQWait(bell, &event);
    return woken == PTL_OK && event.hdr_data != round ? PTL_FAIL : woken;
  }

  bool IsRight(uint64_t round) const {
    Vote all = kNone;
    for (unsigned other = 0; other < size; ++other) {
      all.most = std::max(all.most, VoteOf(other, round));
      all.least = std::max(all.least, -VoteOf(other, round));
    }
    ptl_ct_event_t count;
    for (unsigned step = 0; step < steps; ++step) {
      if (PtlCTGet(CounterOf(round, step), &count) != PTL_OK ||
          count.success != CountOf(round) || count.failure != 0) {
        return false;
      }
    }
    const Vote known = SetOf(round).known;
    return known.most == all.most && known.least == all.least;
  }

  // Returns 0, or the number of the round that failed (~0: before the first).
  uint64_t Run() const {
    std::minstd_rand random(rank + 1);
    if (SetUp(1) != PTL_OK) return ~uint64_t{0};
    for (uint64_t round = 1; round <= kRounds; ++round) {
      if (Notify(round) != PTL_OK) return round;
      for (unsigned spins = random() % 20'000; spins > 0; --spins) {
        asm volatile("" ::: "memory");
      }
      if (Wait(round, random()) != PTL_OK || !IsRight(round)) return round;
      SetOf(round + kSets - 1).known = kNone;
    }
    // Other ranks may wait for operations of this rank that begin only after
    // this.
    return 0;
  }
};

struct Shape {
  const char* name;
  unsigned ranks;
  const char* transport;  // null: no job
  uint32_t hosts = 1;
};

class TriggeredBarrier : public ::testing::TestWithParam<Shape> {
 protected:
  void Open() {
    const Shape& shape = GetParam();
    if (shape.transport != nullptr) {
      ranks_ = MakeJob(shape.ranks, Process::Memory::kMapped,
                       {.transport = shape.transport,
                        .hosts = shape.hosts,
                        .faults = "drop=3,duplicate=2,reorder=5,seed=3"});
    } else {
      for (unsigned rank = 0; rank < shape.ranks; ++rank) {
        ranks_.push_back(std::make_unique<Process>(Process::Memory::kMapped));
      }
    }
    for (unsigned rank = 0; rank < shape.ranks; ++rank) Open(rank);
  }

  void Open(unsigned rank) {
    Process& process = *ranks_[rank];
    ASSERT_EQ(process.Open(kOptions), PTL_OK);
    Barrier& barrier = barriers_[rank];
    barrier.rank = rank;
    barrier.size = GetParam().ranks;
    barrier.steps = 0;
    while (1U << barrier.steps < barrier.size) ++barrier.steps;
    barrier.sets = reinterpret_cast<Barrier::Set*>(process.memory());
    process.Call([sets = barrier.sets] {
      for (uint64_t set = 0; set < kSets; ++set) sets[set].known = kNone;
    });
    barrier.md = process.Md(PTL_EQ_NONE, PTL_MD_UNORDERED);
    barrier.bell = process.Eq(16);
    process.Pt(PTL_EQ_NONE, 0, kVotes);
    process.Pt(barrier.bell, 0, kBell);
    process.Append(kBell,
                   {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
    for (unsigned place = 0; place < kSets * barrier.steps; ++place) {
      barrier.counters[place] = process.Ct();
      process.Append(kVotes, {.offset = barrier.OffsetOf(
                                  barrier.sets[place / barrier.steps].known),
                              .length = sizeof(Vote),
                              .options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM,
                              .bits = place,
                              .ct = barrier.counters[place]});
    }
  }

  // Stops random ranks for a moment, one after the other, until all ranks have
  // answered.
  void Disturb() {
    std::minstd_rand random(1);
    for (const auto& process : ranks_) {
      while (!process->child().Answers(1) && !process->child().lost()) {
        if (++disturbed_ > kMaxStops) break;
        Child& victim = ranks_[random() % ranks_.size()]->child();
        victim.Signal(SIGSTOP);
        for (unsigned yields = random() % 50; yields > 0; --yields) {
          sched_yield();
        }
        victim.Signal(SIGCONT);
      }
    }
  }

  static constexpr int kMaxStops = 2000;
  Processes ranks_;
  Barrier barriers_[kMaxRanks] = {};
  int disturbed_ = 0;
};

TEST_P(TriggeredBarrier, LosesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (Barrier& barrier : barriers_) {
    for (unsigned rank = 0; rank < GetParam().ranks; ++rank) {
      barrier.id[rank] = ranks_[rank]->id();
    }
  }
  for (unsigned rank = 0; rank < GetParam().ranks; ++rank) {
    ranks_[rank]->child().Begin(
        [barrier = barriers_[rank]] { return barrier.Run(); });
  }
  Disturb();
  for (unsigned rank = 0; rank < GetParam().ranks; ++rank) {
    EXPECT_EQ(ranks_[rank]->child().End<uint64_t>(), 0U) << "rank " << rank;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, TriggeredBarrier,
    ::testing::Values(Shape{"two", 2, nullptr}, Shape{"five", 5, nullptr},
                      Shape{"sixteen", 16, nullptr},
                      Shape{"five_by_datagrams", 5, "datagram"},
                      Shape{"eight_on_two_hosts", 8, "auto", 2}),
    [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace gasnet::portals4_tests::testing
