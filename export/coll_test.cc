// Tests that the functions over teams make the right requests to the engine,
// and that the sync functions work.
#include <fstream>
#include <string>
#include <thread>

#include "core/thread/mode.h"
#include "export/coll/tuner_state.h"
#include "export/coll_test_engine.h"

namespace gasnet::exported {
namespace {

using coll::CollectiveKind;
using coll::SyncMode;

TEST_F(CollFunctionsTest, BroadcastsOfOneAddress) {
  gasnet_coll_broadcast(GASNET_TEAM_ALL, dst_, 1, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kBroadcast);
  EXPECT_STREQ(Last().call, "gasnet_coll_broadcast");
  EXPECT_EQ(Last().dests.count(), 1u);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources.count(), 0u);
  EXPECT_EQ(Last().root, 1u);
  EXPECT_EQ(Last().root_name, 1u);
  EXPECT_EQ(Last().root_area, src_);
  EXPECT_EQ(Last().nbytes, 8u);
  EXPECT_FALSE(Last().single);
  EXPECT_EQ(Last().flags, static_cast<uint32_t>(kLocal));
}

TEST_F(CollFunctionsTest, EachModeAsItIsGiven) {
  const std::pair<int, SyncMode> ins[] = {
      {GASNET_COLL_IN_NOSYNC, SyncMode::kNone},
      {GASNET_COLL_IN_MYSYNC, SyncMode::kMine},
      {GASNET_COLL_IN_ALLSYNC, SyncMode::kAll}};
  const std::pair<int, SyncMode> outs[] = {
      {GASNET_COLL_OUT_NOSYNC, SyncMode::kNone},
      {GASNET_COLL_OUT_MYSYNC, SyncMode::kMine},
      {GASNET_COLL_OUT_ALLSYNC, SyncMode::kAll}};
  for (const auto& [in_flag, in] : ins) {
    for (const auto& [out_flag, out] : outs) {
      for (const int how : {GASNET_COLL_LOCAL, GASNET_COLL_SINGLE}) {
        gasnet_coll_gather_all(GASNET_TEAM_ALL, dst_, src_, 8,
                               in_flag | out_flag | how);
        EXPECT_EQ(Last().in, in);
        EXPECT_EQ(Last().out, out);
        EXPECT_EQ(Last().single, how == GASNET_COLL_SINGLE);
      }
    }
  }
}

TEST_F(CollFunctionsTest, WithoutFlagsTheStrongest) {
  if (thread::kChecks) GTEST_SKIP() << "fatal in a build with checks";
  gasnet_coll_gather_all(GASNET_TEAM_ALL, dst_, src_, 8, 0);
  EXPECT_EQ(Last().in, SyncMode::kAll);
  EXPECT_EQ(Last().out, SyncMode::kAll);
  EXPECT_FALSE(Last().single);
}

TEST_F(CollFunctionsTest, MovementOfOneAddress) {
  gasnet_coll_scatter(GASNET_TEAM_ALL, dst_, 0, src_, 8, kSingle);
  EXPECT_EQ(Last().kind, CollectiveKind::kScatter);
  EXPECT_EQ(Last().root_area, src_);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_TRUE(Last().single);
  gasnet_coll_gather(GASNET_TEAM_ALL, 3, dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGather);
  EXPECT_EQ(Last().root, 3u);
  EXPECT_EQ(Last().root_area, dst_);
  EXPECT_EQ(Last().dests.count(), 0u);
  EXPECT_EQ(Last().sources[0], src_);
  gasnet_coll_gather_all(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGatherAll);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources[0], src_);
  gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kExchange);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources[0], src_);
}

