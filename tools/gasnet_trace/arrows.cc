#include "tools/gasnet_trace/arrows.h"

#include <algorithm>
#include <tuple>

namespace gasnet::trace {
namespace {

auto PairOf(const ArrowEnd& end) {
  return std::tuple(end.from, end.to, end.handler);
}

void Sort(std::vector<ArrowEnd>& ends) {
  std::stable_sort(
      ends.begin(), ends.end(), [](const ArrowEnd& a, const ArrowEnd& b) {
        return std::tuple(PairOf(a), a.nanos) < std::tuple(PairOf(b), b.nanos);
      });
}

}  // namespace

void Arrows::Match(
    absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)> draw) {
  Sort(sent_);
  Sort(run_);
  auto sent = sent_.begin();
  auto run = run_.begin();
  while (sent != sent_.end() && run != run_.end()) {
    const auto of = std::min(PairOf(*sent), PairOf(*run));
    while (sent != sent_.end() && run != run_.end() && PairOf(*sent) == of &&
           PairOf(*run) == of) {
      draw(*sent++, *run++);
    }
    while (sent != sent_.end() && PairOf(*sent) == of) ++sent;
    while (run != run_.end() && PairOf(*run) == of) ++run;
  }
}

}  // namespace gasnet::trace
