// Sorts elements over all nodes of a team, by means of other collectives. The
// algorithm is a sample sort. At the end each node has as many elements as
// before.
//
//   1. All nodes learn all counts. Each node sorts its own elements.
//   2. Each node gives evenly spaced samples, as many as there are nodes.
//      Every node finds the same splitters in all samples.
//   3. Each node sends node k its elements between splitters k-1 and k, and
//      sorts the elements that it receives. Now all elements are in order,
//      but the nodes' counts have changed.
//   4. Each node sends elements to the nodes that own their positions in the
//      order of all elements.
//
// Equal elements are ordered by their original node and index. Otherwise all
// equal elements could gather on one node. With this order a node gets at most
// about twice its share. The sort needs memory for twice this node's share, and
// for the samples.
//
// A Sorter belongs to one call. E is Collectives, or a test's engine.
#ifndef COLL_SORT_H_
#define COLL_SORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "coll/request.h"
#include "core/rank.h"

namespace gasnet::coll {

class CollectiveOperation;

struct SortCall {
  const char* call = "";
  void* base = nullptr;
  size_t count = 0;  // number of this node's elements
  size_t elem_size = 0;
  int (*compare)(const void*, const void*) = nullptr;
  SyncMode out = SyncMode::kAll;
};

template <class E, class Team>
class Sorter {
 public:
  Sorter(E& engine, Team& team, const SortCall& call)
      : engine_(engine), team_(team), call_(call), counts_(team.nodes()) {}

  void Run() {
    LearnCounts();
    const std::byte* const base = static_cast<std::byte*>(call_.base);
    elements_.assign(base, base + call_.count * call_.elem_size);
    SortElements(elements_.data(), call_.count);
    if (team_.nodes() > 1) {
      FindSplitters();
      ExchangeByKey();
    }
    ExchangeByPlace();
  }

 private:
  // The original node and index of an element. A sample is an Origin followed
  // by the element's bytes.
  struct Origin {
    uint64_t node = 0;
    uint64_t index = 0;
  };

  CollectiveRequest RequestOf(CollectiveKind kind) const {
    CollectiveRequest request;
    request.call = call_.call;
    request.kind = kind;
    request.in = SyncMode::kMine;
    request.out = SyncMode::kMine;
    return request;
  }
  void Perform(const CollectiveRequest& request) {
    CollectiveOperation* const operation = engine_.Begin(team_, request);
    if (operation != nullptr) engine_.Wait(*operation);
  }

  // Gathers the counts of all nodes. The gather ends only when all nodes have
  // entered, so the sort accesses no client memory before all have entered.
  void LearnCounts() {
    const uint64_t mine = call_.count;
    CollectiveRequest request = RequestOf(CollectiveKind::kGatherAll);
    request.nbytes = sizeof(mine);
    request.sources = Addresses(&mine);
    request.dests = Addresses(counts_.data());
    Perform(request);
  }

  void SortElements(std::byte* at, size_t count) const {
    if (count > 1) std::qsort(at, count, call_.elem_size, call_.compare);
  }

  const std::byte* Element(size_t i) const {
    return elements_.data() + i * call_.elem_size;
  }

  size_t SampleSize() const { return sizeof(Origin) + call_.elem_size; }

  // Returns true if a comes before b: by key, then by origin.
  bool Precedes(const std::byte* a, const Origin& from_a, const std::byte* b,
                const Origin& from_b) const {
    const int order = call_.compare(a, b);
    if (order != 0) return order < 0;
    if (from_a.node != from_b.node) return from_a.node < from_b.node;
    return from_a.index < from_b.index;
  }

  // A copy of a sample, aligned as compare may require.
  struct Sample {
    Origin origin;
    std::vector<std::max_align_t> key;
    const std::byte* bytes() const {
      return reinterpret_cast<const std::byte*>(key.data());
    }
  };
  Sample Unpack(const std::byte* at) const {
    Sample sample;
    std::memcpy(&sample.origin, at, sizeof(Origin));
    sample.key.resize(call_.elem_size / sizeof(std::max_align_t) + 1);
    std::memcpy(sample.key.data(), at + sizeof(Origin), call_.elem_size);
    return sample;
  }

  // Returns the number of samples of a node: the number of nodes in the team,
  // or the number of the node's elements if that is smaller.
  size_t SamplesOf(Rank node) const {
    return std::min<size_t>(counts_[node], team_.nodes());
  }

  void FindSplitters() {
    const size_t mine = SamplesOf(team_.me());
    std::vector<std::byte> sent(mine * SampleSize());
    for (size_t s = 0; s < mine; ++s) {
      const size_t index = s * call_.count / mine;
      const Origin origin = {team_.me(), index};
      std::byte* const at = sent.data() + s * SampleSize();
      std::memcpy(at, &origin, sizeof(origin));
      std::memcpy(at + sizeof(origin), Element(index), call_.elem_size);
    }
    std::vector<size_t> sizes(team_.nodes());
    for (Rank node = 0; node < team_.nodes(); ++node) {
      sizes[node] = SamplesOf(node) * SampleSize();
    }
    std::vector<std::byte> all(
        std::accumulate(sizes.begin(), sizes.end(), size_t{0}));
    CollectiveRequest request = RequestOf(CollectiveKind::kGatherAllV);
    request.own_size = sent.size();
    request.in_sizes = sizes.data();
    request.sources = Addresses(sent.data());
    request.dests = Addresses(all.data());
    Perform(request);
    ChooseSplitters(all);
  }