// A list has the addresses of this node with LOCAL, or of all nodes with
// SINGLE.
TEST_F(CollFunctionsTest, ListsOfAddresses) {
  void* const mine[] = {dst_};
  void* const all[] = {nullptr, nullptr, dst_, nullptr};
  void* const mine_src[] = {src_};
  void* const all_src[] = {nullptr, nullptr, src_, nullptr};
  for (const bool single : {false, true}) {
    void* const* const dsts = single ? all : mine;
    void* const* const srcs = single ? all_src : mine_src;
    const int flags = single ? kSingle : kLocal;
    gasnet_coll_broadcastM(GASNET_TEAM_ALL, dsts, 1, src_, 8, flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kBroadcast);
    EXPECT_EQ(Last().dests.count(), 1u);
    EXPECT_EQ(Last().dests[0], dst_);
    EXPECT_EQ(Last().root_area, src_);
    gasnet_coll_scatterM(GASNET_TEAM_ALL, dsts, 1, src_, 8, flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kScatter);
    EXPECT_EQ(Last().dests[0], dst_);
    gasnet_coll_gatherM(GASNET_TEAM_ALL, 1, dst_, srcs, 8, flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kGather);
    EXPECT_EQ(Last().sources[0], src_);
    EXPECT_EQ(Last().root_area, dst_);
    gasnet_coll_gather_allM(GASNET_TEAM_ALL, dsts, srcs, 8, flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kGatherAll);
    EXPECT_EQ(Last().dests[0], dst_);
    EXPECT_EQ(Last().sources[0], src_);
    gasnet_coll_exchangeM(GASNET_TEAM_ALL, dsts, srcs, 8, flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kExchange);
    EXPECT_EQ(Last().dests[0], dst_);
    EXPECT_EQ(Last().sources[0], src_);
    gasnet_coll_reduceM(GASNET_TEAM_ALL, 1, dst_, srcs, 0, 0, 4, 2, 0, 5,
                        flags);
    EXPECT_EQ(Last().kind, CollectiveKind::kReduce);
    EXPECT_EQ(Last().sources[0], src_);
    EXPECT_EQ(Last().root_area, dst_);
  }
}

TEST_F(CollFunctionsTest, Reduces) {
  gasnet_coll_reduce(GASNET_TEAM_ALL, 3, dst_, src_, 1, 2, 12, 5, 0, -3,
                     kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kReduce);
  EXPECT_EQ(Last().root, 3u);
  EXPECT_EQ(Last().nbytes, 60u);
  EXPECT_EQ(Last().reduction.function, &Combine);
  EXPECT_EQ(Last().reduction.function_flags, 7);
  EXPECT_EQ(Last().reduction.function_arg, -3);
  EXPECT_EQ(Last().reduction.elem_size, 12u);
  EXPECT_EQ(Last().reduction.elem_count, 5u);
  EXPECT_EQ(Last().sources[0], src_);
  EXPECT_EQ(Last().root_area, dst_);
}

TEST_F(CollFunctionsTest, ReducesElementsOfNoBytesAsNone) {
  gasnet_coll_reduce(GASNET_TEAM_ALL, 3, dst_, src_, 0, 0, 0, 5, 0, 0, kLocal);
  EXPECT_EQ(Last().nbytes, 0u);
  EXPECT_EQ(Last().reduction.function, &Combine);
  EXPECT_EQ(Last().reduction.elem_size, 1u);
  EXPECT_EQ(Last().reduction.elem_count, 0u);
}

