#include "job/wire/messages.h"

#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

constexpr std::string_view kProof = "0123456789abcdef";

std::string Payload(std::string_view frame) {
  return std::string(frame.substr(kFrameHeaderBytes));
}

std::string ValidHello() {
  return Payload(EncodeHello(
      {.proof = kProof, .rank = 7, .pid = 4711, .config = "some config"}));
}

std::string ValidWelcome() {
  return Payload(EncodeWelcome({.host_of = {0, 0, 1, 0, 2},
                                .host_cpus = {4, 8, 1},
                                .environment = {"A=", "B=x\ny", "C=\xff"}}));
}

TEST(MessagesTest, Hello) {
  const std::string payload = ValidHello();
  Hello hello;
  ASSERT_TRUE(DecodeHello(payload, hello));
  EXPECT_EQ(hello.version, kProtocolVersion);
  EXPECT_EQ(hello.proof, kProof);
  EXPECT_EQ(hello.rank, 7u);
  EXPECT_EQ(hello.pid, 4711u);
  EXPECT_EQ(hello.config, "some config");
}

TEST(MessagesTest, HelloOfAnotherVersionTellsItsVersion) {
  const std::string payload =
      Payload(EncodeHello({.version = 99, .proof = kProof})) + "new fields";
  Hello hello;
  ASSERT_TRUE(DecodeHello(payload, hello));
  EXPECT_EQ(hello.version, 99u);
  EXPECT_EQ(hello.proof, kProof);
}

TEST(MessagesTest, Welcome) {
  const std::string payload = ValidWelcome();
  Welcome welcome;
  ASSERT_TRUE(DecodeWelcome(payload, welcome));
  EXPECT_EQ(welcome.host_of, (std::vector<uint32_t>{0, 0, 1, 0, 2}));
  EXPECT_EQ(welcome.host_cpus, (std::vector<uint32_t>{4, 8, 1}));
  EXPECT_EQ(welcome.environment,
            (std::vector<std::string>{"A=", "B=x\ny", "C=\xff"}));
}

TEST(MessagesTest, WelcomeWithImpossibleHostsIsRefused) {
  const std::vector<uint32_t> bad[] = {{}, {1}, {0, 2, 1}, {0, 1, 2, 3}, {0}};
  for (const auto& hosts : bad) {
    const std::string payload =
        Payload(EncodeWelcome({.host_of = hosts, .host_cpus = {1, 1, 1}}));
    Welcome welcome;
    EXPECT_FALSE(DecodeWelcome(payload, welcome));
  }
}

TEST(MessagesTest, GatherExitEnd) {
  const std::string gather =
      Payload(EncodeGather(FrameType::kGather, {3, "bytes"}));
  GatherPart part;
  ASSERT_TRUE(DecodeGather(gather, part));
  EXPECT_EQ(part.sequence, 3u);
  EXPECT_EQ(part.bytes, "bytes");
  const ExitFrame exit = EncodeExit(-5);
  int32_t code;
  ASSERT_TRUE(DecodeExit(Payload({exit.data(), exit.size()}), code));
  EXPECT_EQ(code, -5);
  const std::string end_payload = Payload(EncodeEnd({.code = 9, .why = "why"}));
  End end;
  ASSERT_TRUE(DecodeEnd(end_payload, end));
  EXPECT_EQ(end.code, 9);
  EXPECT_EQ(end.why, "why");
}

TEST(MessagesTest, Left) {
  std::vector<uint32_t> ranks;
  ASSERT_TRUE(DecodeLeft(Payload(EncodeLeft({3, 0, 70'000})), ranks));
  EXPECT_EQ(ranks, (std::vector<uint32_t>{3, 0, 70'000}));
}

TEST(MessagesTest, TheLongestLeftIsAcceptedByARankThatWasWelcomed) {
  const std::string frame = EncodeLeft(std::vector<uint32_t>(kMaxNodes));
  const auto type = static_cast<uint16_t>(FrameType::kLeft);
  const size_t bytes = Payload(frame).size();
  EXPECT_TRUE(LimitsAfterWelcome().Accepts(type, bytes));
  EXPECT_FALSE(LimitsAfterWelcome().Accepts(type, bytes + 1));
  EXPECT_FALSE(LimitsBeforeWelcome().Accepts(type, 4));
}

TEST(MessagesTest, TooShortOrTooLongIsRefused) {
  std::vector<uint32_t> ranks;
  const ExitFrame exit = EncodeExit(1);
  const std::string exit_payload = Payload({exit.data(), exit.size()});
  const std::string end_payload = Payload(EncodeEnd({.code = 9, .why = "why"}));
  Hello hello;
  Welcome welcome;
  End end;
  int32_t code;
  const auto check = [](const std::string& valid, auto decode) {
    ASSERT_TRUE(decode(valid));
    EXPECT_FALSE(decode(valid + "x"));
    for (size_t size = 0; size < valid.size(); ++size) {
      EXPECT_FALSE(decode(valid.substr(0, size))) << size;
    }
  };
  check(ValidHello(), [&](const auto& p) { return DecodeHello(p, hello); });
  check(ValidWelcome(),
        [&](const auto& p) { return DecodeWelcome(p, welcome); });
  check(exit_payload, [&](const auto& p) { return DecodeExit(p, code); });
  check(end_payload, [&](const auto& p) { return DecodeEnd(p, end); });
  check(Payload(EncodeLeft({1, 2})),
        [&](const auto& p) { return DecodeLeft(p, ranks); });
}

TEST(MessagesTest, SurvivesRandomDamage) {
  std::minstd_rand random(2);
  const std::string valid[] = {ValidHello(), ValidWelcome()};
  for (int round = 0; round < 50'000; ++round) {
    std::string payload = valid[round % 2];
    for (uint32_t hits = 1 + random() % 4; hits > 0; --hits) {
      payload[random() % payload.size()] = static_cast<char>(random());
    }
    Hello hello;
    Welcome welcome;
    if (DecodeHello(payload, hello)) {
      ASSERT_LE(hello.config.size(), kMaxConfigBytes);
    }
    if (DecodeWelcome(payload, welcome)) {
      ASSERT_LE(welcome.host_of.size(), kMaxNodes);
      for (const uint32_t host : welcome.host_of) {
        ASSERT_LT(host, welcome.host_cpus.size());
      }
    }
  }
}

}  // namespace
}  // namespace gasnet::job
