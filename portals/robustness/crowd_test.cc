// Sixteen processes share two processors. Each process puts to all processes,
// adds to all, and waits for all. Nothing is lost, and no process waits for
// ever.
#include <gtest/gtest.h>
#include <malloc.h>
#include <portals4.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr int kCrowd = 16;
constexpr int kRounds = 50;
constexpr ptl_pt_index_t kPt = 0;
// Match bits that distinguish puts from sums. Puts cause events; sums are
// counted.
constexpr ptl_match_bits_t kPuts = 1;
constexpr ptl_match_bits_t kSums = 2;

struct Everybody {
  ptl_process_t id[kCrowd];
};

// The results of a process, read when all processes are done.
struct Result {
  int code;
  int events;
  int64_t sum;
  ptl_size_t counted;
};

struct Member {
  explicit Member(int which)
      : number(which), process(Process::Memory::kMapped) {
    EXPECT_EQ(process.Open(kOptions), PTL_OK);
    arrivals = process.Eq(2 * kCrowd * kRounds);
    sums = process.Ct();
    acks = process.Eq(64);
    sent = process.Ct();
    put_md = process.Md(acks, PTL_MD_EVENT_SEND_DISABLE);
    sum_md = process.Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK, sent);
    process.Pt(arrivals, 0, kPt);
    process.Append(kPt, {.offset = 0,
                         .length = 8 * kCrowd,
                         .options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE,
                         .bits = kPuts});
    process.Append(kPt,
                   {.offset = 4096,
                    .length = 8,
                    .options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE |
                               PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_COMM,
                    .bits = kSums,
                    .ct = sums});
  }

  void Begin(const Everybody& all) {
    process.child().Begin([all, number = number, arrivals = arrivals,
                           sums = sums, acks = acks, sent = sent,
                           put_md = put_md, sum_md = sum_md,
                           memory = process.memory()] {
      Result result = {};
      const int64_t one = 1;
      memcpy(memory + 8192, &one, sizeof one);
      std::minstd_rand random(static_cast<unsigned>(number) + 1);
      int order[kCrowd];
      std::iota(order, order + kCrowd, 0);
      ptl_event_t event;
      ptl_ct_event_t count;
      const auto mine = static_cast<ptl_size_t>(number);
      for (int round = 0; round < kRounds; ++round) {
        std::shuffle(order, order + kCrowd, random);
        for (const int other : order) {
          PtlPut(put_md, 8192, 8, PTL_ACK_REQ, all.id[other], kPt, kPuts,
                 8 * mine, nullptr, 0);
          PtlAtomic(sum_md, 8192, 8, PTL_CT_ACK_REQ, all.id[other], kPt, kSums,
                    0, nullptr, 0, PTL_SUM, PTL_INT64_T);
          if (PtlEQWait(acks, &event) != PTL_OK ||
              event.ni_fail_type != PTL_NI_OK) {
            result.code = 1;
            return result;
          }
        }
      }
      constexpr ptl_size_t kAll = kCrowd * kRounds;
      if (PtlCTWait(sent, kAll, &count) != PTL_OK || count.failure != 0 ||
          PtlCTWait(sums, kAll, &count) != PTL_OK) {
        result.code = 2;
        return result;
      }
      result.counted = count.success;
      while (result.events < static_cast<int>(kAll)) {
        result.code = PtlEQWait(arrivals, &event);
        if (result.code != PTL_OK) return result;
        ++result.events;
      }
      memcpy(&result.sum, memory + 4096, sizeof result.sum);
      return result;
    });
  }

  int number;
  Process process;
  ptl_handle_eq_t arrivals;
  ptl_handle_ct_t sums;
  ptl_handle_eq_t acks;
  ptl_handle_ct_t sent;
  ptl_handle_md_t put_md;
  ptl_handle_md_t sum_md;
};

// Binds this process, and its future children, to two processors.
void KeepToTwoProcessors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  int kept = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && ++kept > 2) CPU_CLR(cpu, &allowed);
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
}

TEST(Crowd, LosesNothing) {
  KeepToTwoProcessors();
  std::vector<std::unique_ptr<Member>> crowd;
  Everybody all = {};
  for (int i = 0; i < kCrowd; ++i) {
    crowd.push_back(std::make_unique<Member>(i));
    all.id[i] = crowd.back()->process.id();
  }
  for (const auto& member : crowd) member->Begin(all);
  for (const auto& member : crowd) {
    const auto result = member->process.child().End<Result>();
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.events, kCrowd * kRounds);
    EXPECT_EQ(result.sum, kCrowd * kRounds);
    EXPECT_EQ(result.counted, ptl_size_t{kCrowd * kRounds});
  }
}

// Two peers whose pids differ by kKnownPeers. They share one of the places for
// known peers.
TEST(Peers, TakeNoMemoryWhereTheyAreFoundAgain) {
  constexpr ptl_pid_t kApart = 64;
  const auto open = [](ptl_pid_t pid) {
    return [pid] {
      Answer<ptl_process_t> opened = {};
      ptl_handle_ni_t ni;
      PtlInit();
      opened.code =
          PtlNIInit(PTL_IFACE_DEFAULT, kOptions, pid, nullptr, nullptr, &ni);
      if (opened.code == PTL_OK) PtlGetPhysId(ni, &opened.value);
      return opened;
    };
  };
  Child first;
  Child second;
  Process initiator(Process::Memory::kMapped);
  ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
  Answer<ptl_process_t> one = {PTL_PID_IN_USE, {}};
  Answer<ptl_process_t> other = {};
  for (ptl_pid_t pid = 700; pid < 760 && one.code == PTL_PID_IN_USE; ++pid) {
    one = first.Call(open(pid));
  }
  ASSERT_EQ(one.code, PTL_OK);
  other = second.Call(open(one.value.phys.pid + kApart));
  if (other.code == PTL_PID_IN_USE) GTEST_SKIP() << "another process has it";
  ASSERT_EQ(other.code, PTL_OK);
  const ptl_handle_md_t md = initiator.Md(PTL_EQ_NONE);
  const size_t growth =
      initiator.Call([md, to = one.value, then = other.value] {
        const auto put_to_both = [&] {
          for (const ptl_process_t id : {to, then})
            PtlPut(md, 0, 8, PTL_NO_ACK_REQ, id, 0, 0, 0, nullptr, 0);
        };
        put_to_both();
        const size_t before = mallinfo2().uordblks;
        for (int i = 0; i < 10'000; ++i) put_to_both();
        return mallinfo2().uordblks - before;
      });
  EXPECT_LT(growth, size_t{1} << 16);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
