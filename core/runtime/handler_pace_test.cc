#include "core/runtime/handler_pace.h"

#include "gtest/gtest.h"

namespace gasnet {
namespace {

using Round = HandlerPace::Round;

const Round kQuiet = {.slept = 2 * kMaxHandlerNap};
const Round kServed = {.clients_served = true};
const Round kInVain = {.woken = true};
const Round kHandled = {.woken = true, .handled = 1};

TEST(HandlerPace, ServesWhileClientsDoNot) {
  HandlerPace pace;
  EXPECT_EQ(pace.Next({}), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pace.Next(kHandled), 0);
    EXPECT_EQ(pace.Next(kQuiet), 0);
  }
}

TEST(HandlerPace, NapsWhileClientsServeLongerAndLonger) {
  HandlerPace pace;
  int64_t expected = kMinHandlerNap;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(pace.Next(kServed), expected);
    expected = std::min(2 * expected, kMaxHandlerNap);
  }
  EXPECT_EQ(expected, kMaxHandlerNap);
  EXPECT_EQ(pace.Next({}), 0);
}

TEST(HandlerPace, NapsIfClientsServeBesideIt) {
  HandlerPace pace;
  EXPECT_GT(pace.Next({.clients_served = true, .woken = true, .handled = 1}),
            0);
}

TEST(HandlerPace, NapsLongerAndLongerWhileItIsWokenInVain) {
  HandlerPace pace;
  for (int64_t expected = kMinHandlerNap; expected <= kMaxHandlerNap / 2;
       expected *= 2) {
    EXPECT_EQ(pace.Next(kInVain), expected);
    EXPECT_EQ(pace.Next({}), 0);
  }
}

TEST(HandlerPace, NapsAreShortOnceClientsHaveStoppedServing) {
  for (const Round& round : {kQuiet, kHandled}) {
    HandlerPace pace;
    for (int i = 0; i < 20; ++i) pace.Next(kServed);
    EXPECT_EQ(pace.Next(round), 0);
    EXPECT_EQ(pace.Next(kServed), kMinHandlerNap);
  }
}

TEST(HandlerPace, ASleepThatEndsByTheClockIsNoWakeUp) {
  HandlerPace pace;
  EXPECT_EQ(pace.Next({.slept = kMinHandlerNap}), 0);
}

}  // namespace
}  // namespace gasnet
