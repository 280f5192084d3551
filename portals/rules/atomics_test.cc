// Rule 39: atomic operations. Each result is compared with a second
// implementation of the operation.
#include <portals4.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "base/sanitizer.h"
#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

template <typename T>
constexpr bool kComplex = !std::is_arithmetic_v<T>;

// Returns true if the operation exists for the type and is not a swap.
template <typename T>
bool Knows(ptl_op_t op) {
  if (kComplex<T>) return op == PTL_SUM || op == PTL_PROD;
  const bool bits = op == PTL_BOR || op == PTL_BAND || op == PTL_BXOR;
  const bool logic = op == PTL_LOR || op == PTL_LAND || op == PTL_LXOR;
  // The specification leaves open if floating-point numbers have logical
  // operations.
  if (logic && !std::is_integral_v<T>) return false;
  return !bits || std::is_integral_v<T>;
}

// Combines two items. Integers wrap around.
template <typename T>
T Combined(ptl_op_t op, T target, T source) {
  if constexpr (std::is_integral_v<T>) {
    const auto a = static_cast<uint64_t>(target);
    const auto b = static_cast<uint64_t>(source);
    if (op == PTL_SUM) return static_cast<T>(a + b);
    if (op == PTL_PROD) return static_cast<T>(a * b);
  }
  if (op == PTL_SUM) return static_cast<T>(target + source);
  if (op == PTL_PROD) return static_cast<T>(target * source);
  if constexpr (!kComplex<T>) {
    if (op == PTL_MIN) return source < target ? source : target;
    if (op == PTL_MAX) return source > target ? source : target;
  }
  if constexpr (std::is_integral_v<T>) {
    const bool a = target != 0;
    const bool b = source != 0;
    if (op == PTL_LOR) return static_cast<T>(a || b);
    if (op == PTL_LAND) return static_cast<T>(a && b);
    if (op == PTL_LXOR) return static_cast<T>(a != b);
    if (op == PTL_BOR) return static_cast<T>(target | source);
    if (op == PTL_BAND) return static_cast<T>(target & source);
    if (op == PTL_BXOR) return static_cast<T>(target ^ source);
  }
  return target;
}

template <typename T>
bool Exchanges(ptl_op_t op, T operand, T target) {
  if (op == PTL_CSWAP) return operand == target;
  if (op == PTL_CSWAP_NE) return operand != target;
  if constexpr (!kComplex<T>) {
    if (op == PTL_CSWAP_LE) return operand <= target;
    if (op == PTL_CSWAP_LT) return operand < target;
    if (op == PTL_CSWAP_GE) return operand >= target;
    if (op == PTL_CSWAP_GT) return operand > target;
  }
  return false;
}

class Rule39 : public World {
 protected:
  static constexpr size_t kSource = 1024;
  static constexpr size_t kOperand = 2048;
  static constexpr size_t kFetched = 3072;
  static constexpr size_t kTarget = 8192;

