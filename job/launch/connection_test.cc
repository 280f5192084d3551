#include "job/launch/connection.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/syscall.h"
#include "gtest/gtest.h"
#include "job/statistics/rank_statistics.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

using State = Connection::State;

constexpr int64_t kPatience = 100;

class ConnectionTest : public ::testing::Test, public Connection::Listener {
 protected:
  ConnectionTest() { Connect(kNever); }

  void Connect(int64_t patience_begins) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    peer_.Reset(ends[1]);
    connection_ = std::make_unique<Connection>(
        UniqueFd(ends[0]), secret_, kPatience, patience_begins, *this);
  }

  std::string HelloWith(std::string_view proof) {
    return EncodeHello({.proof = proof, .rank = 3, .pid = 1, .config = "c"});
  }
  std::string GoodHello() { return HelloWith(secret_.proof()); }

  void Say(std::string_view bytes, int64_t now = 0) {
    ASSERT_TRUE(WriteFull(peer_.get(), bytes.data(), bytes.size()));
    connection_->Readable(now);
  }

  bool OnHello(const Hello& hello) override {
    heard_ += "hello " + std::to_string(hello.rank) + ";";
    return is_welcome_;
  }
  void OnGather(const GatherPart& part) override {
    heard_ += "gather " + std::string(part.bytes) + ";";
  }
  void OnStatistics(const RankStatistics& statistics) override {
    heard_ += "statistics of " + std::to_string(statistics.elapsed) + ";";
  }
  void OnExit(int code) override {
    heard_ += "exit " + std::to_string(code) + ";";
  }
  void OnClosed(const std::string& why) override {
    heard_ += "closed " + why + ";";
  }

  void ExpectDropped(const std::string& why) {
    EXPECT_EQ(connection_->state(), State::kClosed);
    EXPECT_EQ(heard_, "closed " + why + ";");
    char byte;
    EXPECT_LE(recv(peer_.get(), &byte, 1, 0), 0) << "the peer sees it";
  }

  const Secret secret_ = *Secret::Generate();
  bool is_welcome_ = true;
  std::string heard_;
  UniqueFd peer_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(ConnectionTest, JoinsTalksAndCloses) {
  EXPECT_EQ(connection_->state(), State::kSilent);
  Say(GoodHello());
  EXPECT_EQ(connection_->state(), State::kJoined);
  const ExitFrame exit = EncodeExit(4);
  Say(EncodeGather(FrameType::kGather, {0, "part"}));
  Say({exit.data(), exit.size()});
  peer_.Reset();
  connection_->Readable(0);
  EXPECT_EQ(heard_, "hello 3;gather part;exit 4;closed ;");
}

TEST_F(ConnectionTest, TakesStatisticsOfAnySize) {
  RankStatistics statistics = {.elapsed = 7};
  Say(GoodHello());
  Say(EncodeFrame(FrameType::kStatistics, Encode(statistics)));
  for (uint32_t peer = 0; peer < kMaxNodes; ++peer) {
    statistics.peers.push_back({.peer = peer, .operations = 1});
  }
  const std::string encoded = Encode(statistics);
  EXPECT_GT(encoded.size(), kMaxStatisticsBytes - 100);
  const std::string frame = EncodeFrame(FrameType::kStatistics, encoded);
  for (size_t sent = 0; sent < frame.size(); sent += 4096) {
    Say(std::string_view(frame).substr(sent, 4096));
  }
  EXPECT_EQ(heard_, "hello 3;statistics of 7;statistics of 7;");
}

TEST_F(ConnectionTest, DropsStatisticsBeforeHello) {
  Say(EncodeFrame(FrameType::kStatistics, Encode({})));
  ExpectDropped("it sent something that is not the control protocol");
}

TEST_F(ConnectionTest, DropsStatisticsThatAreMalformed) {
  Say(GoodHello());
  Say(EncodeFrame(FrameType::kStatistics, Encode({}) + "x"));
  EXPECT_EQ(heard_, "hello 3;closed it sent a malformed frame;");
}

TEST_F(ConnectionTest, DropsStatisticsThatAreTooLongAsSoonAsTheyAreAnnounced) {
  Say(GoodHello());
  const FrameHeader header =
      EncodeFrameHeader(FrameType::kStatistics, kMaxStatisticsBytes + 1);
  Say({header.data(), header.size()});
  EXPECT_EQ(heard_,
            "hello 3;closed it sent something that is not the control "
            "protocol;");
}

TEST_F(ConnectionTest, EverythingMayComeAtOnceOrByteByByte) {
  const ExitFrame exit = EncodeExit(0);
  const std::string all = GoodHello() +
                          EncodeGather(FrameType::kGather, {0, "x"}) +
                          std::string(exit.data(), exit.size());
  Say(all);
  const std::string at_once = std::exchange(heard_, "");
  Connect(kNever);
  for (const char byte : all) Say({&byte, 1});
  EXPECT_EQ(heard_, at_once);
}

TEST_F(ConnectionTest, DropsGarbage) {
  Say("GET / HTTP/1.1\r\n\r\n");
  ExpectDropped("it sent something that is not the control protocol");
}

TEST_F(ConnectionTest, DropsAWrongSecret) {
  std::string wrong(secret_.proof());
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  Say(HelloWith(wrong));
  ExpectDropped("its secret is wrong");
}

