// Tests of a rank whose client computes, and that a thread of the network
// serves (GASNET_UDP_PROGRESS). The tests call the functions of this thread
// themselves.
#include <gtest/gtest.h>
#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/am/dispatcher.h"
#include "core/am/unattended.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/seal.h"
#include "core/datagram/socket_port.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"

namespace gasnet::udp {
namespace {

constexpr uint8_t kAdd = 1;    // a request of the library's, also unattended
constexpr uint8_t kAdded = 2;  // its reply
constexpr uint8_t kRead = 3;   // likewise, with a large reply
constexpr uint8_t kDone = 4;   // its reply
constexpr size_t kReadBytes = 1000;
constexpr uint8_t kClient = am::kFirstClientHandler;
using Attendance = datagram::DatagramEndpoint::Attendance;
constexpr int kPatience = 30'000;  // ms, after which a test fails

int added = 0;
int unattended = 0;
int replies = 0;
int client_requests = 0;
datagram::DatagramEndpoint* target = nullptr;

void OnAdd(void* token, int32_t value) {
  added += value;
  ASSERT_EQ(target->Send(static_cast<am::Token*>(token)->source,
                         am::Lane::kReply, {.handler = kAdded}),
            am::Post::kDone);
}
void OnAddUnattended(void* token, int32_t value) {
  added += value;
  ++unattended;
  static_cast<am::UnattendedToken*>(static_cast<am::Token*>(token))
      ->TryReply({.handler = kAdded});
}
void OnAdded(void*) { ++replies; }
// Each test of this request serves it unattended.
void OnRead(void*) { ADD_FAILURE() << "a client's thread has served a read"; }
void OnReadUnattended(void* token) {
  static const std::vector<std::byte> data(kReadBytes);
  static_cast<am::UnattendedToken*>(static_cast<am::Token*>(token))
      ->TryReply({.category = am::Category::kMedium,
                  .handler = kDone,
                  .payload = data.data(),
                  .nbytes = kReadBytes});
}
void OnDone(void*, void*, size_t nbytes) {
  EXPECT_EQ(nbytes, kReadBytes);
  ++replies;
}
void OnClient(void*, void*, size_t) { ++client_requests; }

// A rank that runs in this process. Each test uses two.
struct Side {
  Side(UniqueFd socket, const std::vector<ip::Address>& addresses, Rank me,
       size_t kept_bytes, unsigned depth)
      : port(std::move(socket), addresses, {}),
        endpoint(port, OptionsOf(me, kept_bytes, depth), datagram::Seal({})) {
    am::HandlerTable& table = dispatcher.handlers();
    table.RegisterInternal(kAdd, am::Lane::kRequest, &OnAdd);
    table.RegisterUnattended(kAdd, &OnAddUnattended);
    table.RegisterInternal(kAdded, am::Lane::kReply, &OnAdded);
    table.RegisterInternal(kRead, am::Lane::kRequest, &OnRead);
    table.RegisterUnattended(kRead, &OnReadUnattended);
    table.RegisterInternal(kDone, am::Lane::kReply, am::Category::kMedium,
                           &OnDone);
    table.RegisterClient(kClient, reinterpret_cast<am::AnyHandler>(&OnClient));
  }
  static datagram::DatagramOptions OptionsOf(Rank me, size_t kept_bytes,
                                             unsigned depth) {
    datagram::DatagramOptions options;
    options.me = me;
    options.ranks = 2;
    options.kept_bytes = kept_bytes;
    options.depth = depth;
    return options;
  }

  am::Post Add(int32_t value) {
    return endpoint.Send(1, am::Lane::kRequest,
                         {.handler = kAdd, .num_args = 1, .args = &value});
  }
  am::Post AskClient(size_t nbytes) {
    const std::vector<std::byte> payload(nbytes);
    return endpoint.Send(1, am::Lane::kRequest,
                         {.category = am::Category::kMedium,
                          .handler = kClient,
                          .payload = payload.data(),
                          .nbytes = nbytes});
  }
  am::Post Read() {
    return endpoint.Send(1, am::Lane::kRequest, {.handler = kRead});
  }
  void Poll(am::Lanes lanes = am::Lanes::kAll) {
    endpoint.Poll(lanes, dispatcher);
    endpoint.ServeTimers();
  }
  bool Readable(int patience = kPatience) const {
    pollfd readable = {port.fd(), POLLIN, 0};
    return poll(&readable, 1, patience) == 1;
  }
  // Does what the network's thread does when a datagram arrives.
  datagram::DatagramEndpoint::Attendance Attend() {
    EXPECT_TRUE(Readable());
    const auto attendance = endpoint.Attend(dispatcher);
    endpoint.Maintain();
    return attendance;
  }

  datagram::SocketPort port;
  datagram::DatagramEndpoint endpoint;
  am::Dispatcher dispatcher;
};

class AttendingTest : public ::testing::Test {
 protected:
  explicit AttendingTest(size_t kept_bytes = size_t{1} << 20,
                         unsigned server_depth = datagram::kWindow) {
    added = unattended = replies = client_requests = 0;
    std::vector<ip::Address> addresses(2, *ip::Address::Parse("127.0.0.1"));
    std::vector<UniqueFd> sockets;
    for (ip::Address& address : addresses) {
      sockets.push_back(*ip::OpenUdpSocket(address));
    }
    for (Rank me = 0; me < 2; ++me) {
      sides_.push_back(std::make_unique<Side>(
          std::move(sockets[me]), addresses, me, kept_bytes,
          me == 1 ? server_depth : datagram::kWindow));
    }
    target = &computes().endpoint;
  }
  Side& client() { return *sides_[0]; }
  Side& computes() { return *sides_[1]; }

