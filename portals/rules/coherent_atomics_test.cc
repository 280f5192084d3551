// Rule 39 with PTL_COHERENT_ATOMICS: the processor's own atomic instructions
// and those of Portals change the same items.
#include <portals4.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>

#include "portals/rules/atomics.h"
#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

class Rule39Coherent : public Rule39 {
 protected:
  void SetUp() override {
    World::SetUp();
    ptl_ni_limits_t asked = target().limits();
    asked.features |= PTL_COHERENT_ATOMICS;
    Reopen(asked);
    ASSERT_NE(target().limits().features & PTL_COHERENT_ATOMICS, 0U);
    MakeObjects();
  }

  template <typename T>
  void AddsBesideTheProcessor(ptl_datatype_t type);
};
INSTANTIATE_TEST_SUITE_P(All, Rule39Coherent, AllSetups(), SetupName);

// Fetches and adds 1 to the target's item. Returns the previous item.
template <typename T>
struct Adder {
  ptl_handle_md_t md;
  ptl_handle_ct_t ct;
  ptl_process_t to;
  ptl_pt_index_t pt;
  ptl_datatype_t type;
  ptl_size_t source;
  ptl_size_t fetched;

  T Add(const char* memory, ptl_size_t number) const {
    ptl_ct_event_t value = {};
    EXPECT_EQ(PtlFetchAtomic(md, fetched, md, source, sizeof(T), to, pt, 0, 0,
                             nullptr, 0, PTL_SUM, type),
              PTL_OK);
    EXPECT_EQ(PtlCTWait(ct, number, &value), PTL_OK);
    EXPECT_EQ(value.failure, 0U);
    T old;
    memcpy(&old, memory + fetched, sizeof old);
    return old;
  }
};

// The initiator adds by Portals, and the target by instructions of its
// processor. The initiator goes on for a while after it has seen that the
// target adds too. No sum is lost.
template <typename T>
void Rule39Coherent::AddsBesideTheProcessor(ptl_datatype_t type) {
  if (one_process()) GTEST_SKIP() << "it needs two processes";
  constexpr int kEach = 300;
  constexpr size_t kDone = kTarget + 1024;
  const ptl_handle_ct_t ct = initiator().Ct();
  const Adder<T> adder = {
      .md = initiator().Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_REPLY, ct),
      .ct = ct,
      .to = target().id(),
      .pt = pt_,
      .type = type,
      .source = kSource,
      .fetched = kFetched};
  initiator().Store<T>(kSource, 1);
  initiator().Store<uint64_t>(kOperand, 1);
  target().Store<T>(kTarget, 0);
  target().Store<uint64_t>(kDone, 0);
  initiator().child().Begin([=, memory = initiator().memory()] {
    int sums = 0;
    for (int shared = 0; shared < kEach; ++sums) {
      const T old = adder.Add(memory, static_cast<ptl_size_t>(sums) + 1);
      if (shared > 0 || old != static_cast<T>(sums)) ++shared;
    }
    PtlPut(adder.md, kOperand, 8, PTL_NO_ACK_REQ, adder.to, adder.pt, 0,
           kDone - kTarget, nullptr, 0);
    return sums;
  });
  const int mine = target().Call([memory = target().memory()] {
    const std::atomic_ref<T> sum(*reinterpret_cast<T*>(memory + kTarget));
    const std::atomic_ref<uint64_t> done(
        *reinterpret_cast<uint64_t*>(memory + kDone));
    int sums = 0;
    for (; done.load(std::memory_order_relaxed) == 0; ++sums) {
      sum.fetch_add(1, std::memory_order_relaxed);
      // Otherwise the sum would grow beyond the integers that a float has.
      sched_yield();
    }
    return sums;
  });
  const int theirs = initiator().child().End<int>();
  EXPECT_EQ(target().Load<T>(kTarget), static_cast<T>(mine + theirs));
}

TEST_P(Rule39Coherent, IntegersBesideTheProcessor) {
  AddsBesideTheProcessor<uint8_t>(PTL_UINT8_T);
  AddsBesideTheProcessor<int16_t>(PTL_INT16_T);
  AddsBesideTheProcessor<uint32_t>(PTL_UINT32_T);
  AddsBesideTheProcessor<int64_t>(PTL_INT64_T);
}
TEST_P(Rule39Coherent, FloatsBesideTheProcessor) {
  AddsBesideTheProcessor<float>(PTL_FLOAT);
  AddsBesideTheProcessor<double>(PTL_DOUBLE);
}

TEST_P(Rule39Coherent, AllTypes) {
  All<int8_t>(PTL_INT8_T, -5, 3);
  All<uint16_t>(PTL_UINT16_T, 65'000, 3);
  All<int32_t>(PTL_INT32_T, -50'000, 3);
  All<uint64_t>(PTL_UINT64_T, 18'000'000'000'000'000'000U, 12);
  All<float>(PTL_FLOAT, -1.5F, 2.25F);
  All<double>(PTL_DOUBLE, -1.5, 2.25);
  All<long double>(PTL_LONG_DOUBLE, -1.5L, 2.25L);
  All<std::complex<double>>(PTL_DOUBLE_COMPLEX, {1, 2}, {3, -4});
}

// A thread of the target performs operations on memory that peers cannot map.
// It must not crash if the memory is missing.
TEST_P(Rule39Coherent, MissingMemory) {
  constexpr size_t kHole = size_t{1} << 20;
  const bool is_private = GetParam().memory == Process::Memory::kPrivate;
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  target().Append(pt, {.offset = kHole});
  target().Call([hole = target().memory() + kHole] { munmap(hole, 4096); });
  Operation operation = Source(8);
  operation.pt = pt;
  ASSERT_EQ(initiator().Atomic(target(), operation, PTL_SUM, PTL_INT64_T),
            PTL_OK);
  ExpectAll(initiator(), eq_,
            {{PTL_EVENT_SEND},
             {PTL_EVENT_ACK, is_private ? PTL_NI_SEGV : PTL_NI_OK}});
  EXPECT_TRUE(target().Call([] { return true; })) << "it has not crashed";
}

// The first item crosses the end of a page, and is no word of the processor.
TEST_P(Rule39Coherent, UnalignedItems) {
  constexpr size_t kCrossing = 4096 - 4;
  initiator().Store<int64_t>(kSource, int64_t{1} << 40);
  initiator().Store<int64_t>(kSource + 8, 5);
  target().Store<int64_t>(kTarget + kCrossing, -3);
  target().Store<int64_t>(kTarget + kCrossing + 8, 6);
  Operation operation = Source(16);
  operation.remote = kCrossing;
  EXPECT_EQ(initiator().FetchAtomic(target(), operation, md_, kFetched, PTL_SUM,
                                    PTL_INT64_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(initiator().Load<int64_t>(kFetched), -3);
  EXPECT_EQ(initiator().Load<int64_t>(kFetched + 8), 6);
  EXPECT_EQ(target().Load<int64_t>(kTarget + kCrossing),
            (int64_t{1} << 40) - 3);
  EXPECT_EQ(target().Load<int64_t>(kTarget + kCrossing + 8), 11);
}
}  // namespace
}  // namespace gasnet::portals4_tests::testing