TEST_F(CollFunctionsTest, HandlesOfWhatIsUnderWay) {
  EXPECT_EQ(gasnet_coll_exchange_nb(GASNET_TEAM_ALL, dst_, src_, 8, kLocal),
            GASNET_COLL_INVALID_HANDLE);
  NotingEngine::completes = false;
  const gasnet_coll_handle_t handle =
      gasnet_coll_exchange_nb(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
  ASSERT_NE(handle, GASNET_COLL_INVALID_HANDLE);
  EXPECT_EQ(gasnet_coll_try_sync(handle), GASNET_ERR_NOT_READY);
  NotingEngine::Finish(NotingEngine::operations[0]);
  EXPECT_EQ(gasnet_coll_try_sync(handle), GASNET_OK);
  EXPECT_EQ(NotingEngine::released, 1);
  gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
  EXPECT_EQ(NotingEngine::released, 2);
  gasnet_coll_wait_sync(GASNET_COLL_INVALID_HANDLE);
  EXPECT_EQ(gasnet_all_try_sync(GASNET_ALL_INVALID_HANDLE), GASNET_OK);
}

// Tests an array of four handles: 0 and 3 are operations in progress, 1 is a
// complete operation, and 2 is the invalid handle.
class ArraysOfHandlesTest : public CollFunctionsTest {
 protected:
  void SetUp() override {
    CollFunctionsTest::SetUp();
    NotingEngine::completes = false;
    for (int i : {0, 1, 3}) {
      handles_[i] =
          gasnet_coll_exchange_nb(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
    }
    NotingEngine::Finish(NotingEngine::operations[1]);
  }
  bool IsOpen(int i) const { return handles_[i] != GASNET_COLL_INVALID_HANDLE; }

  gasnet_coll_handle_t handles_[4] = {};
};

TEST_F(ArraysOfHandlesTest, TrySome) {
  EXPECT_EQ(gasnet_coll_try_sync_some(handles_, 4), GASNET_OK);
  EXPECT_TRUE(IsOpen(0) && !IsOpen(1) && !IsOpen(2) && IsOpen(3));
  EXPECT_EQ(gasnet_coll_try_sync_some(handles_, 4), GASNET_ERR_NOT_READY);
  EXPECT_EQ(gasnet_coll_try_sync_some(handles_ + 1, 2), GASNET_OK);
}
TEST_F(ArraysOfHandlesTest, TryAll) {
  EXPECT_EQ(gasnet_all_try_sync_all(handles_, 4), GASNET_ERR_NOT_READY);
  EXPECT_TRUE(IsOpen(0) && !IsOpen(1) && !IsOpen(2) && IsOpen(3));
  NotingEngine::Finish(NotingEngine::operations[0]);
  NotingEngine::Finish(NotingEngine::operations[2]);
  EXPECT_EQ(gasnet_all_try_sync_all(handles_, 4), GASNET_OK);
  EXPECT_EQ(NotingEngine::released, 3);
  EXPECT_EQ(gasnet_all_try_sync_all(nullptr, 0), GASNET_OK);
}
TEST_F(ArraysOfHandlesTest, WaitSome) {
  gasnet_all_wait_sync_some(handles_, 4);
  EXPECT_TRUE(IsOpen(0) && !IsOpen(1) && !IsOpen(2) && IsOpen(3));
  gasnet_coll_wait_sync_some(handles_ + 1, 2);
  EXPECT_EQ(NotingEngine::released, 1);
}
TEST_F(ArraysOfHandlesTest, WaitAll) {
  gasnet_coll_wait_sync_all(handles_, 4);
  EXPECT_TRUE(!IsOpen(0) && !IsOpen(1) && !IsOpen(2) && !IsOpen(3));
  EXPECT_EQ(NotingEngine::released, 3);
}

// Team barriers treat flags like gasnet_barrier_wait, with both values of
// GASNET_BARRIER_FLAGS.
TEST_F(CollFunctionsTest, BarriersTakeFlagsAsThoseOfTheJobDo) {
  constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;
  constexpr int kImages = GASNET_BARRIERFLAG_IMAGES;
  NotingEngine::completes = false;
  const auto wait = [](int notify_flags, int id, int flags) {
    const bool named = (notify_flags & kAnonymous) == 0;
    NotingEngine::result = {.named = named, .mismatch = false, .id = 5};
    gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 5, notify_flags);
    return gasnet_coll_barrier_wait(GASNET_TEAM_ALL, id, flags);
  };
  for (const bool relaxed : {false, true}) {
    NotingPolicy::relaxed_barrier_flags = relaxed;
    const int if_relaxed = relaxed ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH;
    EXPECT_EQ(wait(0, 5, 0), GASNET_OK);
    EXPECT_EQ(wait(kAnonymous, 0, kAnonymous), GASNET_OK);
    EXPECT_EQ(wait(0, 0, kAnonymous), if_relaxed);
    EXPECT_EQ(wait(kImages, 0, kAnonymous | kImages), if_relaxed);
    EXPECT_EQ(wait(kAnonymous, 6, 0), if_relaxed);
    EXPECT_EQ(wait(0, 6, 0), GASNET_ERR_BARRIER_MISMATCH);
    EXPECT_EQ(wait(kImages, 6, kImages), GASNET_ERR_BARRIER_MISMATCH);
    EXPECT_EQ(wait(0, 5, GASNET_BARRIERFLAG_MISMATCH),
              GASNET_ERR_BARRIER_MISMATCH);
  }
}

TEST_F(CollFunctionsTest, BarriersVote) {
  NotingEngine::completes = false;
  NotingEngine::result = {.named = true, .mismatch = false, .id = 5};
  EXPECT_EQ(gasnet_coll_barrier(GASNET_TEAM_ALL, 5, 0), GASNET_OK);
  EXPECT_EQ(Last().kind, CollectiveKind::kBarrier);
  EXPECT_EQ(Last().vote, (BarrierVote{.named = true, .id = 5}));
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 5, 0);
  EXPECT_EQ(gasnet_coll_barrier_try(GASNET_TEAM_ALL, 5, 0),
            GASNET_ERR_NOT_READY);
  EXPECT_EQ(gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 6, 0),
            GASNET_ERR_BARRIER_MISMATCH);
  constexpr int kNameless =
      GASNET_BARRIERFLAG_IMAGES | GASNET_BARRIERFLAG_ANONYMOUS;
  EXPECT_EQ(gasnet_coll_barrier(GASNET_TEAM_ALL, 1, kNameless), GASNET_OK);
  EXPECT_FALSE(Last().vote.named);
  NotingEngine::result.mismatch = true;
  EXPECT_EQ(gasnet_coll_barrier(GASNET_TEAM_ALL, 5, 0),
            GASNET_ERR_BARRIER_MISMATCH);
  EXPECT_EQ(NotingEngine::released, 4);
  EXPECT_DEATH(gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 5, 0),
               "gasnet_coll_barrier_wait called without");
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 5, 0);
  if (thread::kChecks) {
    EXPECT_DEATH(gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 5, 3),
                 "gasnet_coll_barrier_notify: flags is 3; it must be 0");
  }
  constexpr char kTold[] = "gasnet_coll_barrier_notify called a second time";
  if (thread::kChecks) {
    EXPECT_DEATH(gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 5, 0), kTold);
  } else {
    testing::internal::CaptureStderr();
    gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 6, 0);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(kTold),
              std::string::npos);
  }
  EXPECT_EQ(Last().vote, (BarrierVote{.named = true, .id = 5}));
  gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 5, 0);
}

