#include "tools/gasnet_trace/arrows.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gasnet::trace {
namespace {

using Ends = std::span<const ArrowEnd>;

auto PairOf(const ArrowEnd& end) {
  return std::tuple(end.from, end.to, end.handler);
}

void Sort(std::vector<ArrowEnd>& ends) {
  std::stable_sort(
      ends.begin(), ends.end(), [](const ArrowEnd& a, const ArrowEnd& b) {
        return std::tuple(PairOf(a), a.nanos) < std::tuple(PairOf(b), b.nanos);
      });
}

// Takes the ends with the ranks and the handler of `one` from the beginning.
Ends Take(Ends& ends, const ArrowEnd& one) {
  size_t size = 0;
  while (size < ends.size() && PairOf(ends[size]) == PairOf(one)) ++size;
  const Ends taken = ends.first(size);
  ends = ends.subspan(size);
  return taken;
}

// Returns the ends up to the first one that is not certain.
Ends Certain(Ends ends, int64_t limit) {
  size_t size = 0;
  while (size < ends.size() && ends[size].is_certain &&
         ends[size].nanos < limit) {
    ++size;
  }
  return ends.first(size);
}

}  // namespace

void Arrows::Match(
    absl::FunctionRef<int64_t(uint32_t rank)> limit_of,
    absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)> draw) {
  Sort(sent_);
  Sort(run_);
  Ends all_sent = sent_;
  Ends all_run = run_;
  while (!all_sent.empty() && !all_run.empty()) {
    const ArrowEnd& first = std::min(all_sent.front(), all_run.front(),
                                     [](const ArrowEnd& a, const ArrowEnd& b) {
                                       return PairOf(a) < PairOf(b);
                                     });
    Ends sent = Take(all_sent, first);
    Ends run = Take(all_run, first);
    if (run.size() > sent.size()) continue;
    sent = Certain(sent, limit_of(first.from));
    run = Certain(run, limit_of(first.to));
    for (size_t i = 0; i < std::min(sent.size(), run.size()); ++i) {
      draw(sent[i], run[i]);
    }
  }
}

}  // namespace gasnet::trace
