#include "portals/memory/help.h"

#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

class HelpTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    view_.header().owner = ThisProcess();
  }
  static constexpr Counts kCounts = LeastCounts();
  Region region_ = MakeRegion(kCounts);
  const View view_{region_.memory(), kCounts};
  HelpDesk& desk_ = view_.header().help;
};

// No helper will ever answer a request whose number is gone.
TEST_F(HelpTest, ARequestThatIsOverwrittenFails) {
  std::thread vandal([this] {
    while (desk_.asked.load() != HelpDesk::kOne) std::this_thread::yield();
    desk_.asked.store(8 * HelpDesk::kOne);
    desk_.answered.store(8 * HelpDesk::kOne);
  });
  char byte = 0;
  EXPECT_FALSE(AskForHelp(view_, HelpDesk::kRead, 4096, &byte, 1));
  vandal.join();
}

}  // namespace
}  // namespace gasnet::portals4
