#include "portals/testing/child.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace gasnet::portals4_tests::testing {
namespace {

TEST(Child, AnswersFromAnotherProcess) {
  Child child;
  int summand = 40;
  EXPECT_EQ(child.Call([summand] { return summand + 2; }), 42);
  EXPECT_EQ(child.Call([] { return getpid(); }), child.pid());
}

TEST(Child, KeepsItsStateBetweenCalls) {
  static int counter = 0;
  Child child;
  child.Call([] { ++counter; });
  child.Call([] { ++counter; });
  EXPECT_EQ(child.Call([] { return counter; }), 2);
  EXPECT_EQ(counter, 0);
}

TEST(Child, HalvesOfCallsOverlap) {
  Child child;
  Child other;
  child.Begin([] { return pause(); });
  EXPECT_EQ(other.Call([] { return 7; }), 7);
  EXPECT_FALSE(child.Answers(0));
  child.Signal(SIGKILL);
  EXPECT_TRUE(child.Answers(0));
  EXPECT_EQ(child.End<int>(), 0);
}

TEST(Child, OneThatDiesOfItselfFailsTheTest) {
  Child* child = new Child;
  ::testing::TestPartResultArray failures;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::
            INTERCEPT_ONLY_CURRENT_THREAD,
        &failures);
    EXPECT_EQ(child->Call([]() -> int { _exit(3); }), 0);
  }
  EXPECT_EQ(failures.size(), 1);
  EXPECT_TRUE(child->lost());
  delete child;
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
