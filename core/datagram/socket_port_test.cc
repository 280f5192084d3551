#include "core/datagram/socket_port.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/forked.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"

namespace gasnet::datagram {
namespace {

using Bytes = std::vector<std::byte>;

Bytes Filled(size_t size, unsigned seed) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(seed * 31 + i * 7);
  }
  return bytes;
}

// Two ports of one host that know each other, for each address family, with and
// without offloads.
class SocketPortTest
    : public ::testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  void SetUp() override {
    std::vector<ip::Address> addresses(
        2, *ip::Address::Parse(std::get<0>(GetParam())));
    std::vector<UniqueFd> sockets;
    for (ip::Address& address : addresses) {
      auto socket = ip::OpenUdpSocket(address);
      if (!socket.ok()) GTEST_SKIP() << socket.status().message();
      sockets.push_back(*std::move(socket));
    }
    for (Rank rank = 0; rank < 2; ++rank) {
      ports_.push_back(std::make_unique<SocketPort>(
          std::move(sockets[rank]), addresses,
          SocketPort::Options{.offload = std::get<1>(GetParam())}));
    }
  }

  // Sends all datagrams from port 0 to port 1, and returns those that arrive.
  std::vector<Bytes> Transfer(const std::vector<Bytes>& sent) {
    std::vector<datagram::Outgoing> views;
    for (const auto& bytes : sent) views.push_back({bytes});
    size_t taken = 0;
    std::vector<Bytes> got;
    while (got.size() < sent.size()) {
      taken += ports_[0]->Send(1, std::span(views).subspan(taken));
      Take(got);
    }
    return got;
  }

  // Waits until a datagram arrives at port 1, and takes it.
  void Take(std::vector<Bytes>& got) {
    pollfd readable = {ports_[1]->fd(), POLLIN, 0};
    ASSERT_EQ(poll(&readable, 1, 10'000), 1);
    Batch* const batch = ports_[1]->Receive();
    ASSERT_NE(batch, nullptr);
    for (const std::span<std::byte> datagram : batch->datagrams()) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(datagram.data()) % 16, 0u);
      got.emplace_back(datagram.begin(), datagram.end());
    }
    ports_[1]->Release(batch);
  }

  std::vector<std::unique_ptr<SocketPort>> ports_;
};

TEST_P(SocketPortTest, NothingArrivesWhereNothingIsSent) {
  EXPECT_EQ(ports_[1]->Receive(), nullptr);
}

