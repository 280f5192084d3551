#include "portals/engine/append.h"

#include <unistd.h>

#include "gtest/gtest.h"
#include "portals/memory/region.h"

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

  static constexpr Counts kCounts = {.pts = 1,
                                     .entries = 1,
                                     .unexpected = 1,
                                     .mds = 1,
                                     .eqs = 1,
                                     .cts = 1,
                                     .triggers = 1};
  Region region_ = Region::Create(
      {.nid = 1, .pid = 1, .uid = 1, .kind = 1, .max_list_size = 1}, kCounts);
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
