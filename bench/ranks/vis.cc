// Non-contiguous memory between two ranks of one host. The baseline is a loop
// that copies the same shape.
#include "bench/harness/shapes.h"
#include "bench/limits/piece_loops.h"
#include "bench/ranks/pieces.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

constexpr double kAim = 1.1;
constexpr double kFaceOfWordsAim = 1.2;
constexpr double kIndexedAim = 1.25;
constexpr double kOneRowAim = 10;  // nanoseconds

template <const Shape& kShape>
double LoopIn(size_t, uint64_t rounds) {
  return WhileOthersWait([=] { return ShapeInNanos(kShape, rounds); });
}
template <const Shape& kShape>
double LoopOut(size_t, uint64_t rounds) {
  return WhileOthersWait([=] { return ShapeOutNanos(kShape, rounds); });
}
double LoopWordsIn(size_t, uint64_t rounds) {
  return WhileOthersWait([=] { return WordsInNanos(rounds); });
}
double LoopWordsOut(size_t, uint64_t rounds) {
  return WhileOthersWait([=] { return WordsOutNanos(rounds); });
}

constexpr char kLoop[] = "a loop of the same shape";

template <const Shape& kShape>
constexpr Row PutRow(double aim) {
  return {
      kShape.put, kShape.nbytes(), Put<kShape>, {kLoop, LoopIn<kShape>}, aim};
}
template <const Shape& kShape>
constexpr Row GetRow(double aim) {
  return {
      kShape.get, kShape.nbytes(), Get<kShape>, {kLoop, LoopOut<kShape>}, aim};
}

const Row kRows[] = {
    PutRow<kRowsOf8>(kAim),
    PutRow<kRowsOf64>(kAim),
    PutRow<kRowsOf1024>(kAim),
    PutRow<kFaceOfRows>(kAim),
    PutRow<kFaceOfWords>(kFaceOfWordsAim),
    PutRow<kTransposition>(kAim),
    GetRow<kRowsOf8>(kAim),
    GetRow<kRowsOf64>(kAim),
    GetRow<kRowsOf1024>(kAim),
    GetRow<kFaceOfRows>(kAim),
    GetRow<kFaceOfWords>(kFaceOfWordsAim),
    GetRow<kTransposition>(kAim),
    {kPutWords, kIndexedWords * 8, PutWords, {kLoop, LoopWordsIn}, kIndexedAim},
    {kGetWords,
     kIndexedWords * 8,
     GetWords,
     {kLoop, LoopWordsOut},
     kIndexedAim},
    {kOneRow, 64, OneRowBeyondPut, {}, kOneRowAim},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options = StartRanks(argc, argv, {}, 2);
  MeasureRows(kRows, options);
}