TEST_P(SocketPortTest, CarriesOneDatagram) {
  const std::vector<Bytes> sent = {Filled(100, 1)};
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, CarriesAnEmptyDatagramAsOne) {
  const std::vector<Bytes> sent = {Bytes(), Filled(8, 2)};
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, CarriesManyAtOnce) {
  std::vector<Bytes> sent;
  for (unsigned i = 0; i < 200; ++i) sent.push_back(Filled(1472, i));
  sent.push_back(Filled(300, 200));
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, CarriesDifferentSizesInOneCall) {
  std::vector<Bytes> sent;
  for (const size_t size : {16, 1472, 1472, 33, 1472, 1, 0, 64, 64, 64, 65}) {
    sent.push_back(Filled(size, static_cast<unsigned>(sent.size())));
  }
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, CarriesManyOfALengthThatIsNotAligned) {
  std::vector<Bytes> sent;
  for (unsigned i = 0; i < 100; ++i) sent.push_back(Filled(1000 + i / 50, i));
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, KnowsWhatAFullSocketLost) {
  const int little = 1;
  setsockopt(ports_[1]->fd(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
  EXPECT_EQ(ports_[1]->Lost(), 0u);
  const Bytes bytes = Filled(1472, 1);
  const datagram::Outgoing one = {bytes};
  constexpr unsigned kSent = 20;
  for (unsigned i = 0; i < kSent; ++i) {
    ASSERT_EQ(ports_[0]->Send(1, {&one, 1}), 1u);
  }
  std::vector<Bytes> got;
  const int64_t give_up = ports_[1]->Now() + 10 * kNanosPerSecond;
  while (got.size() + ports_[1]->Lost() < kSent && ports_[1]->Now() < give_up) {
    Batch* const batch = ports_[1]->Receive();
    if (batch == nullptr) continue;
    got.insert(got.end(), batch->datagrams().size(), bytes);
    ports_[1]->Release(batch);
  }
  EXPECT_GT(ports_[1]->Lost(), 0u);
  EXPECT_EQ(got.size() + ports_[1]->Lost(), kSent);
}

// Turns checksums off, to simulate a kernel or device that cannot split
// datagrams.
TEST_P(SocketPortTest, CarriesManyWhereTheKernelDoesNotCut) {
  const int on = 1;
  ASSERT_EQ(
      setsockopt(ports_[0]->fd(), SOL_SOCKET, SO_NO_CHECK, &on, sizeof on), 0);
  std::vector<Bytes> sent;
  for (unsigned i = 0; i < 200; ++i) sent.push_back(Filled(1472, i));
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, CarriesWhatIsInTwoPlaces) {
  std::vector<Bytes> sent;
  std::vector<datagram::Outgoing> views;
  for (unsigned i = 0; i < 20; ++i) sent.push_back(Filled(1472, i));
  for (const std::span<const std::byte> bytes : sent) {
    views.push_back({bytes.first(96), bytes.subspan(96)});
  }
  EXPECT_EQ(ports_[0]->Send(1, views), views.size());
  std::vector<Bytes> got;
  while (got.size() < sent.size()) Take(got);
  EXPECT_EQ(got, sent);
}

TEST_P(SocketPortTest, CarriesTheLargest) {
  const std::vector<Bytes> sent = {Filled(60'000, 1), Filled(60'000, 2)};
  EXPECT_EQ(Transfer(sent), sent);
}

TEST_P(SocketPortTest, BatchesStayWhileOthersArrive) {
  const Bytes first = Filled(40, 1);
  const Bytes second = Filled(50, 2);
  const std::span<const std::byte> views[] = {first, second};
  std::vector<Batch*> batches;
  for (const auto& view : views) {
    const datagram::Outgoing datagram{view};
    ASSERT_EQ(ports_[0]->Send(1, {&datagram, 1}), 1u);
    pollfd readable = {ports_[1]->fd(), POLLIN, 0};
    ASSERT_EQ(poll(&readable, 1, 10'000), 1);
    batches.push_back(ports_[1]->Receive());
    ASSERT_NE(batches.back(), nullptr);
  }
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(batches[i]->datagrams().size(), 1u);
    EXPECT_TRUE(std::ranges::equal(batches[i]->datagrams()[0], views[i]));
    ports_[1]->Release(batches[i]);
  }
}

// Only the datagram that cannot be delivered is lost.
TEST_P(SocketPortTest, GoesOnAfterAPeerIsGone) {
  const Bytes lost = Filled(100, 1);
  const std::span<const std::byte> view = lost;
  ports_[1].reset();
  const datagram::Outgoing datagram{view};
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(ports_[0]->Send(1, {&datagram, 1}), 1u);
  EXPECT_EQ(ports_[0]->Send(0, {&datagram, 1}), 1u);
  pollfd readable = {ports_[0]->fd(), POLLIN, 0};
  ASSERT_EQ(poll(&readable, 1, 10'000), 1);
  Batch* const batch = ports_[0]->Receive();
  ASSERT_NE(batch, nullptr);
  EXPECT_TRUE(std::ranges::equal(batch->datagrams()[0], view));
  ports_[0]->Release(batch);
}

// No datagram of the child arrives, no matter how the child was forked. The
// parent still receives the datagrams that have arrived.
TEST_P(SocketPortTest, IsDeadInAChildThatWasForked) {
  const Bytes bytes = Filled(100, 1);
  const std::vector<datagram::Outgoing> of_parent = {{bytes}};
  const Bytes other = Filled(200, 2);
  const std::vector<datagram::Outgoing> of_child(3, {other});
  BeginForkWatch();
  const auto bare_fork = [] {
    return static_cast<pid_t>(
        syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  };
  for (const bool bare : {false, true}) {
    ASSERT_EQ(ports_[0]->Send(1, of_parent), 1u);
    pollfd readable = {ports_[1]->fd(), POLLIN, 0};
    ASSERT_EQ(poll(&readable, 1, 10'000), 1);
    const pid_t child = bare ? bare_fork() : fork();
    if (child == 0) {
      const bool lost = ports_[0]->Send(1, of_child) == of_child.size() &&
                        ports_[0]->Send(1, std::span(of_child).first(1)) == 1;
      const bool blind = ports_[1]->Receive() == nullptr &&
                         ports_[1]->ReceiveSpare() == nullptr;
      _exit(lost && blind ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    std::vector<Bytes> got;
    Take(got);
    EXPECT_EQ(got, std::vector<Bytes>{bytes});
    EXPECT_EQ(ports_[1]->Receive(), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, SocketPortTest,
    ::testing::Combine(::testing::Values("127.0.0.1", "::1"),
                       ::testing::Bool()),
    [](const auto& parameters) {
      const bool v4 = std::string(std::get<0>(parameters.param)) == "127.0.0.1";
      return std::string(v4 ? "V4" : "V6") +
             (std::get<1>(parameters.param) ? "Offload" : "Plain");
    });

}  // namespace
}  // namespace gasnet::datagram
