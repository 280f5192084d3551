// Tests of the rails of two ranks in this process. The server has one thread,
// and the asker has one for each rail.
#include "conduits/udp/rails.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "conduits/udp/tuning.h"
#include "core/am/dispatcher.h"
#include "core/am/unattended.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "core/thread/thread_state.h"

namespace gasnet::udp {
namespace {

constexpr size_t kRails = 3;
constexpr uint8_t kAsk = 1;
constexpr uint8_t kAnswer = 2;
constexpr uint8_t kAttendedAsk = 3;
constexpr int kPatience = 30'000;  // ms, after which a test fails

// The sockets of two ranks, for one rail.
struct RailOfTwo {
  RailOfTwo() : addresses(2, *ip::Address::Parse("127.0.0.1")) {
    for (size_t rank = 0; rank < 2; ++rank) {
      sockets[rank] = *ip::OpenUdpSocket(addresses[rank]);
    }
  }
  datagram::RailSocket Of(Rank rank) {
    return {std::move(sockets[rank]), addresses};
  }

  std::vector<ip::Address> addresses;
  std::array<UniqueFd, 2> sockets;
};

struct Side {
  Side(std::array<RailOfTwo, kRails>& sockets, Rank me)
      : rails(RailsOf(sockets, me)) {
    EXPECT_TRUE(rails.Start().ok());
    am::HandlerTable& table = dispatcher.handlers();
    table.RegisterInternal(kAsk, am::Lane::kRequest, &OnAsk);
    table.RegisterInternal(kAnswer, am::Lane::kReply, &OnAnswer);
    table.RegisterInternal(kAttendedAsk, am::Lane::kRequest, &OnAsk);
    table.RegisterUnattended(kAttendedAsk, &OnAskUnattended);
  }
  static std::vector<std::unique_ptr<UdpRail>> RailsOf(
      std::array<RailOfTwo, kRails>& sockets, Rank me) {
    std::vector<std::unique_ptr<UdpRail>> made;
    datagram::DatagramOptions options;
    options.me = me;
    options.ranks = 2;
    for (RailOfTwo& of_two : sockets) {
      made.push_back(std::make_unique<UdpRail>(UdpSettings{}, of_two.Of(me),
                                               datagram::SocketPort::Options{},
                                               options, datagram::Seal({})));
      ++options.rail;
    }
    return made;
  }

  static void OnAsk(void* token, int32_t asker);
  static void OnAskUnattended(void* token, int32_t asker);
  static void OnAnswer(void* token, int32_t asker);

  am::Post Ask(int32_t asker, uint8_t handler = kAsk) {
    return rails.Current().endpoint.Send(
        1, am::Lane::kRequest,
        {.handler = handler, .num_args = 1, .args = &asker});
  }
  void Poll(bool again = false) {
    rails.Poll(am::Lanes::kAll, dispatcher, again);
    rails.Current().endpoint.ServeTimers();
  }
  bool Readable() const {
    pollfd readable = {rails.fd(), POLLIN, 0};
    return poll(&readable, 1, kPatience) == 1;
  }

  am::Dispatcher dispatcher;
  UdpRails rails;
};

std::atomic<int> asked{0};
int unattended = 0;
std::array<std::atomic<int>, kRails> answers;
Side* server_side = nullptr;

void Side::OnAsk(void*, int32_t asker) {
  ++asked;
  ASSERT_EQ(server_side->rails.Current().endpoint.Send(
                0, am::Lane::kReply,
                {.handler = kAnswer, .num_args = 1, .args = &asker}),
            am::Post::kDone);
}
void Side::OnAskUnattended(void* token, int32_t asker) {
  ++unattended;
  static_cast<am::UnattendedToken*>(static_cast<am::Token*>(token))
      ->TryReply({.handler = kAnswer, .num_args = 1, .args = &asker});
}
void Side::OnAnswer(void*, int32_t asker) { ++answers[asker]; }

class RailsTest : public ::testing::Test {
 protected:
  RailsTest()
      : asker_(std::make_unique<Side>(sockets_, 0)),
        server_(std::make_unique<Side>(sockets_, 1)) {
    asked = 0;
    unattended = 0;
    for (auto& count : answers) count = 0;
    server_side = server_.get();
  }