 private:
  std::vector<std::unique_ptr<Side>> sides_;
};

TEST_F(AttendingTest, ServesRequestsOfTheLibrary) {
  ASSERT_EQ(client().Add(5), am::Post::kDone);
  EXPECT_EQ(computes().Attend(), Attendance::kReceived);
  EXPECT_EQ(added, 5);
  EXPECT_EQ(unattended, 1);
  while (replies == 0) {
    ASSERT_TRUE(client().Readable());
    client().Poll();
  }
  EXPECT_EQ(computes().endpoint.statistics().unattended, 1u);
}

TEST_F(AttendingTest, LeavesAllOtherMessagesToThePolls) {
  ASSERT_EQ(client().AskClient(100), am::Post::kDone);
  EXPECT_EQ(computes().Attend(), Attendance::kReceived);
  EXPECT_EQ(client_requests, 0);
  computes().Poll();
  EXPECT_EQ(client_requests, 1);
  computes().Poll();
  EXPECT_EQ(client_requests, 1);
}

TEST_F(AttendingTest, LeavesRepliesToThePolls) {
  ASSERT_EQ(client().Add(1), am::Post::kDone);
  computes().Attend();
  EXPECT_EQ(client().Attend(), Attendance::kReceived);
  EXPECT_EQ(replies, 0);
  client().Poll();
  EXPECT_EQ(replies, 1);
}

// The messages of one packet part ways.
TEST_F(AttendingTest, ServesSomeMessagesOfAPacket) {
  constexpr int kEach = 200;
  for (int i = 0; i < kEach; ++i) {
    ASSERT_EQ(client().AskClient(10), am::Post::kDone);
    ASSERT_EQ(client().Add(1), am::Post::kDone);
  }
  while (added < kEach) {
    client().endpoint.Maintain();
    computes().Attend();
    client().Poll();
  }
  EXPECT_EQ(client_requests, 0);
  while (client_requests < kEach) computes().Poll();
  EXPECT_EQ(added, kEach);
  EXPECT_EQ(unattended, kEach);
  EXPECT_EQ(client_requests, kEach);
}

TEST_F(AttendingTest, CountsPollsOfTheClientAlone) {
  const uint32_t before = computes().endpoint.polls();
  ASSERT_EQ(client().Add(1), am::Post::kDone);
  computes().Attend();
  EXPECT_EQ(computes().endpoint.polls(), before);
  computes().Poll();
  EXPECT_EQ(computes().endpoint.polls(), before + 1);
}

class FullAttendingTest : public AttendingTest {
 protected:
  FullAttendingTest() : AttendingTest(1000) {}
};

TEST_F(FullAttendingTest, StopsUntilAPollHasHandledWhatIsParked) {
  ASSERT_EQ(client().AskClient(1000), am::Post::kDone);
  EXPECT_TRUE(computes().endpoint.MayAttend());
  EXPECT_EQ(computes().Attend(), Attendance::kReceived);
  EXPECT_FALSE(computes().endpoint.MayAttend());
  ASSERT_EQ(client().Add(1), am::Post::kDone);
  client().endpoint.Maintain();
  EXPECT_EQ(computes().Attend(), Attendance::kNothing);
  EXPECT_EQ(added, 0);
  while (client_requests == 0 || added == 0) computes().Poll();
  EXPECT_TRUE(computes().endpoint.MayAttend());
  EXPECT_EQ(unattended, 0);
}

// The computing side may have one packet in flight, so that replies soon find
// no room.
class NarrowAttendingTest : public AttendingTest {
 protected:
  static constexpr int kReads = 200;

  NarrowAttendingTest() : AttendingTest(size_t{1} << 20, 1) {
    for (int i = 0; i < kReads; ++i)
      EXPECT_EQ(client().Read(), am::Post::kDone);
    client().endpoint.Maintain();
    // Loopback has delivered all requests.
    while (computes().Readable(/*patience=*/0)) computes().Attend();
    EXPECT_TRUE(computes().endpoint.OwesReplies());
    EXPECT_EQ(replies, 0);
  }
  // The client's acknowledgements make room.
  void HaveClientPoll() {
    client().Poll();
    client().endpoint.Maintain();
  }
};

TEST_F(NarrowAttendingTest, AnswersOnceThereIsRoom) {
  while (replies < kReads) {
    HaveClientPoll();
    computes().endpoint.Attend(computes().dispatcher);
    computes().endpoint.Maintain();
  }
  EXPECT_FALSE(computes().endpoint.OwesReplies());
}

// A thread of the client that waits for room to reply polls for replies alone.
TEST_F(NarrowAttendingTest, APollForRepliesAnswersToo) {
  while (replies < kReads) {
    HaveClientPoll();
    computes().Poll(am::Lanes::kReplies);
  }
  EXPECT_FALSE(computes().endpoint.OwesReplies());
}

}  // namespace
}  // namespace gasnet::udp
