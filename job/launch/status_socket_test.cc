// Tests of the status socket, with clients in this process.
#include "job/launch/status_socket.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"
#include "job/status/status_socket_name.h"

namespace gasnet::job {
namespace {

class StatusSocketTest : public testing::Test {
 protected:
  struct Asked {
    uint64_t client;
    bool as_json;
  };

  StatusSocketTest() { EXPECT_TRUE(socket_.Listen()); }

  static UniqueFd Connect() {
    UniqueFd client(
        ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const StatusSocketAddress address(StatusSocketName(geteuid(), getpid()));
    EXPECT_EQ(connect(client.get(), address.get(), address.size), 0);
    return client;
  }
  static void Send(const UniqueFd& client, std::string_view request) {
    EXPECT_EQ(send(client.get(), request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
  }
  // Serves all requests that have arrived.
  void Serve() {
    for (int i = 0; i < 8; ++i) loop_.Wait(0);
  }

  // Reads the available bytes. Returns true at the end of the connection.
  static bool ReadSome(const UniqueFd& client, std::string& text) {
    char bytes[4096];
    for (;;) {
      const ssize_t got = recv(client.get(), bytes, sizeof bytes, 0);
      if (got <= 0) return got == 0 || errno != EAGAIN;
      text.append(bytes, static_cast<size_t>(got));
    }
  }
  // Returns all bytes that the client receives until its connection is closed.
  std::string ReadAll(const UniqueFd& client) {
    std::string text;
    while (!ReadSome(client, text)) loop_.Wait(0);
    return text;
  }
  // Returns true if the connection is open and has no bytes to read.
  static bool IsWaiting(const UniqueFd& client) {
    std::string text;
    return !ReadSome(client, text) && text.empty();
  }

  EventLoop loop_;
  std::vector<Asked> asked_;
  StatusSocket socket_{loop_, [this](uint64_t client, bool as_json) {
                         asked_.push_back({client, as_json});
                       }};
};

TEST_F(StatusSocketTest, AnswersInTextOrJsonAndCloses) {
  for (const bool as_json : {false, true}) {
    asked_.clear();
    const UniqueFd client = Connect();
    Send(client, as_json ? kStatusAsJson : kStatusAsText);
    Serve();
    ASSERT_EQ(asked_.size(), 1u);
    EXPECT_EQ(asked_[0].as_json, as_json);
    EXPECT_TRUE(IsWaiting(client));
    socket_.Answer(asked_[0].client, "all is well\n");
    EXPECT_EQ(ReadAll(client), "all is well\n");
  }
}

TEST_F(StatusSocketTest, OtherRequestsAreDropped) {
  for (const char* request :
       {"tex", "texts", "text\n", "TEXT", "jso", "json ", "jsonjson", "x",
        "a request that is longer than any"}) {
    const UniqueFd client = Connect();
    Send(client, request);
    EXPECT_EQ(ReadAll(client), "") << request;
  }
  EXPECT_TRUE(asked_.empty());
}

TEST_F(StatusSocketTest, AClientAsksOnce) {
  const UniqueFd client = Connect();
  Send(client, "text");
  Serve();
  Send(client, "text");
  EXPECT_EQ(ReadAll(client), "");
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(StatusSocketTest, AClientThatLeavesEarlyIsForgotten) {
  Connect();
  Serve();
  {
    const UniqueFd client = Connect();
    Send(client, "text");
    Serve();
  }
  // The answer may come before or after the socket notices that the client has
  // left.
  ASSERT_EQ(asked_.size(), 1u);
  socket_.Answer(asked_[0].client, "too late");
  Serve();
  socket_.Answer(asked_[0].client, "far too late");
  Serve();
  {
    const UniqueFd client = Connect();
    Send(client, "json");
    Serve();
  }
  ASSERT_EQ(asked_.size(), 2u);
  Serve();
  socket_.Answer(asked_[1].client, "too late");
  const UniqueFd client = Connect();
  Send(client, "text");
  Serve();
  ASSERT_EQ(asked_.size(), 3u);
  socket_.Answer(asked_[2].client, "in time");
  EXPECT_EQ(ReadAll(client), "in time");
}

TEST_F(StatusSocketTest, AClientThatLeavesInTheMiddleOfItsAnswerIsForgotten) {
  {
    const UniqueFd client = Connect();
    Send(client, "text");
    Serve();
    ASSERT_EQ(asked_.size(), 1u);
    socket_.Answer(asked_[0].client, std::string(1 << 20, 'x'));
    Serve();
    EXPECT_FALSE(IsWaiting(client));
  }
  Serve();
  const UniqueFd client = Connect();
  Send(client, "text");
  Serve();
  ASSERT_EQ(asked_.size(), 2u);
  socket_.Answer(asked_[1].client, "next");
  EXPECT_EQ(ReadAll(client), "next");
}

TEST_F(StatusSocketTest, ALargeAnswerArrivesWhole) {
  std::string large;
  while (large.size() < 1 << 20) large += std::to_string(large.size()) + "\n";
  const UniqueFd client = Connect();
  Send(client, "json");
  Serve();
  ASSERT_EQ(asked_.size(), 1u);
  socket_.Answer(asked_[0].client, large);
  EXPECT_TRUE(ReadAll(client) == large);
}

TEST_F(StatusSocketTest, ClientsGetTheirOwnAnswersInAnyOrder) {
  // The kernel queues few connections that are not yet accepted.
  constexpr size_t kClients = 8;
  std::vector<UniqueFd> clients;
  for (size_t i = 0; i < kClients; ++i) {
    clients.push_back(Connect());
    Send(clients.back(), "text");
    Serve();
  }
  ASSERT_EQ(asked_.size(), kClients);
  std::vector<uint64_t> names;
  for (const Asked& asked : asked_) names.push_back(asked.client);
  std::reverse(asked_.begin(), asked_.end());
  for (const Asked& asked : asked_) {
    socket_.Answer(asked.client, std::to_string(asked.client));
  }
  for (size_t i = 0; i < kClients; ++i) {
    EXPECT_EQ(ReadAll(clients[i]), std::to_string(names[i]));
  }
}

TEST_F(StatusSocketTest, TooManyAtOnceAreTurnedAway) {
  std::vector<UniqueFd> clients;
  size_t open = 0;
  for (int i = 0; i < 40; ++i) {
    clients.push_back(Connect());
    Serve();
    if (IsWaiting(clients.back())) ++open;
  }
  EXPECT_GE(open, 8u);
  EXPECT_LT(open, 40u);
  clients.clear();
  Serve();
  Serve();
  Serve();
  const UniqueFd client = Connect();
  Send(client, "text");
  Serve();
  ASSERT_EQ(asked_.size(), 1u);
  socket_.Answer(asked_[0].client, "there is room again");
  EXPECT_EQ(ReadAll(client), "there is room again");
}

TEST_F(StatusSocketTest, ANameIsTakenOnce) {
  StatusSocket second(loop_, [](uint64_t, bool) {});
  EXPECT_FALSE(second.Listen());
}

TEST(StatusSocketLife, ItsEndEndsAllConnectionsAndFreesTheName) {
  EventLoop loop;
  for (int life = 0; life < 2; ++life) {
    auto socket = std::make_unique<StatusSocket>(loop, [](uint64_t, bool) {});
    ASSERT_TRUE(socket->Listen());
    const UniqueFd client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const StatusSocketAddress address(StatusSocketName(geteuid(), getpid()));
    ASSERT_EQ(connect(client.get(), address.get(), address.size), 0);
    loop.Wait(kNever);
    socket.reset();
    char byte;
    EXPECT_EQ(recv(client.get(), &byte, 1, 0), 0);
    loop.Wait(0);
  }
}

}  // namespace
}  // namespace gasnet::job