  // Runs act(index) in threads whose own rails are 1 to kRails - 1. Rail 0 is
  // that of the main thread.
  template <class Act>
  void OnOtherRails(Act act) {
    std::vector<std::thread> threads;
    for (size_t index = 1; index < kRails; ++index) {
      threads.emplace_back([&, index] { act(static_cast<int32_t>(index)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // Runs act() in a thread that is not on the main thread's rail.
  template <class Act>
  void OnAnotherRail(Act act) {
    thread::Self();  // the main thread has its own
    std::thread(act).join();
  }
  // Runs act() in a thread that has not looked at rails yet.
  template <class Act>
  void OnAFreshThread(Act act) {
    std::thread(act).join();
  }
  // Sends a request on a rail that is not the calling thread's. Returns the
  // number of that rail, once the request has arrived.
  size_t AskOnAnotherRail(int32_t asker) {
    const size_t rail =
        &asker_->rails.at(0) == &asker_->rails.Current() ? 1 : 0;
    EXPECT_EQ(asker_->rails.at(rail).endpoint.Send(
                  1, am::Lane::kRequest,
                  {.handler = kAsk, .num_args = 1, .args = &asker}),
              am::Post::kDone);
    EXPECT_TRUE(server_->Readable());
    return rail;
  }
  // Returns the number of the rails of `side` that have sent a message.
  static size_t SendingRails(const Side& side) {
    return CountRails(side, [](const datagram::DatagramStatistics& counts) {
      return counts.messages_sent > 0;
    });
  }
  template <class Is>
  static size_t CountRails(const Side& side, Is is) {
    size_t found = 0;
    for (size_t index = 0; index < kRails; ++index) {
      if (is(side.rails.at(index).endpoint.statistics())) ++found;
    }
    return found;
  }

  std::array<RailOfTwo, kRails> sockets_;
  std::unique_ptr<Side> asker_;
  std::unique_ptr<Side> server_;
};

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
    AskOnAnotherRail(1);
    server_->Poll();
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(RailsTest, APollThatFindsMuchStillServesOtherRails) {
  OnAFreshThread([&] {
    AskOnAnotherRail(1);
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
    AskOnAnotherRail(1);
    server_->Poll();
    ASSERT_EQ(asked, 1);
    AskOnAnotherRail(1);
    server_->Poll(/*again=*/true);
  });
  EXPECT_EQ(asked, 2);
}

TEST_F(RailsTest, LeavesARailToTheThreadThatPollsIt) {
  OnAFreshThread([&] {
    const size_t rail = AskOnAnotherRail(1);
    const auto poll_after_a_pause = [&] {
      std::this_thread::sleep_for(std::chrono::nanoseconds(kLookInterval));
      server_->Poll();
    };
    for (int i = 0; i < 10; ++i) {
      // Polls like the rail's own thread, which has not received yet.
      server_->rails.at(rail).endpoint.PollForOthers(
          am::Lanes::kAll, server_->dispatcher, /*readable=*/false);
      poll_after_a_pause();
    }
    EXPECT_EQ(asked, 0);
    poll_after_a_pause();
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(RailsTest, AttendsAllRails) {
  OnOtherRails([&](int32_t index) {
    EXPECT_EQ(asker_->Ask(index, kAttendedAsk), am::Post::kDone);
  });
  EXPECT_EQ(asker_->Ask(0, kAttendedAsk), am::Post::kDone);
  const size_t rails = SendingRails(*asker_);
  EXPECT_GE(rails, 2u);
  while (unattended < static_cast<int>(kRails)) {
    ASSERT_TRUE(server_->Readable());
    ASSERT_TRUE(server_->rails.MayAttend());
    server_->rails.Attend(server_->dispatcher);
  }
  server_->rails.Maintain();
  EXPECT_EQ(SendingRails(*server_), rails);
  EXPECT_EQ(server_->rails.statistics().unattended, kRails);
  EXPECT_EQ(server_->rails.polls(), 0u);
}

TEST_F(RailsTest, TheFirstDeadlineOfAnyRailCounts) {
  ASSERT_EQ(asker_->rails.NextDeadline(), kNever);
  OnAnotherRail([&] { EXPECT_EQ(asker_->Ask(1), am::Post::kDone); });
  EXPECT_NE(asker_->rails.NextDeadline(), kNever);
}

TEST_F(RailsTest, DrainsAllRails) {
  OnAnotherRail([&] { EXPECT_EQ(asker_->Ask(1), am::Post::kDone); });
  EXPECT_FALSE(asker_->rails.Drain(NowNanos(), [] {}));
  EXPECT_EQ(asker_->rails.drain_steps(), kRails);
  EXPECT_TRUE(
      asker_->rails.Drain(NowNanos() + int64_t{kPatience} * 1'000'000, [&] {
        server_->Poll();
        server_->rails.Maintain();
      }));
}

// A packet is authentic on every socket of its target, and each rail counts its
// packets from 1. So a packet that an attacker sends again to another socket
// would be new there.
TEST_F(RailsTest, DropsAPacketOfAnotherRail) {
  std::array<RailOfTwo, kRails> sockets;
  const int to_wiretap = dup(sockets[1].sockets[1].get());
  const UniqueFd wiretap(to_wiretap);
  const ip::Address other_rail = sockets[2].addresses[1];
  const ip::Address first_rail = sockets[0].addresses[1];
  Side asker(sockets, 0);
  Side server(sockets, 1);
  int32_t index = 1;
  ASSERT_EQ(asker.rails.at(1).endpoint.Send(
                1, am::Lane::kRequest,
                {.handler = kAsk, .num_args = 1, .args = &index}),
            am::Post::kDone);
  pollfd readable = {wiretap.get(), POLLIN, 0};
  ASSERT_EQ(poll(&readable, 1, kPatience), 1);
  std::array<std::byte, 2000> packet;
  const ssize_t bytes = recv(wiretap.get(), packet.data(), packet.size(), 0);
  ASSERT_GT(bytes, 0);
  for (const ip::Address& address : {first_rail, other_rail}) {
    ASSERT_EQ(sendto(wiretap.get(), packet.data(), static_cast<size_t>(bytes),
                     0, address.get(), address.size()),
              bytes);
  }
  for (const size_t rail : {0, 2}) {
    datagram::DatagramEndpoint& endpoint = server.rails.at(rail).endpoint;
    while (endpoint.statistics().Dropped(datagram::Drop::kTarget) == 0) {
      ASSERT_TRUE(server.Readable());
      endpoint.Poll(am::Lanes::kAll, server.dispatcher);
    }
  }
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace gasnet::udp
