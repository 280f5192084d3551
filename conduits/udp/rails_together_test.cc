// Tests of what concerns all rails of a rank: the service of a rank that
// computes, deadlines, the end, and packets of another rail.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "conduits/udp/rails.h"
#include "conduits/udp/rails_of_two.h"
#include "core/datagram/options.h"
#include "core/datagram/statistics.h"
#include "core/ip/address.h"

namespace gasnet::udp {
namespace {

TEST_F(RailsTest, AttendsAllRails) {
  OnOtherRails([&](int32_t index) {
    EXPECT_EQ(asker_->Ask(index, kAttendedAsk), am::Post::kDone);
  });
  EXPECT_EQ(asker_->Ask(0, kAttendedAsk), am::Post::kDone);
  const size_t rails = SendingRails(*asker_);
  EXPECT_GE(rails, 2u);
  ASSERT_TRUE(server_->rails.StartAttending().ok());
  while (unattended < static_cast<int>(kRails)) {
    pollfd readable = {server_->rails.AttendedFd(), POLLIN, 0};
    ASSERT_EQ(poll(&readable, 1, kPatience), 1);
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
  ASSERT_EQ(Side::AskBy(asker_->rails.at(1), 1), am::Post::kDone);
  EXPECT_NE(asker_->rails.NextDeadline(), kNever);
}

// Other threads may hold the lock of the rail each time that a thread polls.
TEST_F(RailsTest, ASleepBesideHeldMessagesIsShort) {
  ASSERT_EQ(Side::AskBy(asker_->rails.at(1), 1), am::Post::kDone);
  ASSERT_TRUE(server_->Readable());
  server_->rails.Attend(server_->dispatcher);
  while (server_->rails.NextDeadline() != kNever) server_->rails.Maintain();
  EXPECT_NE(server_->rails.SleepUntil(), kNever);
  server_->Poll();
  while (server_->rails.NextDeadline() != kNever) {
    asker_->Poll();
    asker_->rails.Maintain();
    server_->Poll();
    server_->rails.Maintain();
  }
  EXPECT_EQ(server_->rails.SleepUntil(), kNever);
}

TEST_F(RailsTest, DrainsAllRails) {
  using Drained = UdpRails::Drained;
  ASSERT_EQ(Side::AskBy(asker_->rails.at(1), 1), am::Post::kDone);
  EXPECT_EQ(asker_->rails.Drain(NowNanos(), [] {}), Drained::kNotYet);
  EXPECT_EQ(asker_->rails.Drain(NowNanos() + kPatienceNanos,
                                [&] {
                                  server_->Poll();
                                  server_->rails.Maintain();
                                }),
            Drained::kAll);
}

// The process ends while it holds the lock of a rail: here in a function that
// is called under the lock.
TEST_F(RailsTest, ARailWhoseLockIsHeldEndsTheDrain) {
  using Drained = UdpRails::Drained;
  std::array<RailOfTwo, kRails> sockets;
  UdpRails* rails = nullptr;
  std::vector<Drained> found;
  datagram::DatagramOptions options;
  options.timing.initial_timeout = 100'000;
  options.has_left = [&](Rank) {
    found.push_back(rails->Drain(NowNanos() + 1'000'000, [] {}));
    return false;
  };
  Side asker(sockets, 0, options);
  rails = &asker.rails;
  ASSERT_EQ(Side::AskBy(asker.rails.at(1), 1), am::Post::kDone);
  while (found.empty()) asker.rails.Maintain();
  EXPECT_EQ(found.front(), Drained::kStuck);
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
  ASSERT_EQ(Side::AskBy(asker.rails.at(1), 1), am::Post::kDone);
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
