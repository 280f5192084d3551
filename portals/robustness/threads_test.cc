// Threads of one process call all functions at once on an interface that no
// other process uses. Most errors show only under the thread sanitizer.
#include <gtest/gtest.h>
#include <portals4.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace gasnet::portals4_tests::testing {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 200;
constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

class Threads : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(PtlInit(), PTL_OK);
    ASSERT_EQ(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                        PTL_PID_ANY, nullptr, nullptr, &ni_),
              PTL_OK);
    ASSERT_EQ(PtlGetPhysId(ni_, &self_), PTL_OK);
    ASSERT_EQ(PtlEQAlloc(ni_, 1 << 14, &eq_), PTL_OK);
    ASSERT_EQ(PtlCTAlloc(ni_, &arrived_), PTL_OK);
    ASSERT_EQ(PtlPTAlloc(ni_, 0, eq_, PTL_PT_ANY, &pt_), PTL_OK);
  }
  void TearDown() override {
    EXPECT_EQ(PtlNIFini(ni_), PTL_OK);
    PtlFini();
  }

  ptl_handle_me_t Append(ptl_match_bits_t bits, void* start, ptl_size_t length,
                         unsigned options, ptl_handle_ct_t ct = PTL_CT_NONE,
                         ptl_list_t list = PTL_PRIORITY_LIST) {
    ptl_me_t me = {};
    me.start = start;
    me.length = length;
    me.ct_handle = ct;
    me.uid = PTL_UID_ANY;
    me.options = kPutGet | PTL_ME_EVENT_LINK_DISABLE | options;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    me.match_bits = bits;
    ptl_handle_me_t handle = PTL_INVALID_HANDLE;
    EXPECT_EQ(PtlMEAppend(ni_, pt_, &me, list, nullptr, &handle), PTL_OK);
    return handle;
  }
  ptl_handle_md_t Bind(void* start, ptl_size_t length, unsigned options,
                       ptl_handle_eq_t eq, ptl_handle_ct_t ct) {
    const ptl_md_t md = {start, length, options, eq, ct};
    ptl_handle_md_t handle = PTL_INVALID_HANDLE;
    EXPECT_EQ(PtlMDBind(ni_, &md, &handle), PTL_OK);
    return handle;
  }
  // Runs `body` in each of kThreads threads, with the thread's number from 0.
  static void InThreads(const std::function<void(int)>& body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
    for (std::thread& thread : threads) thread.join();
  }

  ptl_handle_ni_t ni_;
  ptl_process_t self_;
  ptl_handle_eq_t eq_;
  ptl_handle_ct_t arrived_;
  ptl_pt_index_t pt_;
};

// Threads make and free objects while other threads operate on the same entry.
TEST_F(Threads, MakeAndFreeObjects) {
  alignas(8) char memory[8 * kThreads] = {};
  Append(1, memory, sizeof memory,
         PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_COMM, arrived_);
  InThreads([&](int number) {
    uint64_t value = 0;
    for (int round = 1; round <= kRounds; ++round) {
      ptl_handle_eq_t eq;
      ptl_handle_ct_t ct;
      ASSERT_EQ(PtlEQAlloc(ni_, 8, &eq), PTL_OK);
      ASSERT_EQ(PtlCTAlloc(ni_, &ct), PTL_OK);
      const ptl_handle_md_t md =
          Bind(&value, sizeof value, PTL_MD_EVENT_CT_ACK, eq, ct);
      value = static_cast<uint64_t>(round);
      EXPECT_EQ(PtlPut(md, 0, 8, PTL_ACK_REQ, self_, pt_, 1,
                       8 * static_cast<ptl_size_t>(number), nullptr, 0),
                PTL_OK);
      ptl_event_t event;
      for (const ptl_event_kind_t type : {PTL_EVENT_SEND, PTL_EVENT_ACK}) {
        ASSERT_EQ(PtlEQWait(eq, &event), PTL_OK);
        EXPECT_EQ(event.type, type);
        EXPECT_EQ(event.ni_fail_type, ptl_ni_fail_t{PTL_NI_OK});
      }
      ptl_ct_event_t count;
      ASSERT_EQ(PtlCTWait(ct, 1, &count), PTL_OK);
      EXPECT_EQ(PtlMDRelease(md), PTL_OK);
      EXPECT_EQ(PtlCTFree(ct), PTL_OK);
      EXPECT_EQ(PtlEQFree(eq), PTL_OK);
    }
  });
  ptl_ct_event_t count;
  EXPECT_EQ(PtlCTWait(arrived_, kThreads * kRounds, &count), PTL_OK);
  for (int i = 0; i < kThreads; ++i) {
    uint64_t value;
    memcpy(&value, memory + 8 * i, sizeof value);
    EXPECT_EQ(value, uint64_t{kRounds});
  }
}

