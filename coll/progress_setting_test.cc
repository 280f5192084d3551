#include "coll/progress_setting.h"

#include <stdlib.h>

#include "gtest/gtest.h"

namespace gasnet::coll {
namespace {

TEST(WantsProgressThread, IsChosenByTheEnvironment) {
  setenv("GASNET_COLL_PROGRESS", "poll", 1);
  EXPECT_FALSE(WantsProgressThread(true));
  setenv("GASNET_COLL_PROGRESS", "Thread", 1);
  EXPECT_TRUE(WantsProgressThread(true));
  unsetenv("GASNET_COLL_PROGRESS");
  EXPECT_FALSE(WantsProgressThread(true));
}

TEST(WantsProgressThreadDeathTest, IsRefusedWhereThereCanBeNone) {
  setenv("GASNET_COLL_PROGRESS", "thread", 1);
  EXPECT_DEATH(WantsProgressThread(false),
               "GASNET_COLL_PROGRESS.*thread.*poll");
}

}  // namespace
}  // namespace gasnet::coll
