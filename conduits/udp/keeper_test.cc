// What a process does that computes: its client makes no call, and neither do
// these tests for the rank that has a keeper.
#include "conduits/udp/keeper.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <utility>
#include <vector>

#include "conduits/udp/address.h"
#include "conduits/udp/network.h"
#include "conduits/udp/socket_port.h"
#include "core/am/dispatcher.h"
#include "core/datagram/seal.h"

namespace gasnet::udp {
namespace {

constexpr uint8_t kPing = am::kFirstClientHandler;
constexpr int kPatience = 30'000;  // ms, after which something hangs

int pings = 0;
void OnPing(void*) { ++pings; }

// Two ranks of this process. They live on, since keepers run until it ends.
struct Process {
  Process(UniqueFd socket, const std::vector<Address>& addresses, Rank me)
      : port(std::move(socket), addresses, {.me = me}),
        endpoint(port, {.me = me, .ranks = 2}, datagram::Seal({})),
        keeper(*new Keeper(endpoint)) {
    dispatcher.handlers().RegisterClient(
        kPing, reinterpret_cast<am::AnyHandler>(&OnPing));
  }

  am::Post Ping(Rank peer) {
    return endpoint.Send(peer, am::Lane::kRequest, {.handler = kPing});
  }
  unsigned Poll() { return endpoint.Poll(am::Lanes::kAll, dispatcher); }
  // Waits until something has arrived.
  bool Readable() const {
    pollfd readable = {port.fd(), POLLIN, 0};
    return poll(&readable, 1, kPatience) == 1;
  }
  // A datagram that nobody takes notice of.
  void Lose() {
    ASSERT_TRUE(Readable());
    SocketPort::Batch* const batch = port.Receive();
    ASSERT_NE(batch, nullptr);
    port.Release(batch);
  }

  SocketPort port;
  Network::Endpoint endpoint;
  Keeper& keeper;
  am::Dispatcher dispatcher;
};

class KeeperTest : public ::testing::Test {
 protected:
  KeeperTest() {
    pings = 0;
    std::vector<Address> addresses(2, *Address::Parse("127.0.0.1"));
    std::vector<UniqueFd> sockets;
    for (Address& address : addresses) {
      sockets.push_back(*OpenSocket(address));
    }
    for (Rank me = 0; me < 2; ++me) {
      ranks_.push_back(new Process(std::move(sockets[me]), addresses, me));
    }
    // Reachable to the very end, for who looks for leaks then.
    static auto& all = *new std::vector<Process*>;
    all.insert(all.end(), ranks_.begin(), ranks_.end());
  }
  Process& computes() { return *ranks_[0]; }
  Process& other() { return *ranks_[1]; }

 private:
  std::vector<Process*> ranks_;
};

TEST_F(KeeperTest, SendsAgainWhatWasLost) {
  ASSERT_TRUE(computes().keeper.Start().ok());
  // Twice: in between it has nothing to do and sleeps.
  for (int round = 1; round <= 2; ++round) {
    ASSERT_EQ(computes().Ping(1), am::Post::kDone);
    computes().keeper.Wake();
    other().Lose();
    while (pings < round) {
      ASSERT_TRUE(other().Readable());
      other().Poll();
    }
    // What acknowledges it has to be received.
    while (!computes().endpoint.Quiet()) {
      other().Poll();
      computes().Poll();
    }
  }
  EXPECT_GE(computes().endpoint.statistics().retransmissions, 2u);
}

TEST_F(KeeperTest, Acknowledges) {
  ASSERT_TRUE(computes().keeper.Start().ok());
  ASSERT_EQ(other().Ping(0), am::Post::kDone);
  ASSERT_TRUE(computes().Readable());
  while (pings == 0) computes().Poll();
  computes().keeper.Wake();
  while (!other().endpoint.Quiet()) {
    ASSERT_TRUE(other().Readable());
    other().Poll();
    other().Poll();  // takes the acknowledgement in
  }
  EXPECT_EQ(computes().endpoint.statistics().acks_sent, 1u);
}

TEST_F(KeeperTest, RunsNoHandler) {
  ASSERT_TRUE(computes().keeper.Start().ok());
  ASSERT_EQ(computes().Ping(1), am::Post::kDone);
  computes().keeper.Wake();
  ASSERT_EQ(other().Ping(0), am::Post::kDone);
  other().Lose();
  // The keeper has looked: it has sent its own again.
  ASSERT_TRUE(other().Readable());
  EXPECT_EQ(pings, 0);
  ASSERT_TRUE(computes().Readable());
  computes().Poll();
  EXPECT_EQ(pings, 1);
}

}  // namespace
}  // namespace gasnet::udp