TEST_F(CollFunctionsTest, TuningStateAsText) {
  std::string file = ::testing::TempDir() + "tuning";
  std::remove(file.c_str());
  gasnet_coll_dumpTuningState(file.data(), GASNET_TEAM_ALL);
  std::string text(std::istreambuf_iterator<char>(std::ifstream(file).rdbuf()),
                   {});
  EXPECT_EQ(text, coll::DescribeSettings(NotingEngine::settings()));
  coll::CollSettings settings;
  ReadSettings("call", "file", "# of one\n flat_reduce 77 # more\n\n", 4096,
               settings);
  EXPECT_EQ(settings.flat_reduce, 77u);
  EXPECT_DEATH(ReadSettings("call", "file", "\nflat_far x\n", 0, settings),
               "call: line 2 of file: 'x' is no number");
  EXPECT_DEATH(ReadSettings("call", "file", "unknown 1", 0, settings),
               "there is no 'unknown'");
  EXPECT_DEATH(ReadSettings("call", "file", "eager_far 4097", 4096, settings),
               "messages carry at most 4096");
}

TEST_F(CollFunctionsTest, ProfileCounts) {
  const gasnet_team_handle_t team =
      gasnet_coll_team_split(GASNET_TEAM_ALL, 1, 5, nullptr);
  gasnet_coll_exchange(team, dst_, src_, 8, kLocal);
  gasnet_coll_exchange(team, dst_, src_, 4, kLocal);
  std::string file = ::testing::TempDir() + "profile";
  std::remove(file.c_str());
  gasnet_coll_dumpProfile(file.data(), team);
  std::string text(std::istreambuf_iterator<char>(std::ifstream(file).rdbuf()),
                   {});
  EXPECT_EQ(text, "exchange 2 calls 12 bytes\n");
}

TEST_F(CollFunctionsTest, RefusedInEveryBuild) {
  EXPECT_DEATH(gasnet_coll_gather(GASNET_TEAM_ALL, 4, dst_, src_, 8, kLocal),
               "gasnet_coll_gather: dstimg is 4; this team has images 0 to 3");
  EXPECT_DEATH(
      gasnet_coll_exchange(nullptr, dst_, src_, 8, kLocal),
      "gasnet_coll_exchange: team is .* not a team that this node is in");
  EXPECT_DEATH(gasnet_coll_gather_all_nb(GASNET_TEAM_ALL, dst_, src_,
                                         SIZE_MAX / 3, kLocal),
               "gasnet_coll_gather_all_nb: nbytes is .*, of each of 4 blocks");
  EXPECT_DEATH(gasnet_coll_reduce(GASNET_TEAM_ALL, 0, dst_, src_, 0, 0, 8, 1, 2,
                                  0, kLocal),
               "gasnet_coll_reduce: function 2 is not in the table");
  EXPECT_DEATH(gasnet_coll_reduce(GASNET_TEAM_ALL, 0, dst_, src_, 0, 0, 8, 1, 1,
                                  0, kLocal),
               "gasnet_coll_reduce: function 1 is not in the table");
  EXPECT_DEATH(gasnet_coll_reduce(GASNET_TEAM_ALL, 0, dst_, src_, 0, 0, 8,
                                  SIZE_MAX / 4, 0, 0, kLocal),
               "gasnet_coll_reduce: elem_count");
  EXPECT_DEATH(gasnet_coll_init(nullptr, 0, nullptr, 0, 0), "twice");
}

