// Tests nodes with several threads. The threads of a node try to drive it at
// once. Any thread that finds a message runs the message's handler.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "coll/fabric.h"
#include "coll/node.h"
#include "core/thread/mode.h"

namespace gasnet::coll {
namespace {

static_assert(thread::kConcurrent);

class Hub;

// A fabric in which each receiver has a locked queue of messages. All memory is
// mapped.
class HubFabric final : public Fabric {
 public:
  HubFabric(Hub& hub, Rank me) : hub_(hub), me_(me) {}

  void Send(Rank peer, const CollHeader& header, const std::byte* bytes,
            size_t nbytes) override;
  size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                   const std::byte* bytes, size_t nbytes, size_t offset,
                   am::Loan& loan) override;
  std::byte* Mapped(Rank, uint64_t address, size_t) override {
    return reinterpret_cast<std::byte*>(address);
  }
  uint64_t InSegment(const std::byte* bytes, size_t nbytes) override;
  Moves* MovePartners(const CollectiveRequest&) override { return nullptr; }
  bool HaveMoved(Moves&) override { return true; }
  bool TrySend(Rank peer, const CollHeader& header) override {
    Send(peer, header, nullptr, 0);
    return true;
  }
  int64_t Now() override { return NowNanos(); }
  void WakeOwn() override {}
  // Always fails, so every message goes through the inbox.
  bool Take(Rank, CollHeader&, std::byte*, size_t) override { return false; }
  bool Glance(unsigned looks) override {
    CpuRelax();
    return looks < 100;
  }

 private:
  Hub& hub_;
  Rank me_;
};

class Hub {
 public:
  explicit Hub(Rank nodes) : queues_(nodes) {
    const CollSettings settings = {.eager_near = 96,
                                   .eager_far = 96,
                                   .push_from = 97,
                                   .push_to = 1024,
                                   .flat_reduce = 64};
    for (Rank rank = 0; rank < nodes; ++rank) {
      fabrics_.emplace_back(*this, rank);
      nodes_.push_back(std::make_unique<Node>(fabrics_.back(), settings));
    }
    for (Rank rank = 0; rank < nodes; ++rank) AddTeam(rank);
  }

  Node& node(Rank rank) { return *nodes_[rank]; }
  Team& team(Rank rank) { return *teams_[rank]; }

  struct Parcel {
    Rank from = 0;
    bool is_piece = false;
    CollHeader header{};
    std::vector<std::byte> bytes{};
    uint64_t landing = 0;
    size_t offset = 0;
  };

  void Push(Rank to, Parcel parcel) {
    const absl::MutexLock lock(&queues_[to].mutex);
    queues_[to].parcels.push_back(std::move(parcel));
  }

  // Polls as a client does: runs handlers, then drives.
  void Poll(Rank rank) {
    for (;;) {
      Parcel parcel;
      {
        const absl::MutexLock lock(&queues_[rank].mutex);
        if (queues_[rank].parcels.empty()) break;
        parcel = std::move(queues_[rank].parcels.front());
        queues_[rank].parcels.pop_front();
      }
      Handle(rank, parcel);
    }
    nodes_[rank]->Drive();
  }

 private:
  struct Queue {
    absl::Mutex mutex;
    std::deque<Parcel> parcels;
  };

  void AddTeam(Rank rank) {
    const auto nodes = static_cast<Rank>(queues_.size());
    std::vector<Rank> ranks(nodes);
    std::iota(ranks.begin(), ranks.end(), 0);
    teams_.push_back(
        &nodes_[rank]->AddTeam({.id = 0,
                                .me = rank,
                                .ranks = ranks,
                                .images = std::vector<uint32_t>(nodes, 1),
                                .near = std::vector<bool>(nodes, true),
                                .hosts = std::vector<uint32_t>(nodes)}));
  }

  void Handle(Rank rank, const Parcel& parcel) {
    if (!parcel.is_piece) {
      nodes_[rank]->inbox().Push(parcel.from, parcel.header,
                                 parcel.bytes.data(), parcel.bytes.size());
      return;
    }
    Landing* const landing = nodes_[rank]->landings().Find(
        parcel.from, parcel.landing, parcel.offset, parcel.bytes.size(), true);
    ASSERT_NE(landing, nullptr);
    std::memcpy(landing->to + parcel.offset, parcel.bytes.data(),
                parcel.bytes.size());
    Landings::Count(*landing, parcel.bytes.size());
  }