  void SetUp() override {
    World::SetUp();
    MakeObjects();
  }
  void MakeObjects() {
    eq_ = initiator().Eq();
    md_ = initiator().Md(eq_);
    pt_ = target().Pt(PTL_EQ_NONE);
    target().Append(pt_, {.offset = kTarget, .length = 8192});
  }
  Operation Source(ptl_size_t length) {
    return {.md = md_, .local = kSource, .length = length, .pt = pt_};
  }
  void Fetched() {
    ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_REPLY}});
  }

  template <typename T>
  void Combines(ptl_datatype_t type, T target_value, T source) {
    for (ptl_op_t op = PTL_MIN; op <= PTL_BXOR; ++op) {
      if (!Knows<T>(op)) continue;
      SCOPED_TRACE(::testing::Message()
                   << "operation " << op << " type " << type);
      initiator().Store(kSource, source);
      target().Store(kTarget, target_value);
      ASSERT_EQ(initiator().Atomic(target(), Source(sizeof(T)), op, type),
                PTL_OK);
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
      const T once = Combined(op, target_value, source);
      EXPECT_EQ(target().Load<T>(kTarget), once);
      ASSERT_EQ(initiator().FetchAtomic(target(), Source(sizeof(T)), md_,
                                        kFetched, op, type),
                PTL_OK);
      Fetched();
      EXPECT_EQ(initiator().Load<T>(kFetched), once);
      EXPECT_EQ(target().Load<T>(kTarget), Combined(op, once, source));
    }
  }

  template <typename T>
  void Swaps(ptl_datatype_t type, T target_value, T source) {
    for (ptl_op_t op = PTL_SWAP; op <= PTL_CSWAP_GT; ++op) {
      if (kComplex<T> && op > PTL_CSWAP_NE) continue;
      for (const T operand :
           {target_value, source, static_cast<T>(target_value + source)}) {
        SCOPED_TRACE(::testing::Message()
                     << "operation " << op << " type " << type);
        initiator().Store(kSource, source);
        initiator().Store(kOperand, operand);
        target().Store(kTarget, target_value);
        ASSERT_EQ(initiator().Swap(target(), Source(sizeof(T)), md_, kFetched,
                                   kOperand, op, type),
                  PTL_OK);
        Fetched();
        EXPECT_EQ(initiator().Load<T>(kFetched), target_value);
        const bool exchanged =
            op == PTL_SWAP || Exchanges(op, operand, target_value);
        EXPECT_EQ(target().Load<T>(kTarget), exchanged ? source : target_value);
      }
    }
  }

  template <typename T>
  void All(ptl_datatype_t type, T target_value, T source) {
    Combines<T>(type, target_value, source);
    Combines<T>(type, source, target_value);
    Swaps<T>(type, target_value, source);
  }

  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};
INSTANTIATE_TEST_SUITE_P(All, Rule39, AllSetups(), SetupName);

