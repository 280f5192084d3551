#include "portals/engine/append.h"

#include <unistd.h>

#include "gtest/gtest.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

class AppendTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
  }

  // An entry in the only slot, linked.
  Ref Append() {
    const uint32_t slot = peer_.view.TakeEntry();
    Entry& entry = *peer_.view.EntryAt(slot);
    entry.options = PTL_ME_OP_PUT;
    entry.slot.Renew(Phase::kPending);
    EXPECT_EQ(AppendEntry(peer_, entry), PTL_OK);
    return EntryRef::Make(slot, entry.slot);
  }

  static constexpr Counts kCounts = LeastCounts();
  Region region_ = MakeRegion(kCounts);
  Peer peer_{View(region_.memory(), kCounts), getpid(), true};
};

TEST_F(AppendTest, UnlinksTheEntryThatIsNamed) {
  const Ref first = Append();
  EXPECT_EQ(UnlinkEntry(peer_, first), PTL_OK);
  const Ref second = Append();
  EXPECT_EQ(UnlinkEntry(peer_, first), PTL_ARG_INVALID) << "its slot is used";
  EXPECT_EQ(UnlinkEntry(peer_, second), PTL_OK);
}

}  // namespace
}  // namespace gasnet::portals4
