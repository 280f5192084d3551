// Non-contiguous memory between two ranks that share no memory. The baseline of
// a put is a contiguous put of the same size. The baseline of a get is a put of
// the get's shape.
#include "bench/harness/shapes.h"
#include "bench/ranks/pieces.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

constexpr double kGetAim = 1.15;

constexpr Limit kContiguous = {"a put in one piece", Put};

template <const Shape& kShape>
constexpr Row PutRow(double aim) {
  return {kShape.put, kShape.nbytes(), Put<kShape>, kContiguous, aim};
}
template <const Shape& kShape>
constexpr Row GetRow(double aim = kGetAim) {
  return {kShape.get,
          kShape.nbytes(),
          Get<kShape>,
          {"the put of that shape", Put<kShape>},
          aim};
}

const Row kRows[] = {
    PutRow<kRowsOf8>(1.75),
    PutRow<kRowsOf64>(1.45),
    PutRow<kRowsOf1024>(1.25),
    PutRow<kFaceOfRows>(0),
    PutRow<kFaceOfWords>(0),
    PutRow<kTransposition>(0),
    GetRow<kRowsOf8>(),
    GetRow<kRowsOf64>(),
    GetRow<kRowsOf1024>(),
    GetRow<kFaceOfRows>(0),
    GetRow<kFaceOfWords>(0),
    GetRow<kTransposition>(0),
    {kPutWords, kIndexedWords * 8, PutWords, kContiguous},
    {kGetWords, kIndexedWords * 8, GetWords, {"the put of them", PutWords}},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options = StartRanks(argc, argv, {}, 2);
  MeasureRows(kRows, options);
}
