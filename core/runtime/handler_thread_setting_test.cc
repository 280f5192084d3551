#include "core/runtime/handler_thread_setting.h"

#include <stdlib.h>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

constexpr char kSetting[] = "GASNET_PROGRESS_THREAD";

TEST(WantsHandlerThread, IsChosenByTheEnvironment) {
  unsetenv(kSetting);
  EXPECT_FALSE(WantsHandlerThread(true));
  setenv(kSetting, "0", 1);
  EXPECT_FALSE(WantsHandlerThread(true));
  EXPECT_FALSE(WantsHandlerThread(false));
  setenv(kSetting, "1", 1);
  EXPECT_TRUE(WantsHandlerThread(true));
}

TEST(WantsHandlerThreadDeathTest, IsRefusedWhereThereCanBeNone) {
  setenv(kSetting, "1", 1);
  EXPECT_DEATH(WantsHandlerThread(false),
               "GASNET_PROGRESS_THREAD is set to '1'; accepted: 0.*GASNET_PAR");
}

TEST(WantsHandlerThreadDeathTest, RefusesOtherValues) {
  setenv(kSetting, "2", 1);
  EXPECT_DEATH(WantsHandlerThread(true),
               "GASNET_PROGRESS_THREAD is set to '2'; accepted: 1, yes");
}

}  // namespace
}  // namespace gasnet
