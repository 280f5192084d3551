// A fake engine of collectives under the real C functions. It only records
// requests. The job has nodes 0 to 3, and this process is node 2.
#ifndef EXPORT_COLL_TEST_ENGINE_H_
#define EXPORT_COLL_TEST_ENGINE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "coll/operation.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "core/phase.h"
#include "core/segment.h"
#include "export/coll_functions.h"
// Includes only the needed parts of gasnet_coll.h, since the whole header would
// require a library.
#include "gasnet/all_compute.h"
#include "gasnet/all_indexed.h"
#include "gasnet/all_moves.h"
#include "gasnet/all_pairs.h"
#include "gasnet/all_sizes.h"
#include "gasnet/coll_moves.h"
#include "gasnet/coll_sync.h"
#include "gasnet/coll_teams.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

inline constexpr Rank kMe = 2;
inline constexpr Rank kNodes = 4;

class NotingEngine {
 public:
  static coll::CollectiveOperation* Begin(
      coll::Team& team, const coll::CollectiveRequest& request) {
    last = request;
    last_team = &team;
    ++begun;
    if (completes) return nullptr;
    coll::CollectiveOperation& operation = operations.emplace_back();
    operation.vote = result;
    return &operation;
  }
  static bool IsDone(const coll::CollectiveOperation& operation) {
    return operation.IsSynced();
  }
  static void Finish(coll::CollectiveOperation& operation) {
    operation.state.store(coll::CollectiveOperation::kSynced,
                          std::memory_order_release);
  }
  static void Release(coll::CollectiveOperation& operation) {
    EXPECT_TRUE(operation.IsSynced());
    ++released;
  }
  static void Wait(coll::CollectiveOperation& operation) {
    Finish(operation);
    Release(operation);
  }
  static BarrierVote Vote(const coll::CollectiveOperation& operation) {
    return operation.vote;
  }

  static coll::Team& All() { return *TeamOf({1, 1, 1, 1}, 0); }
  static coll::Team& WithImages(const uint32_t images[]) {
    return *TeamOf({images, images + kNodes}, 1);
  }
  // Splits the team into two halves, each in reverse order.
  static coll::Team* Split(coll::Team& parent, const char*, int64_t, int64_t) {
    coll::Team::Members members;
    members.id = 2;
    members.me = 1;
    members.ranks = {3, kMe};
    members.images = {parent.images(3), parent.images(kMe)};
    members.near = {true, true};
    members.hosts = {0, 0};
    static std::deque<std::unique_ptr<coll::Team>> teams;
    return teams.emplace_back(std::make_unique<coll::Team>(members)).get();
  }
  static const coll::CollSettings& settings() { return in_force; }
  static void Use(const coll::CollSettings& settings) { in_force = settings; }
  static size_t MaxEager() { return 4096; }

  static inline coll::CollectiveRequest last;
  static inline coll::Team* last_team = nullptr;
  static inline int begun = 0;
  static inline int released = 0;
  static inline bool completes = true;
  static inline BarrierVote result;
  static inline std::deque<coll::CollectiveOperation> operations;
  static inline coll::CollSettings in_force;

 private:
  static coll::Team* TeamOf(std::vector<uint32_t> images, uint16_t id) {
    static std::unique_ptr<coll::Team> teams[2];
    if (teams[id] == nullptr) {
      coll::Team::Members members;
      members.id = id;
      members.me = kMe;
      members.ranks = {0, 1, 2, 3};
      members.images = std::move(images);
      members.near = {true, true, true, true};
      members.hosts = {0, 0, 0, 0};
      teams[id] = std::make_unique<coll::Team>(members);
    }
    return teams[id].get();
  }
};

struct NotingPolicy {
  static NotingEngine& engine() {
    static NotingEngine engine;
    return engine;
  }
  static CollCalls& calls() { return *calls_; }
  // Resets the state, as if no function had been called.
  static void Forget() { calls_ = std::make_unique<CollCalls>(); }

  static Rank node() { return kMe; }
  static Rank nodes() { return kNodes; }
  static const Segment& segment() { return segment_; }
  static bool InBarrier() { return in_barrier; }
  static bool HasRelaxedBarrierFlags() { return relaxed_barrier_flags; }
  static void Poll() { ++polls; }
  static void WakeOwn() {}
  // Completes operations and lets other images run until the predicate is true.
  template <class Predicate, class OperationOf>
  static void WaitUntil(Predicate predicate, OperationOf) {
    while (!predicate()) {
      for (coll::CollectiveOperation& operation : NotingEngine::operations) {
        NotingEngine::Finish(operation);
      }
    }
  }

  static inline bool in_barrier = false;
  static inline bool relaxed_barrier_flags = false;
  static inline int polls = 0;
  static inline Segment segment_;
  static inline std::unique_ptr<CollCalls> calls_ =
      std::make_unique<CollCalls>();
};

inline constexpr int kLocal =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;
inline constexpr int kSingle =
    GASNET_COLL_SINGLE | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;

class CollFunctionsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (CurrentPhase() != Phase::kAttached) EnterPhase(Phase::kAttached);
    if (!NotingPolicy::calls().set_up.ready()) Init(nullptr);
  }

  static void Init(const gasnet_image_t images[]) {
    static gasnet_coll_fn_entry_t functions[] = {{&Combine, 7}, {nullptr, 0}};
    gasnet_coll_init(images, kMe, functions, 2, 0);
  }

  void SetUp() override {
    NotingEngine::completes = true;
    NotingEngine::begun = NotingEngine::released = 0;
    NotingEngine::operations.clear();
    NotingEngine::result = {};
    NotingPolicy::in_barrier = false;
    NotingPolicy::relaxed_barrier_flags = false;
    NotingPolicy::segment_ = {reinterpret_cast<uintptr_t>(dst_), sizeof(dst_)};
  }

  static void Combine(void*, size_t, const void*, size_t, const void*, size_t,
                      int, int) {}

  static const coll::CollectiveRequest& Last() { return NotingEngine::last; }

  alignas(16) std::byte dst_[256];
  alignas(16) std::byte src_[256];
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_TEST_ENGINE_H_
