// Tests of the rails that threads use, and of those that they serve for others.
#include "conduits/udp/rails.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "base/clock.h"
#include "conduits/udp/rails_of_two.h"
#include "conduits/udp/tuning.h"
#include "core/datagram/statistics.h"

namespace gasnet::udp {
namespace {

TEST_F(RailsTest, AThreadKeepsToARailOfItsOwn) {
  std::atomic<size_t> arrived{0};
  const auto ask = [&](int32_t index) {
    // All threads live at once, so that none takes over another's rail.
    asker_->rails.Current();
    ++arrived;
    while (arrived < kRails) std::this_thread::yield();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(asker_->Ask(index), am::Post::kDone);
  };
  std::thread main_rail([&] { OnOtherRails(ask); });
  ask(0);
  main_rail.join();
  EXPECT_EQ(CountRails(*asker_,
                       [](const datagram::DatagramStatistics& counts) {
                         return counts.messages_sent == 3;
                       }),
            kRails);
}

TEST_F(RailsTest, OneThreadServesAllRailsAndRepliesReturnOnThem) {
  constexpr int kRounds = 50;
  std::atomic<size_t> done{0};
  std::thread askers([&] {
    OnOtherRails([&](int32_t index) {
      for (int round = 1; round <= kRounds; ++round) {
        EXPECT_EQ(asker_->Ask(index), am::Post::kDone);
        // Polls its own rail alone, so the answer must come on that.
        datagram::DatagramEndpoint& own = asker_->rails.Current().endpoint;
        while (answers[index] < round) {
          own.Poll(am::Lanes::kAll, asker_->dispatcher);
          own.ServeTimers();
          std::this_thread::yield();
        }
      }
      ++done;
    });
  });
  while (done < kRails - 1) server_->Poll(/*again=*/true);
  askers.join();
  EXPECT_EQ(asked, kRounds * static_cast<int>(kRails - 1));
}

TEST_F(RailsTest, APollThatFindsNothingServesOtherRails) {
  OnAFreshThread([&] {
    AskOnAnotherRail();
    server_->Poll();
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(RailsTest, APollThatFindsMuchStillServesOtherRails) {
  OnAFreshThread([&] {
    AskOnAnotherRail();
    // From here on, each poll finds a message on the server's own rail.
    datagram::DatagramEndpoint& same = asker_->rails.Current().endpoint;
    for (unsigned polls = 1; polls <= kPollsPerLook; ++polls) {
      ASSERT_EQ(asker_->Ask(0), am::Post::kDone);
      server_->Poll(/*again=*/true);
      same.Poll(am::Lanes::kAll, asker_->dispatcher);
      EXPECT_EQ(answers[0], static_cast<int>(polls));
    }
  });
  EXPECT_EQ(asked, static_cast<int>(kPollsPerLook) + 1);
}

TEST_F(RailsTest, AfterAMessageOnAnotherRailEachPollServesIt) {
  OnAFreshThread([&] {
    AskOnAnotherRail();
    server_->Poll();
    ASSERT_EQ(asked, 1);
    AskOnAnotherRail();
    server_->Poll(/*again=*/true);
  });
  EXPECT_EQ(asked, 2);
}

TEST_F(RailsTest, ARarePollThatFindsSomethingServesOtherRails) {
  OnAFreshThread([&] {
    AskOnAnotherRail();
    ASSERT_EQ(asker_->Ask(0), am::Post::kDone);
    server_->Poll();
  });
  EXPECT_EQ(asked, 2);
}

// No descriptor tells of a message that another thread has received.
TEST_F(RailsTest, EachPollServesMessagesThatAnotherRailHolds) {
  OnAFreshThread([&] {
    const size_t rail = AskOnAnotherRail();
    EXPECT_EQ(server_->rails.Attend(server_->dispatcher),
              UdpRails::Attendance::kReceived);
    EXPECT_EQ(asked, 0);
    EXPECT_TRUE(server_->rails.at(rail).endpoint.HoldsMessages());
    server_->Poll(/*again=*/true);
    EXPECT_EQ(asked, 1);
    EXPECT_FALSE(server_->rails.at(rail).endpoint.HoldsMessages());
  });
}

// The socket that ended the sleep may be that of a rail whose thread has polled
// a moment ago.
TEST_F(RailsTest, ThePollAfterASleepServesAllRails) {
  OnAFreshThread([&] {
    const size_t rail = AskOnAnotherRail();
    server_->rails.at(rail).endpoint.PollForOthers(
        am::Lanes::kAll, server_->dispatcher, /*receives=*/false);
    server_->Poll(/*again=*/true);
    EXPECT_EQ(asked, 0);
    UdpRails::LookAtAllNext();
    server_->Poll(/*again=*/true);
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(RailsTest, APollForRepliesAloneLeavesTheRailToOthers) {
  OnAFreshThread([&] {
    const size_t rail = AskOnAnotherRail();
    server_->rails.at(rail).endpoint.Poll(am::Lanes::kReplies,
                                          server_->dispatcher);
    EXPECT_EQ(asked, 0);
    server_->Poll();
  });
  EXPECT_EQ(asked, 1);
}

// No progress thread runs here.
TEST_F(RailsTest, LooksServeTheTimersOfOtherRails) {
  OnAFreshThread([&] {
    datagram::DatagramEndpoint& asking =
        asker_->rails.at(AskOnAnotherRail(kTell)).endpoint;
    const int64_t end = NowNanos() + kPatienceNanos;
    // The asker sends nothing again, since nothing serves its timers.
    while (!asking.Quiet() && NowNanos() < end) {
      server_->Poll();
      asking.Poll(am::Lanes::kAll, asker_->dispatcher);
    }
    EXPECT_TRUE(asking.Quiet());
  });
}

TEST_F(RailsTest, LeavesARailToTheThreadThatPollsIt) {
  OnAFreshThread([&] {
    const size_t rail = AskOnAnotherRail();
    // The last of these polls looks at other rails.
    const auto poll_until_it_looks = [&] {
      for (unsigned polls = 0; polls < kPollsPerLook; ++polls) {
        server_->Poll(/*again=*/true);
      }
    };
    for (int i = 0; i < 10; ++i) {
      // Polls like the rail's own thread, which has not received yet.
      server_->rails.at(rail).endpoint.PollForOthers(
          am::Lanes::kAll, server_->dispatcher, /*receives=*/false);
      poll_until_it_looks();
    }
    EXPECT_EQ(asked, 0);
    poll_until_it_looks();
  });
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace gasnet::udp
