// An engine for tests of collectives that are built from other collectives.
// Each node is a thread. The threads meet before and after each operation and
// copy data from each other.
#ifndef COLL_TESTING_THREAD_ENGINE_H_
#define COLL_TESTING_THREAD_ENGINE_H_

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "coll/request.h"
#include "core/rank.h"

namespace gasnet::coll {

class CollectiveOperation;

struct ThreadTeam {
  Rank count;
  Rank mine;
  Rank nodes() const { return count; }
  Rank me() const { return mine; }
};

class ThreadEngine {
 public:
  static void Reset(Rank nodes) {
    requests_.assign(nodes, nullptr);
    begun_ = std::vector<std::atomic<int>>(nodes);
    meeting_ = std::make_unique<std::barrier<>>(nodes);
  }

  // Returns the number of operations that the node has entered.
  static int Begun(Rank node) { return begun_[node].load(); }

  static CollectiveOperation* Begin(ThreadTeam& team,
                                    const CollectiveRequest& mine) {
    requests_[team.me()] = &mine;
    ++begun_[team.me()];
    meeting_->arrive_and_wait();
    for (Rank from = 0; from < team.nodes(); ++from) {
      Receive(team.me(), from, mine, *requests_[from]);
    }
    meeting_->arrive_and_wait();
    return nullptr;
  }
  static void Wait(CollectiveOperation&) {}

 private:
  static void Receive(Rank me, Rank from, const CollectiveRequest& mine,
                      const CollectiveRequest& theirs) {
    ASSERT_EQ(mine.kind, theirs.kind);
    ASSERT_EQ(mine.root, theirs.root);
    ASSERT_EQ(mine.nbytes, theirs.nbytes);
    const size_t one = mine.nbytes;
    switch (mine.kind) {
      case CollectiveKind::kGather:
        if (mine.root != me) return;
        return Copy(static_cast<std::byte*>(mine.root_area) + from * one,
                    theirs.sources[0], one);
      case CollectiveKind::kGatherAll:
        return Copy(mine.dests[0] + from * one, theirs.sources[0], one);
      case CollectiveKind::kExchange:
        return Copy(mine.dests[0] + from * one, theirs.sources[0] + me * one,
                    one);
      case CollectiveKind::kGatherAllV:
        ASSERT_EQ(mine.in_sizes[from], theirs.own_size);
        return Copy(mine.dests[0] + SumBefore(mine.in_sizes, from),
                    theirs.sources[0], theirs.own_size);
      case CollectiveKind::kExchangeV:
        ASSERT_EQ(mine.in_sizes[from], theirs.out_sizes[me]);
        return Copy(mine.dests[0] + SumBefore(mine.in_sizes, from),
                    theirs.sources[0] + SumBefore(theirs.out_sizes, me),
                    theirs.out_sizes[me]);
      default:
        FAIL() << "another kind";
    }
  }
  static size_t SumBefore(const size_t* sizes, Rank end) {
    return std::accumulate(sizes, sizes + end, size_t{0});
  }
  static void Copy(std::byte* to, const std::byte* from, size_t nbytes) {
    if (nbytes > 0) std::memcpy(to, from, nbytes);
  }

  static inline std::vector<const CollectiveRequest*> requests_;
  static inline std::vector<std::atomic<int>> begun_;
  static inline std::unique_ptr<std::barrier<>> meeting_;
};

// Runs body(team) in one thread for each node.
template <class Body>
void RunAsNodes(Rank nodes, Body body) {
  ThreadEngine::Reset(nodes);
  std::vector<std::thread> threads;
  for (Rank node = 0; node < nodes; ++node) {
    threads.emplace_back([nodes, node, &body] {
      ThreadTeam team = {nodes, node};
      body(team);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace gasnet::coll

#endif  // COLL_TESTING_THREAD_ENGINE_H_