TEST_F(ConnectionTest, DropsAnotherVersionAndNamesBoth) {
  Say(EncodeHello({.version = 9, .proof = secret_.proof()}));
  ExpectDropped(
      "it speaks version 9 of the control protocol, the launcher version " +
      std::to_string(kProtocolVersion));
}

// A peer without the secret does not learn the version.
TEST_F(ConnectionTest, WrongSecretComesFirst) {
  Say(EncodeHello({.version = 9, .proof = "0123456789abcdef"}));
  ExpectDropped("its secret is wrong");
}

TEST_F(ConnectionTest, DropsOtherFramesBeforeHello) {
  const ExitFrame exit = EncodeExit(0);
  Say({exit.data(), exit.size()});
  ExpectDropped("it sent something that is not the control protocol");
}

TEST_F(ConnectionTest, DropsALongHelloAsSoonAsItIsAnnounced) {
  const FrameHeader header = EncodeFrameHeader(FrameType::kHello, 1 << 20);
  Say({header.data(), header.size()});
  ExpectDropped("it sent something that is not the control protocol");
}

// After a wrong secret nothing more is read, whatever length was announced.
TEST_F(ConnectionTest, ReadsNothingBehindAWrongSecret) {
  const UniqueFd same_stream(dup(connection_->fd()));
  std::string wrong = HelloWith("0123456789abcdef");
  const size_t first = ProvenReader::kFirstBytes;
  ASSERT_GT(wrong.size(), first);
  Say(wrong.substr(0, first - 1));
  EXPECT_EQ(connection_->state(), State::kGreeting);
  wrong.append(5000, 'x');
  Say(std::string_view(wrong).substr(first - 1));
  EXPECT_EQ(heard_, "closed its secret is wrong;");
  int unread = 0;
  ASSERT_EQ(ioctl(same_stream.get(), FIONREAD, &unread), 0);
  EXPECT_EQ(static_cast<size_t>(unread), wrong.size() - first);
}

TEST_F(ConnectionTest, DropsAHelloThatIsTooShortForASecret) {
  Say(EncodeFrame(FrameType::kHello, "short"));
  ExpectDropped("it sent something that is not the control protocol");
}

TEST_F(ConnectionTest, DropsARankThatIsNotExpected) {
  is_welcome_ = false;
  Say(GoodHello());
  EXPECT_EQ(heard_, "hello 3;closed its HELLO is not expected here;");
}

TEST_F(ConnectionTest, DropsASecondHello) {
  Say(GoodHello());
  Say(GoodHello());
  EXPECT_EQ(connection_->state(), State::kClosed);
}

TEST_F(ConnectionTest, AnInheritedChannelMayBeSilentForEver) {
  EXPECT_EQ(connection_->deadline(), kNever);
  connection_->Expire(1'000'000'000);
  EXPECT_EQ(connection_->state(), State::kSilent);
}

TEST_F(ConnectionTest, AHelloThatHasBegunMustComeToItsEnd) {
  Say(GoodHello().substr(0, 5), /*now=*/1000);
  EXPECT_EQ(connection_->state(), State::kGreeting);
  EXPECT_EQ(connection_->deadline(), 1000 + kPatience);
  Say(GoodHello().substr(5, 1), /*now=*/1050);
  EXPECT_EQ(connection_->deadline(), 1000 + kPatience);
  connection_->Expire(1000 + kPatience - 1);
  EXPECT_EQ(connection_->state(), State::kGreeting);
  connection_->Expire(1000 + kPatience);
  ExpectDropped("its HELLO did not arrive in time");
}

TEST_F(ConnectionTest, AStrangerHasLittleTime) {
  Connect(/*patience_begins=*/500);
  EXPECT_EQ(connection_->deadline(), 500 + kPatience);
  connection_->Expire(500 + kPatience);
  ExpectDropped("its HELLO did not arrive in time");
}

TEST_F(ConnectionTest, EndInTheMiddleOfAFrameIsNotOrderly) {
  Say(GoodHello().substr(0, 12));
  peer_.Reset();
  connection_->Readable(0);
  EXPECT_EQ(heard_, "closed it ended in a frame;");
}

TEST_F(ConnectionTest, WhatThePeerDoesNotTakeWaits) {
  const auto big = std::make_shared<const std::string>(8 << 20, 'x');
  connection_->Send(big);
  connection_->Send(std::make_shared<const std::string>("end"));
  ASSERT_TRUE(connection_->WantsWrite());
  std::string received(big->size() + 3, '\0');
  for (size_t got = 0; got < received.size();) {
    const ssize_t n =
        recv(peer_.get(), received.data() + got, received.size() - got, 0);
    ASSERT_GT(n, 0);
    got += static_cast<size_t>(n);
    connection_->Writable();
  }
  EXPECT_FALSE(connection_->WantsWrite());
  EXPECT_EQ(received, *big + "end");
}

TEST_F(ConnectionTest, SendingToAPeerThatIsGoneDoesNothing) {
  peer_.Reset();
  connection_->Send(std::make_shared<const std::string>("x"));
  EXPECT_FALSE(connection_->WantsWrite());
  connection_->Readable(0);
  connection_->Send(std::make_shared<const std::string>("x"));
  EXPECT_EQ(connection_->state(), State::kClosed);
}

}  // namespace
}  // namespace gasnet::job
