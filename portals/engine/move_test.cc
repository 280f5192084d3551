#include "portals/engine/move.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "gtest/gtest.h"
#include "portals/testing/least_region.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

class MoveTest : public testing::Test {
 protected:
  MoveTest() {
    IdentifyThisProcess();
    sum_.kind = OperationKind::kAtomic;
    sum_.operation = PTL_SUM;
    sum_.datatype = PTL_UINT64_T;
    sum_.source = Own(&two_);
  }

  Extent Own(void* start) {
    Extent extent;
    extent.space = &peer_.space;
    extent.start = reinterpret_cast<uintptr_t>(start);
    extent.trust = Extent::Trust::kTrusted;
    return extent;
  }
  // Returns an iovec of two elements, one for each word.
  Extent Elements(const uint64_t* first, const uint64_t* second) {
    IovRecord* const iov = peer_.view.Iovs(0, 2);
    iov[0] = {reinterpret_cast<uintptr_t>(first), 8};
    iov[1] = {reinterpret_cast<uintptr_t>(second), 8};
    Extent extent = Own(nullptr);
    extent.iov = iov;
    extent.iov_count = 2;
    return extent;
  }
  // Forks a process that takes the lock and dies.
  void LeaveTaken(SharedLock& lock) {
    const pid_t child = fork();
    if (child == 0) {
      IdentifyThisProcess();
      _exit(lock.TryAcquire() ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    ASSERT_EQ(status, 0);
  }
  SharedLock& LockOf(const void* at) {
    return peer_.view.AtomicLock(reinterpret_cast<uintptr_t>(at));
  }
  bool SumAtOnce(uint64_t* to, uint64_t nbytes) {
    return MoveAtOnce(peer_, sum_, Own(to), 0, nbytes);
  }

  static constexpr Counts kCounts = LeastCounts();

  Region region_ = MakeRegion(kCounts);
  PeerInterface peer_{View(region_.memory(), kCounts), getpid(), true};
  uint64_t two_[2] = {2, 2};
  alignas(2 * kAtomicUnit) uint64_t words_[2 * kAtomicUnit / 8] = {};
  PortalsOperation sum_;
};

TEST_F(MoveTest, SumsAtOnce) {
  EXPECT_TRUE(SumAtOnce(words_, 16));
  EXPECT_EQ(words_[0], 2U);
  EXPECT_EQ(words_[1], 2U);
  EXPECT_TRUE(LockOf(words_).TryAcquire()) << "it is free again";
}

// The caller of MoveAtOnce holds the lock of the portal table entry. If
// MoveAtOnce waited, all users of that entry would wait too.
TEST_F(MoveTest, WaitsForNoLockAtOnce) {
  {
    const Holding holding(LockOf(words_));
    EXPECT_FALSE(SumAtOnce(words_, 8));
    EXPECT_EQ(words_[0], 0U);
  }
  EXPECT_TRUE(Move(peer_, sum_, Own(words_), 0, 8));
  EXPECT_EQ(words_[0], 2U);
}

// With two locks, the operation would stay half done if another process held
// the second one.
TEST_F(MoveTest, TakesNoTwoLocksAtOnce) {
  uint64_t* const last = &words_[kAtomicUnit / 8 - 1];
  EXPECT_FALSE(SumAtOnce(last, 16));
  EXPECT_EQ(*last, 0U);
  EXPECT_TRUE(Move(peer_, sum_, Own(last), 0, 16));
  EXPECT_EQ(last[0], 2U);
  EXPECT_EQ(last[1], 2U);
}

// The element's lock depends on its address alone. So the lock also excludes
// operations on the same word through an entry without an iovec.
TEST_F(MoveTest, AnElementOfAnIovecHasTheLockOfItsAddress) {
  const Extent elements = Elements(words_, &words_[kAtomicUnit / 8]);
  const Holding holding(LockOf(words_));
  EXPECT_FALSE(MoveAtOnce(peer_, sum_, elements, 0, 8));
  EXPECT_TRUE(MoveAtOnce(peer_, sum_, elements, 8, 8));
  EXPECT_EQ(words_[0], 0U);
  EXPECT_EQ(words_[kAtomicUnit / 8], 2U);
}

TEST_F(MoveTest, TakesTheLockOfEachElement) {
  uint64_t* const second = &words_[kAtomicUnit / 8];
  LeaveTaken(LockOf(second));
  EXPECT_TRUE(Move(peer_, sum_, Elements(words_, second), 0, 16));
  EXPECT_EQ(words_[0], 2U);
  EXPECT_EQ(*second, 2U);
  EXPECT_TRUE(LockOf(second).TryAcquire()) << "taken over, and released";
}

}  // namespace
}  // namespace gasnet::portals4
