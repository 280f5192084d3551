// Tests of a process whose client computes and makes no GASNet call. Only the
// progress thread serves the rank of this process.

#include <gtest/gtest.h>
#include <poll.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/seal.h"
#include "core/datagram/socket_port.h"
#include "core/ip/address.h"
#include "core/ip/progress_thread.h"
#include "core/ip/socket.h"

namespace gasnet::udp {
namespace {

constexpr uint8_t kPing = am::kFirstClientHandler;
constexpr int kPatience = 30'000;  // ms, after which a test fails

int pings = 0;
void OnPing(void*) { ++pings; }

// A rank that runs in this process. Each test uses two.
struct Process {
  Process(UniqueFd socket, const std::vector<ip::Address>& addresses, Rank me)
      : port(std::move(socket), addresses, {}),
        endpoint(port, {{.me = me, .ranks = 2}}, datagram::Seal({})),
        thread(ip::ProgressThread::WorkOf(endpoint)) {
    dispatcher.handlers().RegisterClient(
        kPing, reinterpret_cast<am::AnyHandler>(&OnPing));
  }

  am::Post Ping(Rank peer) {
    return endpoint.Send(peer, am::Lane::kRequest, {.handler = kPing});
  }
  unsigned Poll() {
    const unsigned handled = endpoint.Poll(am::Lanes::kAll, dispatcher);
    endpoint.ServeTimers();
    return handled;
  }
  // Waits until a datagram has arrived. Returns false if none arrives in time.
  bool Readable() const {
    pollfd readable = {port.fd(), POLLIN, 0};
    return poll(&readable, 1, kPatience) == 1;
  }
  // Drops a datagram that has arrived.
  void Lose() {
    ASSERT_TRUE(Readable());
    datagram::Batch* const batch = port.Receive();
    ASSERT_NE(batch, nullptr);
    port.Release(batch);
  }

  datagram::SocketPort port;
  datagram::DatagramEndpoint endpoint;
  am::Dispatcher dispatcher;
  ip::ProgressThread thread;
};

class ComputingTest : public ::testing::Test {
 protected:
  ComputingTest() {
    pings = 0;
    std::vector<ip::Address> addresses(2, *ip::Address::Parse("127.0.0.1"));
    std::vector<UniqueFd> sockets;
    for (ip::Address& address : addresses) {
      sockets.push_back(*ip::OpenUdpSocket(address));
    }
    for (Rank me = 0; me < 2; ++me) {
      ranks_.push_back(
          std::make_unique<Process>(std::move(sockets[me]), addresses, me));
    }
  }
  Process& computes() { return *ranks_[0]; }
  Process& other() { return *ranks_[1]; }

 private:
  std::vector<std::unique_ptr<Process>> ranks_;
};

TEST_F(ComputingTest, SendsAgainWhatWasLost) {
  ASSERT_TRUE(computes().thread.Start().ok());
  // Runs two rounds. Between them the progress thread has nothing to do and
  // sleeps.
  for (int round = 1; round <= 2; ++round) {
    ASSERT_EQ(computes().Ping(1), am::Post::kDone);
    computes().thread.Wake();
    other().Lose();
    while (pings < round) {
      ASSERT_TRUE(other().Readable());
      other().Poll();
    }
    // Polls for the computing rank too, so that it receives the
    // acknowledgements.
    while (!computes().endpoint.Quiet()) {
      other().Poll();
      computes().Poll();
    }
  }
  EXPECT_GE(computes().endpoint.statistics().retransmissions, 2u);
}

TEST_F(ComputingTest, Acknowledges) {
  ASSERT_TRUE(computes().thread.Start().ok());
  ASSERT_EQ(other().Ping(0), am::Post::kDone);
  ASSERT_TRUE(computes().Readable());
  while (pings == 0) computes().Poll();
  computes().thread.Wake();
  while (!other().endpoint.Quiet()) {
    ASSERT_TRUE(other().Readable());
    other().Poll();
    other().Poll();  // receives the acknowledgement
  }
  // Quiet() takes the lock that the progress thread holds while it sends. So
  // the statistics read below count the datagrams that the thread has sent.
  EXPECT_TRUE(computes().endpoint.Quiet());
  EXPECT_EQ(computes().endpoint.statistics().acks_sent, 1u);
}

TEST_F(ComputingTest, RunsNoHandler) {
  ASSERT_TRUE(computes().thread.Start().ok());
  ASSERT_EQ(computes().Ping(1), am::Post::kDone);
  computes().thread.Wake();
  ASSERT_EQ(other().Ping(0), am::Post::kDone);
  other().Lose();
  // The datagram shows that the progress thread has run: the thread has sent
  // its own message again.
  ASSERT_TRUE(other().Readable());
  EXPECT_EQ(pings, 0);
  ASSERT_TRUE(computes().Readable());
  computes().Poll();
  EXPECT_EQ(pings, 1);
}

}  // namespace
}  // namespace gasnet::udp