  std::deque<HubFabric> fabrics_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Team*> teams_;
  std::vector<Queue> queues_;
};

void HubFabric::Send(Rank peer, const CollHeader& header,
                     const std::byte* bytes, size_t nbytes) {
  Hub::Parcel parcel = {.from = me_, .header = header};
  if (nbytes > 0) parcel.bytes.assign(bytes, bytes + nbytes);
  hub_.Push(peer, std::move(parcel));
}

size_t HubFabric::SendPiece(Rank peer, uint64_t landing, uint64_t,
                            const std::byte* bytes, size_t nbytes,
                            size_t offset, am::Loan&) {
  const size_t some = std::min<size_t>(nbytes, 300);
  hub_.Push(peer, {.from = me_,
                   .is_piece = true,
                   .bytes = {bytes, bytes + some},
                   .landing = landing,
                   .offset = offset});
  return some;
}

// Returns an address if bit 4 of it is set, as if only those bytes lay in the
// segment. Parts then travel in all ways.
uint64_t HubFabric::InSegment(const std::byte* bytes, size_t) {
  const auto address = reinterpret_cast<uintptr_t>(bytes);
  return (address >> 4 & 1) != 0 ? address : 0;
}

constexpr Rank kNodes = 3;
constexpr unsigned kThreads = 3;

// The kind, root and size of an operation.
struct Step {
  CollectiveKind kind;
  uint32_t root;
  size_t count;  // number of uint64_t
  SyncMode sync;
};
std::vector<Step> StepsOf(size_t count, uint64_t seed) {
  constexpr CollectiveKind kKindsHere[] = {
      CollectiveKind::kBroadcast, CollectiveKind::kGatherAll,
      CollectiveKind::kReduceAll, CollectiveKind::kExchange,
      CollectiveKind::kBarrier};
  constexpr size_t kCounts[] = {0, 1, 8, 20, 150, 700};
  std::mt19937 random(static_cast<uint32_t>(seed));
  std::vector<Step> steps;
  for (size_t i = 0; i < count; ++i) {
    steps.push_back({.kind = kKindsHere[random() % 5],
                     .root = static_cast<uint32_t>(random() % kNodes),
                     .count = kCounts[random() % 6],
                     .sync = static_cast<SyncMode>(random() % 3)});
  }
  return steps;
}

using Words = std::vector<uint64_t>;

uint64_t Word(size_t step, Rank from, size_t i) {
  return step * 1000003 + from * 10007 + i;
}

// One step of the test on one node. One thread begins the step's operation and
// waits for it.
class NodeStep {
 public:
  NodeStep(Hub& hub, Rank rank, size_t number, const Step& step)
      : hub_(hub), rank_(rank), number_(number), step_(step) {
    const size_t blocks = step.kind == CollectiveKind::kExchange ? kNodes : 1;
    for (size_t i = 0; i < blocks * step.count; ++i) {
      source_.push_back(Word(number, rank, i));
    }
    dest_.resize(kNodes * step.count);
    request_ = {.call = "test",
                .kind = step.kind,
                .in = step.sync,
                .out = step.sync,
                .root = step.root};
    request_.nbytes =
        step.kind == CollectiveKind::kBarrier ? 0 : step.count * 8;
    request_.root_area = source_.data();
    request_.sources = Addresses(source_.data());
    request_.dests = Addresses(dest_.data());
    request_.reduction = {.kernels = KernelsOf(Type::kUint64, Op::kSum),
                          .elem_size = 8,
                          .elem_count = step.count};
  }

  void Begin() {
    operation_ = hub_.node(rank_).Begin(hub_.team(rank_), request_);
  }
  void Wait() {
    while (operation_ != nullptr && !operation_->IsSynced()) {
      hub_.Poll(rank_);
      std::this_thread::yield();
    }
    if (operation_ != nullptr) hub_.node(rank_).Release(*operation_);
    Check();
  }

 private:
  void Check() const {
    for (size_t i = 0; i < step_.count; ++i) {
      switch (step_.kind) {
        case CollectiveKind::kBroadcast:
          ASSERT_EQ(dest_[i], Word(number_, step_.root, i));
          break;
        case CollectiveKind::kReduceAll:
          ASSERT_EQ(dest_[i], Word(number_, 0, i) + Word(number_, 1, i) +
                                  Word(number_, 2, i));
          break;
        case CollectiveKind::kGatherAll:
        case CollectiveKind::kExchange:
          for (Rank from = 0; from < kNodes; ++from) {
            const size_t skip = step_.kind == CollectiveKind::kExchange
                                    ? rank_ * step_.count
                                    : 0;
            ASSERT_EQ(dest_[from * step_.count + i],
                      Word(number_, from, skip + i));
          }
          break;
        default:
          break;
      }
    }
  }

  Hub& hub_;
  Rank rank_;
  size_t number_;
  Step step_;
  Words source_;
  Words dest_;
  CollectiveRequest request_;
  CollectiveOperation* operation_ = nullptr;
};

TEST(ThreadsTest, DriveOneNodeAtOnce) {
  constexpr size_t kSteps = 400;
  const std::vector<Step> steps = StepsOf(kSteps, 1);
  Hub hub(kNodes);
  std::vector<std::vector<std::unique_ptr<NodeStep>>> all(kNodes);
  for (Rank rank = 0; rank < kNodes; ++rank) {
    for (size_t i = 0; i < kSteps; ++i) {
      all[rank].push_back(std::make_unique<NodeStep>(hub, rank, i, steps[i]));
    }
  }
  std::vector<absl::Mutex> begins(kNodes);
  std::vector<size_t> next(kNodes);
  std::atomic<Rank> done{0};
  std::vector<std::atomic<unsigned>> threads_done(kNodes);
  const auto client = [&](Rank rank) {
    for (;;) {
      size_t mine = 0;
      {
        // A node must begin its operations in order. The lock lets only one
        // thread begin one.
        const absl::MutexLock lock(&begins[rank]);
        if (next[rank] == kSteps) break;
        mine = next[rank]++;
        all[rank][mine]->Begin();
      }
      all[rank][mine]->Wait();
    }
    if (threads_done[rank].fetch_add(1, std::memory_order_acq_rel) + 1 ==
        kThreads) {
      done.fetch_add(1, std::memory_order_acq_rel);
    }
    // This rank is done, but other nodes may still read its memory or wait for
    // its answers.
    while (done.load(std::memory_order_acquire) < kNodes) {
      hub.Poll(rank);
      std::this_thread::yield();
    }
  };
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kNodes; ++rank) {
    for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back(client, rank);
  }
  for (std::thread& thread : threads) thread.join();
  for (Rank turn = 0; turn < 4 * kNodes; ++turn) hub.Poll(turn % kNodes);
  for (Rank rank = 0; rank < kNodes; ++rank) {
    EXPECT_TRUE(hub.node(rank).IsIdle());
  }
}

}  // namespace
}  // namespace gasnet::coll
