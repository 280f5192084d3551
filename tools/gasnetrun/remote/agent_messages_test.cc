#include "tools/gasnetrun/remote/agent_messages.h"

#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "job/wire/secret.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;
using job::kFrameHeaderBytes;

std::string Payload(const std::string& frame) {
  return frame.substr(kFrameHeaderBytes);
}

StartOrder SomeOrder() {
  StartOrder order;
  order.secret.assign(job::Secret::kBytes, '\x7f');
  order.host = 1;
  order.host_of = {0, 1, 1, 0};
  order.relays = 3;
  order.silence_millis = 60'000;
  order.mask = 022;
  order.binding = Binding::kCore;
  order.tag_output = true;
  order.to_terminal = {false, true};
  order.program = "/a/program";
  order.fingerprint = "1 bytes";
  order.directory = "/a";
  order.remote_path = "/b";
  order.arguments = {"program", "", "line\nbreak"};
  order.environment = {"A=", "B=\xff\xfe"};
  return order;
}

// The fuzzer is useful only if its corpus has a START of the current version.
TEST(AgentMessagesTest, TheCorpusHasAnOrderOfThisVersion) {
  std::ifstream file("tools/gasnetrun/remote/corpus/start", std::ios::binary);
  const std::string frame{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(frame.size(), kFrameHeaderBytes);
  StartOrder order;
  EXPECT_TRUE(DecodeStartOrder(Payload(frame), order));
}

TEST(AgentMessagesTest, AnOrderArrivesAsItWasGiven) {
  const StartOrder given = SomeOrder();
  StartOrder order;
  ASSERT_TRUE(DecodeStartOrder(Payload(EncodeStartOrder(given)), order));
  EXPECT_EQ(order.secret, given.secret);
  EXPECT_EQ(order.host, given.host);
  EXPECT_EQ(order.host_of, given.host_of);
  EXPECT_EQ(order.relays, given.relays);
  EXPECT_EQ(order.silence_millis, given.silence_millis);
  EXPECT_EQ(order.mask, given.mask);
  EXPECT_EQ(order.binding, given.binding);
  EXPECT_EQ(order.tag_output, given.tag_output);
  EXPECT_EQ(order.to_terminal, given.to_terminal);
  EXPECT_EQ(order.program, given.program);
  EXPECT_EQ(order.fingerprint, given.fingerprint);
  EXPECT_EQ(order.directory, given.directory);
  EXPECT_EQ(order.remote_path, given.remote_path);
  EXPECT_EQ(order.arguments, given.arguments);
  EXPECT_EQ(order.environment, given.environment);
}

TEST(AgentMessagesTest, EveryShorterOrLongerOrderIsRefused) {
  const std::string payload = Payload(EncodeStartOrder(SomeOrder()));
  StartOrder order;
  for (size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(DecodeStartOrder(payload.substr(0, size), order)) << size;
  }
  EXPECT_FALSE(DecodeStartOrder(payload + '\0', order));
}

TEST(AgentMessagesTest, AnOrderThatMakesNoSenseIsRefused) {
  const auto is_refused = [](auto change) {
    StartOrder bad = SomeOrder();
    change(bad);
    StartOrder order;
    return !DecodeStartOrder(Payload(EncodeStartOrder(bad)), order);
  };
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.host = 2; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.host_of = {}; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.host_of = {1, 0}; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.host_of = {0, 2}; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.silence_millis = 0; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.mask = 01000; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.program = ""; }));
  EXPECT_TRUE(is_refused([](StartOrder& bad) { bad.arguments = {}; }));
  EXPECT_TRUE(is_refused(
      [](StartOrder& bad) { bad.binding = static_cast<Binding>(4); }));
}

TEST(AgentMessagesTest, ANoteArrivesAsItWasGiven) {
  const std::string frame =
      EncodeNote(FrameType::kRankOutput, {.rank = 3, .value = 1, .bytes = "x"});
  Note note;
  const std::string payload = Payload(frame);
  ASSERT_TRUE(DecodeNote(payload, note));
  EXPECT_EQ(note.rank, 3u);
  EXPECT_EQ(note.value, 1u);
  EXPECT_EQ(note.bytes, "x");
  EXPECT_FALSE(DecodeNote("1234567", note));
}

TEST(AgentMessagesTest, ANoteMayBeSentInTwoParts) {
  EXPECT_EQ(EncodeNoteHead(FrameType::kToRanks, 4) + "many",
            EncodeNote(FrameType::kToRanks, {.bytes = "many"}));
}

TEST(AgentMessagesTest, AHelloOfAnotherVersionIsOnlyThat) {
  AgentHello hello;
  ASSERT_TRUE(DecodeAgentHello(Payload(EncodeAgentHello({.cpus = 7})), hello));
  EXPECT_EQ(hello.version, kAgentVersion);
  EXPECT_EQ(hello.cpus, 7u);
  ASSERT_TRUE(DecodeAgentHello(std::string("\x09\0\0\0more", 8), hello));
  EXPECT_EQ(hello.version, 9u);
  EXPECT_FALSE(DecodeAgentHello("123", hello));
  EXPECT_FALSE(DecodeAgentHello(Payload(EncodeAgentHello({.cpus = 0})), hello));
}

TEST(AgentMessagesTest, EachSideTakesOnlyWhatTheOtherSends) {
  const auto accepts = [](const job::FrameLimits& limits, FrameType type) {
    return limits.Accepts(static_cast<uint16_t>(type), 8);
  };
  EXPECT_FALSE(accepts(LimitsBeforeAgentHello(), FrameType::kRankOutput));
  EXPECT_FALSE(accepts(LimitsAfterAgentHello(), FrameType::kAgentHello));
  EXPECT_FALSE(accepts(LimitsAfterAgentHello(), FrameType::kSignalGroups));
  EXPECT_FALSE(accepts(LimitsBeforeStart(), FrameType::kSignalGroups));
  EXPECT_FALSE(accepts(LimitsAfterStart(), FrameType::kStart));
  EXPECT_FALSE(accepts(LimitsAfterStart(), FrameType::kRankOutput));
  EXPECT_TRUE(accepts(LimitsAfterAgentHello(), FrameType::kRankOutput));
  EXPECT_FALSE(LimitsAfterAgentHello().Accepts(
      static_cast<uint16_t>(FrameType::kRankOutput), kMaxOutputBytes + 9));
}

}  // namespace
}  // namespace gasnet::gasnetrun
