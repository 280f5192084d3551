#include "tools/gasnet_trace/arrows.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gasnet::trace {
namespace {

using Ends = std::span<const ArrowEnd>;
using Draw = absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)>;

// The sends and runs of messages that may belong together.
struct Both {
  Ends sent;
  Ends run;
};

auto TargetOf(const ArrowEnd& end) {
  return std::tuple(end.from, end.to, end.handler);
}
auto SizedTargetOf(const ArrowEnd& end) {
  return std::tuple(TargetOf(end), end.bytes);
}

void Sort(std::vector<ArrowEnd>& ends) {
  std::stable_sort(ends.begin(), ends.end(),
                   [](const ArrowEnd& a, const ArrowEnd& b) {
                     return std::tuple(SizedTargetOf(a), a.nanos) <
                            std::tuple(SizedTargetOf(b), b.nanos);
                   });
}

// Takes the ends with the given key from the beginning.
template <class KeyOf>
Ends Take(Ends& ends, KeyOf key_of, const decltype(key_of(ends[0]))& key) {
  size_t size = 0;
  while (size < ends.size() && key_of(ends[size]) == key) ++size;
  const Ends taken = ends.first(size);
  ends = ends.subspan(size);
  return taken;
}

// Takes the sends and runs of each key in turn.
template <class KeyOf, class Use>
void ForEachKey(Both all, KeyOf key_of, Use use) {
  while (!all.sent.empty() || !all.run.empty()) {
    const auto key = all.sent.empty()  ? key_of(all.run.front())
                     : all.run.empty() ? key_of(all.sent.front())
                                       : std::min(key_of(all.sent.front()),
                                                  key_of(all.run.front()));
    const Ends sent = Take(all.sent, key_of, key);
    use(Both{sent, Take(all.run, key_of, key)});
  }
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

// Returns true if the handler ran before the other message was sent.
bool IsBefore(const ArrowEnd& run, const ArrowEnd& sent) {
  int64_t nanos;  // a damaged trace may contain any times
  if (__builtin_sub_overflow(sent.nanos, run.nanos, &nanos)) return false;
  return nanos > run.error + sent.error;
}

bool IsOfOneThread(Ends ends) {
  return std::all_of(ends.begin(), ends.end(), [&](const ArrowEnd& end) {
    return end.ring == ends.front().ring;
  });
}

void DrawInOrder(Both part, Draw draw) {
  if (!IsOfOneThread(part.sent) || !IsOfOneThread(part.run)) return;
  const size_t size = std::min(part.sent.size(), part.run.size());
  for (size_t i = 0; i < size; ++i) draw(part.sent[i], part.run[i]);
}

// Matches messages of one size. Divides them where all that were sent have run.
void DrawSize(Both all, Draw draw) {
  size_t begin = 0;
  for (size_t i = 1; i < all.sent.size() && i <= all.run.size(); ++i) {
    if (!IsBefore(all.run[i - 1], all.sent[i])) continue;
    DrawInOrder(
        {all.sent.subspan(begin, i - begin), all.run.subspan(begin, i - begin)},
        draw);
    begin = i;
  }
  DrawInOrder({all.sent.subspan(begin),
               all.run.subspan(std::min(begin, all.run.size()))},
              draw);
}

// Returns true if the runs of some size are more than its sends.
bool LacksSends(Both all) {
  bool lacks = false;
  ForEachKey(all, &SizedTargetOf, [&lacks](Both of_size) {
    lacks = lacks || of_size.run.size() > of_size.sent.size();
  });
  return lacks;
}

}  // namespace

void Arrows::Match(absl::FunctionRef<int64_t(uint32_t rank)> limit_of,
                   Draw draw) {
  Sort(sent_);
  Sort(run_);
  ForEachKey({sent_, run_}, &TargetOf, [&](Both of_target) {
    if (LacksSends(of_target)) return;
    ForEachKey(of_target, &SizedTargetOf, [&](Both of_size) {
      if (of_size.sent.empty()) return;
      const ArrowEnd& first = of_size.sent.front();
      DrawSize({Certain(of_size.sent, limit_of(first.from)),
                Certain(of_size.run, limit_of(first.to))},
               draw);
    });
  });
}

}  // namespace gasnet::trace
