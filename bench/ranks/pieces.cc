#include "bench/ranks/pieces.h"

#include <gasnet.h>
#include <gasnet_vis.h>

#include <vector>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

gasnet_node_t Peer() { return gasnet_nodes() - 1; }

struct WordLists {
  std::vector<void*> to;
  std::vector<void*> from;
};

WordLists ListsOf(unsigned char* to, void* from) {
  WordLists lists;
  for (size_t i = 0; i < kIndexedWords; ++i) {
    lists.to.push_back(to + IndexOfTarget(i) * 8);
    lists.from.push_back(static_cast<unsigned char*>(from) +
                         IndexOfSource(i) * 8);
  }
  return lists;
}

}  // namespace

double PutShape(const Shape& shape, uint64_t rounds) {
  return OnRankZero(rounds, [&](uint64_t) {
    gasnet_puts_bulk(Peer(), DataOf(Peer()), shape.to, PiecesBuffer(),
                     shape.from, shape.counts, shape.levels);
  });
}

double GetShape(const Shape& shape, uint64_t rounds) {
  return OnRankZero(rounds, [&](uint64_t) {
    gasnet_gets_bulk(PiecesBuffer(), shape.to, Peer(), DataOf(Peer()),
                     shape.from, shape.counts, shape.levels);
  });
}

double PutWords(size_t, uint64_t rounds) {
  static WordLists lists = ListsOf(DataOf(Peer()), PiecesBuffer());
  return OnRankZero(rounds, [](uint64_t) {
    gasnet_puti_bulk(Peer(), kIndexedWords, lists.to.data(), 8, kIndexedWords,
                     lists.from.data(), 8);
  });
}

double GetWords(size_t, uint64_t rounds) {
  static WordLists lists =
      ListsOf(static_cast<unsigned char*>(PiecesBuffer()), DataOf(Peer()));
  return OnRankZero(rounds, [](uint64_t) {
    gasnet_geti_bulk(kIndexedWords, lists.to.data(), 8, Peer(), kIndexedWords,
                     lists.from.data(), 8);
  });
}

double OneRowBeyondPut(size_t size, uint64_t rounds) {
  const size_t count = size;
  const double strided = OnRankZero(rounds, [&](uint64_t) {
    gasnet_puts_bulk(Peer(), DataOf(Peer()), nullptr, PiecesBuffer(), nullptr,
                     &count, 0);
  });
  return strided - Put(size, rounds);
}

}  // namespace gasnet::bench