TEST_F(CollFunctionsTest, FlagsThatAreChecked) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  constexpr int kIn = GASNET_COLL_IN_MYSYNC;
  constexpr int kOut = GASNET_COLL_OUT_MYSYNC;
  const auto call = [&](int flags) {
    gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, flags);
  };
  EXPECT_DEATH(call(kOut | GASNET_COLL_LOCAL), "have none; .*IN_NOSYNC");
  EXPECT_DEATH(call(kIn | GASNET_COLL_LOCAL), "have none; .*OUT_NOSYNC");
  EXPECT_DEATH(call(kIn | kOut), "have none; .*SINGLE");
  EXPECT_DEATH(call(kLocal | GASNET_COLL_IN_NOSYNC),
               "have GASNET_COLL_IN_NOSYNC and GASNET_COLL_IN_MYSYNC");
  EXPECT_DEATH(call(kLocal | GASNET_COLL_OUT_ALLSYNC),
               "have GASNET_COLL_OUT_MYSYNC and GASNET_COLL_OUT_ALLSYNC");
  EXPECT_DEATH(call(kLocal | GASNET_COLL_SINGLE),
               "have GASNET_COLL_SINGLE and GASNET_COLL_LOCAL");
}

TEST_F(CollFunctionsTest, AreasThatAreChecked) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  const gasnet_team_handle_t all = GASNET_TEAM_ALL;
  EXPECT_DEATH(gasnet_coll_exchange(all, dst_, dst_ + 31, 8, kLocal),
               "32 bytes of a destination at .* overlap the 32 of a source");
  EXPECT_DEATH(gasnet_coll_exchange(all, src_, src_, 8, kLocal), "overlap");
  gasnet_coll_exchange(all, dst_, dst_ + 32, 8, kLocal);
  // A source may coincide with the destination of its own block, but not
  // overlap other blocks.
  gasnet_coll_gather_all(all, dst_, dst_ + kMe * 8, 8, kLocal);
  EXPECT_DEATH(gasnet_coll_gather_all(all, dst_, dst_ + 8, 8, kLocal),
               "overlap");
  gasnet_coll_broadcast(all, dst_, kMe, dst_, 8, kLocal);
  EXPECT_DEATH(gasnet_coll_broadcast(all, dst_, kMe, dst_ + 4, 8, kLocal),
               "overlap");
  gasnet_coll_broadcast(all, dst_, 0, dst_ + 4, 8, kLocal);
  gasnet_coll_scatter(all, dst_ + kMe * 8, kMe, dst_, 8, kLocal);
  EXPECT_DEATH(gasnet_coll_scatter(all, dst_, kMe, dst_, 8, kLocal), "overlap");
  gasnet_coll_gather(all, kMe, dst_, dst_ + kMe * 8, 8, kLocal);
  EXPECT_DEATH(gasnet_coll_gather(all, kMe, dst_, dst_, 8, kLocal), "overlap");
  gasnet_coll_reduce(all, kMe, dst_, dst_, 0, 0, 8, 2, 0, 0, kLocal);
  EXPECT_DEATH(
      gasnet_coll_reduce(all, kMe, dst_, dst_ + 8, 0, 0, 8, 2, 0, 0, kLocal),
      "overlap");
  EXPECT_DEATH(gasnet_coll_broadcast(all, nullptr, 0, src_, 8, kLocal),
               "a destination is NULL, with 8 bytes");
}

TEST_F(CollFunctionsTest, PromisesThatAreChecked) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  constexpr int kDst = kLocal | GASNET_COLL_DST_IN_SEGMENT;
  constexpr int kSrc = kLocal | GASNET_COLL_SRC_IN_SEGMENT;
  gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kDst);
  EXPECT_DEATH(gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kSrc),
               "SRC_IN_SEGMENT, but the 32 bytes at .* not inside");
  EXPECT_DEATH(gasnet_coll_exchange(GASNET_TEAM_ALL, dst_ + 240, src_, 8, kDst),
               "DST_IN_SEGMENT, but the 32 bytes at .* not inside");
}

TEST_F(CollFunctionsTest, ContextsThatAreChecked) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  NotingPolicy::in_barrier = true;
  EXPECT_DEATH(gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kLocal),
               "gasnet_coll_exchange called between gasnet_barrier_notify");
}

}  // namespace
}  // namespace gasnet::exported
