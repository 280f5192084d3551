#include "job/managed/enrollment.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/syscall.h"
#include "gtest/gtest.h"
#include "job/launch/own_host.h"
#include "job/managed/head_address.h"

namespace gasnet::job {
namespace {

class EnrollmentTest : public testing::TestWithParam<bool> {
 protected:
  EnrollmentTest()
      : secret_(*Secret::Generate()),
        socket_(*ListenForMembers(secret_, /*is_on_one_host=*/GetParam())) {}

  UniqueFd Connect() {
    auto stream = ConnectToHead(socket_.address, /*patience_millis=*/10000);
    EXPECT_TRUE(stream.ok()) << stream.status();
    return *std::move(stream);
  }

  MemberHello Hello(uint32_t rank) const {
    return {.proof = std::string(secret_.proof()),
            .rank = rank,
            .cpus = {0},
            .host = OwnHostIdentity(),
            .name = "a host",
            .pid = 1,
            .memory_fd = 3};
  }

  // Returns the beginning of a large message, up to and including a wrong
  // proof.
  std::string LargeFirstMessage() const {
    MemberHello hello = Hello(1);
    hello.proof = std::string(Secret::kProofBytes, 'x');
    hello.cpus.assign(60000, 0);
    return EncodeMemberHello(hello).substr(0, ProvenReader::kFirstBytes);
  }

  static void AwaitDropped(const UniqueFd& stream) {
    char byte;
    EXPECT_NE(ReadFull(stream.get(), &byte, 1), 1);
  }

  static void Say(const UniqueFd& stream, const std::string& bytes) {
    EXPECT_TRUE(WriteFull(stream.get(), bytes.data(), bytes.size()));
  }

  Secret secret_;
  HeadSocket socket_;
};

TEST_P(EnrollmentTest, EnrollsEveryMember) {
  std::optional<Roster> roster;
  std::thread head(
      [&] { roster = Enrollment(socket_.listener.get(), secret_, 3).Await(); });
  const UniqueFd two = Connect(), zero = Connect(), one = Connect();
  Say(two, EncodeMemberHello(Hello(2)));
  Say(zero, EncodeMemberHello(Hello(0)));
  const std::string hello = EncodeMemberHello(Hello(1));
  for (const char byte : hello) Say(one, std::string(1, byte));
  head.join();
  ASSERT_TRUE(roster.has_value());
  for (uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ((*roster)[rank].hello.rank, rank);
    EXPECT_EQ((*roster)[rank].hello.name, "a host");
  }
}

TEST_P(EnrollmentTest, StrangersAreDropped) {
  std::optional<Roster> roster;
  std::thread head(
      [&] { roster = Enrollment(socket_.listener.get(), secret_, 2).Await(); });
  MemberHello other_proof = Hello(0), no_rank = Hello(2);
  other_proof.proof = Secret::Generate()->proof();
  const UniqueFd silent = Connect(), zero = Connect();
  Say(zero, EncodeMemberHello(Hello(0)));
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), EncodeMemberHello(other_proof),
        EncodeMemberHello(no_rank), EncodeMemberHello(Hello(1)) + "and more"}) {
    Say(Connect(), bytes);
  }
  Say(Connect(), EncodeMemberHello(Hello(1)).substr(0, 20));
  const UniqueFd one = Connect();
  Say(one, EncodeMemberHello(Hello(1)));
  head.join();
  EXPECT_TRUE(roster.has_value());
}

TEST_P(EnrollmentTest, AllMayConnectBeforeAnySpeaks) {
  constexpr uint32_t kSize = 300;
  std::vector<UniqueFd> members;
  for (uint32_t rank = 0; rank < kSize; ++rank) members.push_back(Connect());
  std::optional<Roster> roster;
  std::thread head([&] {
    roster = Enrollment(socket_.listener.get(), secret_, kSize).Await();
  });
  // The stranger is the last in the queue. Once the stranger is dropped, all
  // connections have been accepted.
  const UniqueFd stranger = Connect();
  Say(stranger, "GET / HTTP/1.1\r\n\r\n");
  AwaitDropped(stranger);
  for (uint32_t rank = 0; rank < kSize; ++rank) {
    Say(members[rank], EncodeMemberHello(Hello(rank)));
  }
  head.join();
  EXPECT_TRUE(roster.has_value());
}

