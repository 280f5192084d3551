#include <gtest/gtest.h>

#include <thread>

TEST(OneThreadTest, AThreadEndsTheTest) {
  EXPECT_DEATH(std::thread([] {}).join(), "threads = True");
}