// Each thread appends use-once entries and puts to them. Half of the puts
// arrive before their entries are appended, and so leave headers.
TEST_F(Threads, AppendSearchAndUnlink) {
  static char unexpected[kThreads * kRounds * 8];
  ptl_handle_me_t overflow;
  {
    ptl_me_t me = {};
    me.start = unexpected;
    me.length = sizeof unexpected;
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.options = PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL |
                 PTL_ME_EVENT_LINK_DISABLE | PTL_ME_EVENT_COMM_DISABLE;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    me.ignore_bits = ~ptl_match_bits_t{0};
    ASSERT_EQ(PtlMEAppend(ni_, pt_, &me, PTL_OVERFLOW_LIST, nullptr, &overflow),
              PTL_OK);
  }
  std::atomic<int> matched{0};
  InThreads([&](int number) {
    uint64_t value = 0;
    uint64_t target = 0;
    const ptl_handle_md_t md = Bind(&value, 8, 0, PTL_EQ_NONE, PTL_CT_NONE);
    const auto bits = static_cast<ptl_match_bits_t>(100 + number);
    ptl_sr_value_t status;
    for (int round = 0; round < kRounds; ++round) {
      if (round % 2 == 0) {
        EXPECT_EQ(
            PtlPut(md, 0, 8, PTL_NO_ACK_REQ, self_, pt_, bits, 0, nullptr, 0),
            PTL_OK);
      }
      Append(bits, &target, 8, PTL_ME_USE_ONCE);
      if (round % 2 != 0) {
        EXPECT_EQ(
            PtlPut(md, 0, 8, PTL_NO_ACK_REQ, self_, pt_, bits, 0, nullptr, 0),
            PTL_OK);
      }
      EXPECT_EQ(PtlNIStatus(ni_, PTL_SR_DROP_COUNT, &status), PTL_OK);
      EXPECT_EQ(status, 0);
      const ptl_handle_me_t unused = Append(bits + 1000, &target, 8, 0);
      EXPECT_EQ(PtlMEUnlink(unused), PTL_OK);
      ++matched;
    }
  });
  // Each put was reported once: by PUT, or by PUT_OVERFLOW.
  int told = 0;
  ptl_event_t event;
  while (PtlEQGet(eq_, &event) == PTL_OK) {
    told += event.type == PTL_EVENT_PUT || event.type == PTL_EVENT_PUT_OVERFLOW
                ? 1
                : 0;
  }
  EXPECT_EQ(told, matched.load());
  EXPECT_EQ(PtlMEUnlink(overflow), PTL_OK) << "no header is left";
}

// Threads add to one sum, directly and by operations that a counter triggers.
TEST_F(Threads, AddAndTrigger) {
  alignas(8) static uint64_t sum;
  sum = 0;
  Append(7, &sum, 8, PTL_ME_EVENT_COMM_DISABLE);
  ptl_handle_ct_t steps;
  ptl_handle_ct_t done;
  ASSERT_EQ(PtlCTAlloc(ni_, &steps), PTL_OK);
  ASSERT_EQ(PtlCTAlloc(ni_, &done), PTL_OK);
  InThreads([&](int) {
    uint64_t one = 1;
    uint64_t before = 0;
    const ptl_handle_md_t put =
        Bind(&one, 8, PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, done);
    const ptl_handle_md_t get =
        Bind(&before, 8, PTL_MD_EVENT_CT_REPLY, PTL_EQ_NONE, done);
    for (int round = 1; round <= kRounds; ++round) {
      const auto threshold = static_cast<ptl_size_t>(round);
      EXPECT_EQ(PtlTriggeredAtomic(put, 0, 8, PTL_CT_ACK_REQ, self_, pt_, 7, 0,
                                   nullptr, 0, PTL_SUM, PTL_UINT64_T, steps,
                                   threshold),
                PTL_OK);
      EXPECT_EQ(PtlFetchAtomic(get, 0, put, 0, 8, self_, pt_, 7, 0, nullptr, 0,
                               PTL_SUM, PTL_UINT64_T),
                PTL_OK);
      EXPECT_EQ(PtlCTInc(steps, {1, 0}), PTL_OK);
    }
    ptl_ct_event_t count;
    EXPECT_EQ(PtlCTWait(done, 2 * kThreads * kRounds, &count), PTL_OK);
    EXPECT_EQ(count.failure, 0U);
  });
  EXPECT_EQ(PtlAtomicSync(), PTL_OK);
  EXPECT_EQ(sum, uint64_t{2 * kThreads * kRounds});
}

// One thread disables and enables the index, while the other threads put. Each
// put arrives or is refused.
TEST_F(Threads, DisableBesidePuts) {
  static char memory[100'000];
  Append(3, memory, sizeof memory,
         PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_COMM, arrived_);
  std::atomic<uint64_t> accepted{0};
  std::atomic<int> putting{kThreads - 1};
  InThreads([&](int number) {
    if (number == 0) {
      while (putting.load() > 0) {
        EXPECT_EQ(PtlPTDisable(ni_, pt_), PTL_OK);
        EXPECT_EQ(PtlPTEnable(ni_, pt_), PTL_OK);
      }
      return;
    }
    static char source[100'000];
    ptl_handle_eq_t eq;
    ASSERT_EQ(PtlEQAlloc(ni_, 8, &eq), PTL_OK);
    const ptl_handle_md_t md =
        Bind(source, sizeof source, PTL_MD_EVENT_SEND_DISABLE, eq, PTL_CT_NONE);
    for (int round = 0; round < kRounds; ++round) {
      // Long puts move data without the lock. So each thread needs its own part
      // of the memory.
      const ptl_size_t length = round % 4 == 0 ? 30'000 : 8;
      EXPECT_EQ(
          PtlPut(md, 0, length, PTL_ACK_REQ, self_, pt_, 3,
                 30'000 * static_cast<ptl_size_t>(number - 1), nullptr, 0),
          PTL_OK);
      ptl_event_t event;
      ASSERT_EQ(PtlEQWait(eq, &event), PTL_OK);
      if (event.ni_fail_type == PTL_NI_OK) ++accepted;
    }
    --putting;
  });
  ptl_ct_event_t count;
  EXPECT_EQ(PtlCTGet(arrived_, &count), PTL_OK);
  EXPECT_EQ(count.success, accepted.load());
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
