// Runs one node of a team of two step by step. A test can make other events
// happen while the node calls its fabric.
#ifndef COLL_TESTING_STEPPED_H_
#define COLL_TESTING_STEPPED_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "coll/disagreement.h"
#include "coll/fabric.h"
#include "coll/node.h"
#include "coll/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::coll {

static_assert(thread::kConcurrent);

inline constexpr Rank kMe = 0;
inline constexpr Rank kPeer = 1;

class SteppedFabric final : public Fabric {
 public:
  void Send(Rank, const CollHeader& header, const std::byte*, size_t) override {
    sent.push_back(header);
  }
  bool TrySend(Rank, const CollHeader& header) override {
    if (has_room) sent.push_back(header);
    return has_room;
  }
  bool Take(Rank, CollHeader& header, std::byte* to, size_t nbytes) override {
    return at_take != nullptr && at_take(header, to, nbytes);
  }
  bool Glance(unsigned looks) override {
    ++glances;
    return at_glance != nullptr && at_glance(looks);
  }
  size_t SendPiece(Rank, uint64_t, uint64_t, const std::byte*, size_t nbytes,
                   size_t, am::Loan&) override {
    return nbytes;
  }
  std::byte* Mapped(Rank, uint64_t, size_t) override { return nullptr; }
  uint64_t InSegment(const std::byte*, size_t) override { return 0; }
  Moves* MovePartners(const CollectiveRequest&) override {
    ++moves_begun;
    return &moves_;
  }
  // Returns true once the test has set `moved`, and also at call 100, so that a
  // driver does not wait forever for the transfers.
  bool HaveMoved(Moves&) override { return moved || ++looks_at_moves == 100; }
  int64_t Now() override { return now; }
  // Runs `at_wake` once. After a driver has synced an operation, its last call
  // is WakeOwn. During this call the thread is still the driver, but does not
  // look for more work.
  void WakeOwn() override {
    ++wakes;
    if (at_wake != nullptr) std::exchange(at_wake, nullptr)();
  }

  std::vector<CollHeader> sent;
  unsigned glances = 0;
  unsigned wakes = 0;
  unsigned moves_begun = 0;
  unsigned looks_at_moves = 0;
  bool moved = false;
  bool has_room = true;  // TrySend succeeds
  int64_t now = 0;
  std::function<bool(CollHeader&, std::byte*, size_t)> at_take;
  std::function<bool(unsigned)> at_glance;
  std::function<void()> at_wake;

 private:
  Moves moves_;
};

class SteppedTest : public ::testing::Test {
 protected:
  explicit SteppedTest(bool near = false)
      : node_(fabric_, CollSettings{}),
        team_(node_.AddTeam({.id = 0,
                             .me = kMe,
                             .ranks = {kMe, kPeer},
                             .images = {1, 1},
                             .near = {false, near},
                             .hosts = {0, near ? 0u : 1u}})) {}

  // Returns a request for a broadcast from `root`.
  CollectiveRequest BroadcastFrom(Rank root, size_t nbytes = 8) {
    CollectiveRequest request = {.call = "test",
                                 .kind = CollectiveKind::kBroadcast,
                                 .in = SyncMode::kMine,
                                 .out = SyncMode::kMine,
                                 .root = root};
    request.nbytes = nbytes;
    request.dests = Addresses(dest_);
    request.root_area = source_;
    return request;
  }

  // Delivers the peer's part of operation `number`, as a message from the peer.
  void Come(uint32_t number, const CollectiveRequest& request,
            uint32_t key = 0) {
    CollHeader header;
    header.number = number;
    header.base = static_cast<uint16_t>(number);
    header.key = key;
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, source_, request.nbytes);
  }

  // Delivers the empty message with which the peer enters operation `number`, a
  // put or get.
  void Enter(uint32_t number, const CollectiveRequest& request) {
    CollHeader header;
    header.number = number;
    header.base = static_cast<uint16_t>(number);
    header.terms = TermsOf(request);
    node_.inbox().Push(kPeer, header, nullptr, 0);
  }

  // Runs `what` in another thread while this thread is the driver. The driver
  // has already looked for work for the last time.
  void WhileDriven(const std::function<void()>& what) {
    const CollectiveRequest request = BroadcastFrom(kPeer);
    CollectiveOperation* const op = node_.Begin(team_, request);
    ASSERT_NE(op, nullptr);
    Come(op->number, request);
    fabric_.at_wake = [&] { std::thread(what).join(); };
    node_.Drive();
    ASSERT_EQ(fabric_.at_wake, nullptr);
    ASSERT_TRUE(op->IsSynced());
    node_.Release(*op);
  }

  alignas(16) std::byte source_[2 * kEagerFar] = {};
  alignas(16) std::byte dest_[2 * kEagerFar] = {};
  SteppedFabric fabric_;
  Node node_;
  Team& team_;
};

}  // namespace gasnet::coll

#endif  // COLL_TESTING_STEPPED_H_
