// The fixture of the tests of rule 39: atomic operations. Each result is
// compared with a second implementation of the operation.
#ifndef PORTALS_RULES_ATOMICS_H_
#define PORTALS_RULES_ATOMICS_H_

#include <portals4.h>

#include <complex>
#include <cstdint>
#include <type_traits>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {

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

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_RULES_ATOMICS_H_
