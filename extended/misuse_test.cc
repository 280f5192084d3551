// Tests that debug builds detect misuse by a client. This test is built with
// checks on.
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include "core/thread/rules.h"
#include "extended/front.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::Loopback;
using Api = Front;

static_assert(thread::kChecks, "build this with --//build_defs:checks=true");

class MisuseTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Loopback::Attach();
  }

  static std::byte* segment() { return Loopback::segment(); }
  static Handle Put() {
    return Api::PutNb("gasnet_put_nb", 0, segment(), &value_, 8);
  }

  static inline uint64_t value_ = 0;
};

TEST_F(MisuseTest, NodeOutOfRange) {
  EXPECT_DEATH(Api::Put("gasnet_put", 1, segment(), &value_, 8),
               "gasnet_put: node is 1, but this job has 1 nodes, 0 to 0");
  EXPECT_DEATH(Api::GetValue("gasnet_get_val", 9, segment(), 8),
               "gasnet_get_val: node is 9");
}

TEST_F(MisuseTest, RemoteMemoryOutsideTheSegment) {
  EXPECT_DEATH(Api::PutNb("gasnet_put_nb", 0, &value_, &value_, 8),
               "gasnet_put_nb: the 8 bytes at .* are not inside the segment of "
               "node 0");
  EXPECT_DEATH(Api::Get("gasnet_get_bulk", &value_, 0,
                        segment() + Loopback::kSegmentSize - 1, 2),
               "gasnet_get_bulk: the 2 bytes at");
  EXPECT_DEATH(Api::MemsetNbi("gasnet_memset_nbi", 0, segment(), 0,
                              Loopback::kSegmentSize + 1),
               "gasnet_memset_nbi: the 1048577 bytes at");
}

TEST_F(MisuseTest, LocalMemoryMissing) {
  EXPECT_DEATH(Api::Put("gasnet_put", 0, segment(), nullptr, 8),
               "gasnet_put: src is NULL, with nbytes 8");
  EXPECT_DEATH(Api::GetNbi("gasnet_get_nbi", nullptr, 0, segment(), 8),
               "gasnet_get_nbi: dest is NULL");
}

TEST_F(MisuseTest, ValueSizes) {
  EXPECT_DEATH(Api::PutValue("gasnet_put_val", 0, segment(), 1, 0),
               "gasnet_put_val: nbytes is 0; it must be 1 to 8");
  EXPECT_DEATH(Api::GetValueNb("gasnet_get_nb_val", 0, segment(), 9),
               "gasnet_get_nb_val: nbytes is 9");
}

TEST_F(MisuseTest, HandleSyncedTwice) {
  const Handle handle = Put();
  Api::Wait("gasnet_wait_syncnb", handle);
  EXPECT_DEATH(Api::Wait("gasnet_wait_syncnb", handle),
               "gasnet_wait_syncnb: handle .* is dead");
  EXPECT_DEATH(
      {
        // This put uses the same record again, so the old handle names a record
        // in use.
        Put();
        Api::Try("gasnet_try_syncnb", handle);
      },
      "gasnet_try_syncnb: handle .* is dead");
}

TEST_F(MisuseTest, HandleTwiceInAnArray) {
  Handle handles[2];
  handles[0] = handles[1] = Put();
  EXPECT_DEATH(Api::WaitAll("gasnet_wait_syncnb_all", handles, 2),
               "gasnet_wait_syncnb_all: handle .* is dead");
  Api::Wait("gasnet_wait_syncnb", handles[0]);
}

TEST_F(MisuseTest, RegionHandleSyncedTwice) {
  EXPECT_DEATH(
      {
        Loopback::network().Pause(true);
        Api::BeginRegion("begin");
        Api::PutNbi("gasnet_put_nbi", 0, segment(), &value_, 8);
        const Handle region = Api::EndRegion("end");
        Loopback::network().Pause(false);
        Api::Wait("gasnet_wait_syncnb", region);
        Api::Wait("gasnet_wait_syncnb", region);
      },
      "gasnet_wait_syncnb: handle .* is dead");
}

TEST_F(MisuseTest, HandleOutOfThinAir) {
  EXPECT_DEATH(
      Api::Wait("gasnet_wait_syncnb", reinterpret_cast<Handle>(&value_)),
      "gasnet_wait_syncnb: handle .* was never returned");
}

TEST_F(MisuseTest, KindsOfHandlesMixed) {
  EXPECT_DEATH(Api::WaitValue("gasnet_wait_syncnb_valget",
                              reinterpret_cast<ValueHandle>(Put())),
               "gasnet_wait_syncnb_valget: handle .* is of the wrong kind");
  EXPECT_DEATH(Api::Wait("gasnet_wait_syncnb",
                         reinterpret_cast<Handle>(Api::GetValueNb(
                             "gasnet_get_nb_val", 0, segment(), 8))),
               "gasnet_wait_syncnb: handle .* is of the wrong kind");
}

TEST_F(MisuseTest, ArrayMissing) {
  EXPECT_DEATH(Api::WaitAll("gasnet_wait_syncnb_all", nullptr, 3),
               "gasnet_wait_syncnb_all: handles is NULL, with numhandles 3");
}

TEST_F(MisuseTest, AccessRegions) {
  EXPECT_DEATH(Api::EndRegion("gasnet_end_nbi_accessregion"),
               "gasnet_end_nbi_accessregion called without");
  EXPECT_DEATH(
      {
        Api::BeginRegion("gasnet_begin_nbi_accessregion");
        Api::BeginRegion("gasnet_begin_nbi_accessregion");
      },
      "gasnet_begin_nbi_accessregion called inside an access region");
  EXPECT_DEATH(
      {
        Api::BeginRegion("gasnet_begin_nbi_accessregion");
        Api::WaitImplicit("gasnet_wait_syncnbi_all", &Iop::IsDone);
      },
      "gasnet_wait_syncnbi_all called inside an access region");
}

TEST_F(MisuseTest, CallsInHandlers) {
  const thread::HandlerScope scope(thread::Context::kReplyHandler, 200);
  EXPECT_DEATH(Put(), "gasnet_put_nb called in a reply handler");
  EXPECT_DEATH(Api::WaitImplicit("gasnet_wait_syncnbi_gets", &Iop::GetsDone),
               "gasnet_wait_syncnbi_gets called in a reply handler");
}

#if !defined(GASNET_SEQ)
TEST_F(MisuseTest, HandleOfAnotherThread) {
  EXPECT_DEATH(
      {
        const Handle handle = Put();
        std::thread([handle] {
          Api::Wait("gasnet_wait_syncnb", handle);
        }).join();
      },
      "gasnet_wait_syncnb: handle .* belongs to another thread");
}
#endif

}  // namespace
}  // namespace gasnet::extended
