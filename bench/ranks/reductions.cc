#include "bench/ranks/reductions.h"

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/ranks.h"
#include "coll/kernels/kernels.h"

namespace gasnet::bench {
namespace {

// The maximum acceptable time of a reduction relative to a copy that reads the
// same number of bytes. The reduction must reach 0.85 (in the cache) or 0.9
// times the read speed of the copy.
constexpr double kAimInCache = 1 / 0.85;
constexpr double kAim = 1 / 0.9;

std::vector<double>& Operand(size_t which) {
  static std::vector<double> operands[2] = {
      std::vector<double>(kMaxCopy / sizeof(double)),
      std::vector<double>(kMaxCopy / sizeof(double))};
  return operands[which];
}

template <class Operation>
double Each(uint64_t rounds, Operation operation) {
  return OnRankZero(rounds, [&](uint64_t) {
    operation();
    CompilerBarrier();
  });
}

// Returns nanoseconds per reduction of two operands of `size` bytes each.
template <coll::Type kType, coll::Op kOp>
double Kernel(size_t size, uint64_t rounds) {
  const coll::Kernel kernel = coll::KernelsOf(kType, kOp).of_two;
  const void* const sources[] = {Operand(0).data(), Operand(1).data()};
  const size_t elements = size / coll::SizeOf(kType);
  return Each(rounds, [&] { kernel(Operand(0).data(), sources, elements); });
}

double Copy(size_t size, uint64_t rounds) {
  return Each(rounds, [&] {
    __builtin_memcpy(Operand(0).data(), Operand(1).data(), size);
  });
}

template <coll::Type kType, coll::Op kOp>
void AddKernel(std::vector<Row>& rows, const char* name) {
  constexpr Limit kCopy = {"memcpy", Copy};
  rows.push_back({name, 65536, Kernel<kType, kOp>, kCopy, kAimInCache});
  rows.push_back({name, 1048576, Kernel<kType, kOp>, kCopy, kAim});
}

}  // namespace

void AddKernels(std::vector<Row>& rows) {
  using coll::Op;
  using coll::Type;
  AddKernel<Type::kDouble, Op::kSum>(rows, "kernel, sum of doubles");
  AddKernel<Type::kFloat, Op::kMin>(rows, "kernel, minimum of floats");
  AddKernel<Type::kInt32, Op::kSum>(rows, "kernel, sum of int32");
  AddKernel<Type::kInt8, Op::kMax>(rows, "kernel, maximum of int8");
  AddKernel<Type::kUint64, Op::kProduct>(rows, "kernel, product of uint64");
}

}  // namespace gasnet::bench