TEST_P(Rule39, Integers8) {
  All<int8_t>(PTL_INT8_T, -5, 3);
  All<uint8_t>(PTL_UINT8_T, 250, 3);
}
TEST_P(Rule39, Integers16) {
  All<int16_t>(PTL_INT16_T, -500, 3);
  All<uint16_t>(PTL_UINT16_T, 65'000, 3);
}
TEST_P(Rule39, Integers32) {
  All<int32_t>(PTL_INT32_T, -50'000, 3);
  All<uint32_t>(PTL_UINT32_T, 4'000'000'000U, 12);
}
TEST_P(Rule39, Integers64) {
  All<int64_t>(PTL_INT64_T, -5'000'000'000, 3);
  All<uint64_t>(PTL_UINT64_T, 18'000'000'000'000'000'000U, 12);
}
TEST_P(Rule39, Floats) {
  All<float>(PTL_FLOAT, -1.5F, 2.25F);
  All<double>(PTL_DOUBLE, -1.5, 2.25);
  All<long double>(PTL_LONG_DOUBLE, -1.5L, 2.25L);
}
TEST_P(Rule39, ComplexNumbers) {
  All<std::complex<float>>(PTL_FLOAT_COMPLEX, {1, 2}, {3, -4});
  All<std::complex<double>>(PTL_DOUBLE_COMPLEX, {1, 2}, {3, -4});
  All<std::complex<long double>>(PTL_LONG_DOUBLE_COMPLEX, {1, 2}, {3, -4});
}

TEST_P(Rule39, MaskedSwap) {
  initiator().Store<uint32_t>(kSource, 0x12345678);
  initiator().Store<uint32_t>(kOperand, 0x00ffff00);
  target().Store<uint32_t>(kTarget, 0xaabbccdd);
  EXPECT_EQ(initiator().Swap(target(), Source(4), md_, kFetched, kOperand,
                             PTL_MSWAP, PTL_UINT32_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(initiator().Load<uint32_t>(kFetched), 0xaabbccddU);
  EXPECT_EQ(target().Load<uint32_t>(kTarget), 0xaa3456ddU);
}

TEST_P(Rule39, ManyItemsAtOnce) {
  for (size_t i = 0; i < 16; ++i) {
    initiator().Store<int32_t>(kSource + 4 * i, static_cast<int32_t>(i));
    target().Store<int32_t>(kTarget + 4 * i, 100);
  }
  EXPECT_EQ(initiator().Atomic(target(), Source(64), PTL_SUM, PTL_INT32_T),
            PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(target().Load<int32_t>(kTarget + 4 * i),
              100 + static_cast<int32_t>(i));
  }
  EXPECT_EQ(initiator().Swap(target(), Source(64), md_, kFetched, kOperand,
                             PTL_SWAP, PTL_INT32_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(target().Load<int32_t>(kTarget + 60), 15);
  EXPECT_EQ(initiator().Load<int32_t>(kFetched + 60), 115);
}

TEST_P(Rule39, BothRangesMayBeOne) {
  initiator().Store<int64_t>(kSource, 5);
  target().Store<int64_t>(kTarget, 37);
  EXPECT_EQ(initiator().FetchAtomic(target(), Source(8), md_, kSource, PTL_SUM,
                                    PTL_INT64_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(initiator().Load<int64_t>(kSource), 37);
  EXPECT_EQ(target().Load<int64_t>(kTarget), 42);
}

TEST_P(Rule39, WhatIsNotAllowed) {
  const auto atomic = [&](ptl_size_t length, ptl_op_t op, ptl_datatype_t type) {
    return initiator().Atomic(target(), Source(length), op, type);
  };
  EXPECT_EQ(atomic(8, PTL_OP_LAST, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_SUM, PTL_DATATYPE_LAST), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_SWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_BOR, PTL_DOUBLE), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_MIN, PTL_FLOAT_COMPLEX), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(7, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
  const auto swap = [&](ptl_size_t length, ptl_op_t op, ptl_datatype_t type) {
    return initiator().Swap(target(), Source(length), md_, kFetched, kOperand,
                            op, type);
  };
  EXPECT_EQ(swap(8, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(swap(16, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(swap(8, PTL_CSWAP_LE, PTL_FLOAT_COMPLEX), PTL_ARG_INVALID);
  EXPECT_EQ(swap(8, PTL_MSWAP, PTL_DOUBLE), PTL_ARG_INVALID);
  ExpectQuiet(initiator(), eq_);
}

// Both processes add at once. No sum is lost, whether or not the two processes
// reach the memory in the same way.
TEST_P(Rule39, AtomicBetweenProcesses) {
  // In a job, each sum is a datagram. Datagrams are slow on a bad network.
  const int each = GetParam().job != nullptr ? 1'000 : 5'000;
  target().Store<int64_t>(kTarget, 0);
  const auto adds = [pt = pt_, to = target().id(), each](ptl_handle_ni_t ni,
                                                         char* memory) {
    ptl_handle_ct_t ct;
    ptl_handle_md_t md;
    PtlCTAlloc(ni, &ct);
    const ptl_md_t bound = {memory, 8192, PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, ct};
    if (PtlMDBind(ni, &bound, &md)) return 1;
    const int64_t one = 1;
    memcpy(memory + kSource, &one, sizeof one);
    for (int i = 0; i < each; ++i) {
      if (PtlAtomic(md, kSource, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, 0,
                    PTL_SUM, PTL_INT64_T))
        return 2;
    }
    ptl_ct_event_t value;
    return PtlCTWait(ct, static_cast<ptl_size_t>(each), &value) == PTL_OK &&
                   value.failure == 0
               ? 0
               : 3;
  };
  if (one_process()) {
    EXPECT_EQ(
        target().Call([=, ni = target().ni(), memory = target().memory()] {
          return adds(ni, memory);
        }),
        0);
    EXPECT_EQ(target().Load<int64_t>(kTarget), each);
    return;
  }
  initiator().child().Begin(
      [=, ni = initiator().ni(), memory = initiator().memory()] {
        return adds(ni, memory);
      });
  EXPECT_EQ(target().Call([=, ni = target().ni(), memory = target().memory()] {
    return adds(ni, memory);
  }),
            0);
  EXPECT_EQ(initiator().child().End<int>(), 0);
  EXPECT_EQ(target().Load<int64_t>(kTarget), 2 * each);
}

// The same rule with PTL_COHERENT_ATOMICS.
class Rule39Coherent : public Rule39 {
 protected:
  void SetUp() override {
    if (kThreadSanitizer && GetParam().memory == Process::Memory::kPrivate)
      GTEST_SKIP() << "another thread of the target changes the memory, and is "
                      "ordered only through the initiator's process";
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

TEST_P(Rule39, SynchronisesWithTheHost) {
  EXPECT_EQ(target().Call([] { return PtlAtomicSync(); }), PTL_OK);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