  // Chooses the splitters. Node k gets the elements that are before splitter k
  // but not before splitter k-1.
  void ChooseSplitters(const std::vector<std::byte>& all) {
    std::vector<Sample> samples;
    for (size_t at = 0; at < all.size(); at += SampleSize()) {
      samples.push_back(Unpack(all.data() + at));
    }
    std::sort(samples.begin(), samples.end(),
              [&](const Sample& a, const Sample& b) {
                return Precedes(a.bytes(), a.origin, b.bytes(), b.origin);
              });
    if (samples.empty()) return;
    for (Rank k = 1; k < team_.nodes(); ++k) {
      splitters_.push_back(samples[k * samples.size() / team_.nodes()]);
    }
  }

  // Returns the number of this node's elements that come before the splitter.
  size_t Below(const Sample& splitter) const {
    size_t low = 0;
    size_t high = call_.count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      const Origin origin = {team_.me(), middle};
      if (Precedes(Element(middle), origin, splitter.bytes(),
                   splitter.origin)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void ExchangeByKey() {
    const Rank nodes = team_.nodes();
    std::vector<size_t> out(nodes, 0);
    size_t begin = 0;
    for (Rank k = 0; k < nodes; ++k) {
      const bool is_last = k >= splitters_.size();
      const size_t end = is_last ? call_.count : Below(splitters_[k]);
      out[k] = (end - begin) * call_.elem_size;
      begin = end;
    }
    std::vector<size_t> in(nodes);
    CollectiveRequest sizes = RequestOf(CollectiveKind::kExchange);
    sizes.nbytes = sizeof(size_t);
    sizes.sources = Addresses(out.data());
    sizes.dests = Addresses(in.data());
    Perform(sizes);
    std::vector<std::byte> got(
        std::accumulate(in.begin(), in.end(), size_t{0}));
    Move(out, in, elements_.data(), got.data(), SyncMode::kMine);
    elements_ = std::move(got);
    SortElements(elements_.data(), elements_.size() / call_.elem_size);
  }

  // Moves each element to the node that owns its position. elements_ must
  // already be in order over all nodes.
  void ExchangeByPlace() {
    const Rank nodes = team_.nodes();
    std::vector<uint64_t> have(nodes);
    const uint64_t mine = elements_.size() / call_.elem_size;
    CollectiveRequest request = RequestOf(CollectiveKind::kGatherAll);
    request.nbytes = sizeof(mine);
    request.sources = Addresses(&mine);
    request.dests = Addresses(have.data());
    Perform(request);
    const std::vector<size_t> out = Overlaps(have, counts_);
    const std::vector<size_t> in = Overlaps(counts_, have);
    // Move reads elements_. This vector is destroyed when the call ends, so the
    // call must wait for the move, at least with kMine.
    Move(out, in, elements_.data(), static_cast<std::byte*>(call_.base),
         std::max(call_.out, SyncMode::kMine));
  }

  // Compares two distributions of all elements over the nodes. Returns one
  // number of bytes for each node k: the elements that this node has in `mine`
  // and node k has in `theirs`.
  std::vector<size_t> Overlaps(const std::vector<uint64_t>& mine,
                               const std::vector<uint64_t>& theirs) const {
    const uint64_t begin =
        std::accumulate(mine.begin(), mine.begin() + team_.me(), uint64_t{0});
    const uint64_t end = begin + mine[team_.me()];
    std::vector<size_t> bytes;
    uint64_t first = 0;
    for (const uint64_t count : theirs) {
      const uint64_t low = std::max(begin, first);
      const uint64_t high = std::min(end, first + count);
      bytes.push_back(low < high ? (high - low) * call_.elem_size : 0);
      first += count;
    }
    return bytes;
  }

  void Move(const std::vector<size_t>& out, const std::vector<size_t>& in,
            std::byte* from, std::byte* to, SyncMode until) {
    CollectiveRequest request = RequestOf(CollectiveKind::kExchangeV);
    request.out = until;
    request.out_sizes = out.data();
    request.in_sizes = in.data();
    request.sources = Addresses(from);
    request.dests = Addresses(to);
    Perform(request);
  }

  E& engine_;
  Team& team_;
  const SortCall call_;
  std::vector<uint64_t> counts_;  // indexed by node
  std::vector<std::byte> elements_;
  std::vector<Sample> splitters_;
};

}  // namespace gasnet::coll

#endif  // COLL_SORT_H_