// Large messages without a valid proof must not displace members that have not
// sent anything yet.
TEST_P(EnrollmentTest, LargeMessagesWithoutProofTakeNoPlace) {
  std::optional<Roster> roster;
  std::thread head(
      [&] { roster = Enrollment(socket_.listener.get(), secret_, 1).Await(); });
  const UniqueFd member = Connect();
  // Uses more strangers than the head lets wait at a time.
  std::vector<UniqueFd> strangers;
  for (int i = 0; i < 300; ++i) {
    strangers.push_back(Connect());
    Say(strangers.back(), LargeFirstMessage());
  }
  for (const UniqueFd& stranger : strangers) AwaitDropped(stranger);
  Say(member, EncodeMemberHello(Hello(0)));
  head.join();
  EXPECT_TRUE(roster.has_value());
}

// The head keeps a member that has spoken, no matter how many strangers connect
// at once and how they behave.
TEST_P(EnrollmentTest, AMemberThatHasSpokenIsNeverDropped) {
  constexpr int kStrangers = 270;
  std::vector<UniqueFd> strangers;
  const auto crowd = [&] {
    for (int i = 0; i < kStrangers; ++i) {
      strangers.push_back(Connect());
      if (i % 3 == 1) Say(strangers.back(), LargeFirstMessage());
      if (i % 3 == 2) Say(strangers.back(), LargeFirstMessage().substr(0, 9));
    }
  };
  crowd();
  const UniqueFd member = Connect();
  Say(member, EncodeMemberHello(Hello(0)));
  crowd();
  // All connections are in the listener's queue now.
  const auto roster = Enrollment(socket_.listener.get(), secret_, 1).Await();
  EXPECT_TRUE(roster.has_value());
}

TEST_P(EnrollmentTest, AMemberThatLeavesEndsIt) {
  std::optional<Roster> roster = Roster();
  std::thread head(
      [&] { roster = Enrollment(socket_.listener.get(), secret_, 2).Await(); });
  Say(Connect(), EncodeMemberHello(Hello(1)));
  head.join();
  EXPECT_FALSE(roster.has_value());
}

INSTANTIATE_TEST_SUITE_P(OnOneHostOrSeveral, EnrollmentTest, testing::Bool());

TEST(HeadAddressTest, ReadsWhatItWrites) {
  const HeadAddress address = {.port = 4711,
                               .secret = *Secret::Generate(),
                               .host = "boot-id:42",
                               .addresses = {"127.0.0.1", "2001:db8::1"}};
  const auto read = HeadAddress::FromText(address.ToText());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ToText(), address.ToText());
  EXPECT_EQ(read->secret.bytes(), address.secret.bytes());
}

TEST(HeadAddressTest, RefusesAnythingElseWithoutRepeatingIt) {
  const std::string secret(2 * Secret::kBytes, 'a');
  for (const std::string& bad :
       {std::string(), std::string("1"), "2/1/" + secret + "/h/127.0.0.1",
        "1/0/" + secret + "/h/127.0.0.1", "1/65536/" + secret + "/h/127.0.0.1",
        "1/1/" + secret + "//127.0.0.1", "1/1/" + secret + "/h/",
        "1/1/" + secret + "/h/localhost", "1/1/" + secret + "0/h/127.0.0.1",
        "1/1/g" + secret.substr(1) + "/h/127.0.0.1",
        "1/1/" + secret + "/h/127.0.0.1/more"}) {
    const auto read = HeadAddress::FromText(bad);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(std::string(read.status().message()).find(secret),
              std::string::npos);
  }
}

TEST(OwnHostTest, OpensOnlyNamelessFilesOfThisUser) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const UniqueFd read_end(pipe_ends[0]), write_end(pipe_ends[1]);
  const auto self = static_cast<uint32_t>(getpid());
  EXPECT_FALSE(OpenMemoryOf(self, static_cast<uint32_t>(pipe_ends[0])).ok());
  EXPECT_FALSE(OpenMemoryOf(self, 1000000).ok());
}

}  // namespace
}  // namespace gasnet::job
