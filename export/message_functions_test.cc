// Tests active messages as the C functions send them: calls that reach the
// engine, and calls that are rejected earlier.
#include "export/message_functions.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "extended/testing/loopback.h"

namespace gasnet::exported {
namespace {

using extended::testing::Loopback;

using Api = MessageFunctions;

constexpr const char* kCall = "test";
constexpr gasneti_index_t kAsk = 200;
constexpr gasneti_index_t kAnswer = 201;

struct Arrived {
  int asked = 0;
  int answered = 0;
  std::vector<gasnet_handlerarg_t> args;
  std::vector<char> bytes;
  void* at = nullptr;
  gasnet_node_t source = 99;
} arrived;

// Checks the token, and replies with the sum of its arguments. A reply to an
// index that is not a client's fails.
void OnShort(gasnet_token_t token, gasnet_handlerarg_t one,
             gasnet_handlerarg_t two) {
  ++arrived.asked;
  arrived.args = {one, two};
  EXPECT_EQ(Api::Source(token, &arrived.source), GASNET_OK);
  EXPECT_EQ(Api::Source(token, nullptr), GASNET_ERR_BAD_ARG);
  const std::array<gasnet_handlerarg_t, 1> sum = {one + two};
  EXPECT_EQ(Api::Reply(kCall, token, 7, Short(7, 1, sum.data())),
            GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::Reply(kCall, token, kAnswer, Short(kAnswer, 1, sum.data())),
            GASNET_OK);
}
void OnAnswer(gasnet_token_t, gasnet_handlerarg_t sum) {
  ++arrived.answered;
  arrived.args.push_back(sum);
}
void OnBytes(gasnet_token_t, void* data, size_t nbytes) {
  ++arrived.asked;
  const auto* const bytes = static_cast<const char*>(data);
  arrived.bytes.assign(bytes, bytes + nbytes);
  arrived.at = data;
}

constexpr gasneti_index_t kBytes = 202;

class MessageFunctionsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Loopback::Attach();
    gasneti_world = {0, 1};
    am::HandlerTable& handlers = Loopback::engine().handlers();
    const auto add = [&](gasneti_index_t index, auto* handler) {
      handlers.RegisterClient(static_cast<uint8_t>(index),
                              reinterpret_cast<am::AnyHandler>(handler));
    };
    add(kAsk, &OnShort);
    add(kAnswer, &OnAnswer);
    add(kBytes, &OnBytes);
  }
  void SetUp() override { arrived = {}; }

  // Waits in the same way as GASNET_BLOCKUNTIL.
  template <class Predicate>
  static void Await(Predicate done) {
    gasneti_wait_t wait = {};
    while (!done()) Api::WaitStep(kCall, &wait);
    Api::WaitEnd(&wait);
  }
};

TEST_F(MessageFunctionsTest, ARequestAndItsReply) {
  const std::array<gasnet_handlerarg_t, 2> args = {3, 4};
  ASSERT_EQ(Api::Request(kCall, 0, kAsk, Short(kAsk, 2, args.data())),
            GASNET_OK);
  Await([] { return arrived.answered == 1; });
  EXPECT_EQ(arrived.asked, 1);
  EXPECT_EQ(arrived.args, (std::vector<gasnet_handlerarg_t>{3, 4, 7}));
  EXPECT_EQ(arrived.source, 0u);
}

TEST_F(MessageFunctionsTest, APayload) {
  const std::array<char, 5> bytes = {'r', 'e', 'e', 'f', 's'};
  Api::Request(kCall, 0, kBytes, Medium(kBytes, bytes.data(), 5, 0, nullptr));
  Await([] { return arrived.asked == 1; });
  EXPECT_EQ(std::string_view(arrived.bytes.data(), 5), "reefs");
  std::byte* const there = Loopback::segment() + 24;
  Api::Request(kCall, 0, kBytes,
               Long(kBytes, bytes.data(), 4, there, 0, nullptr));
  Await([] { return arrived.asked == 2; });
  EXPECT_EQ(arrived.at, there);
  EXPECT_EQ(std::memcmp(there, "reef", 4), 0);
}

// The index is checked before it is truncated to eight bits.
TEST_F(MessageFunctionsTest, HandlersThatAreNoClients) {
  for (const gasneti_index_t index : {0u, 127u, 256u, 256u + kAsk, ~0u}) {
    EXPECT_EQ(Api::Request(kCall, 0, index, Short(index, 0, nullptr)),
              GASNET_ERR_BAD_ARG);
  }
  EXPECT_EQ(Loopback::network().InFlight(), 0u);
}

TEST_F(MessageFunctionsTest, LimitsAreTheEngines) {
  EXPECT_EQ(Api::MaxMedium(kCall), Loopback::engine().MaxMedium());
  for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
    EXPECT_EQ(Api::MaxLong(kCall, lane), Loopback::engine().MaxLong(lane));
  }
  EXPECT_GT(Api::MaxLong(kCall, am::Lane::kRequest), Api::MaxMedium(kCall));
}

TEST_F(MessageFunctionsTest, NoToken) {
  gasnet_node_t source;
  EXPECT_EQ(Api::Source(nullptr, &source), GASNET_ERR_BAD_ARG);
}

TEST_F(MessageFunctionsTest, PollsAndWaitsServe) {
  for (const bool waits : {false, true}) {
    const int before = arrived.asked;
    Api::Request(kCall, 0, kBytes, Medium(kBytes, nullptr, 0, 0, nullptr));
    while (arrived.asked == before) {
      if (waits) {
        Api::WaitServe(kCall);
      } else {
        EXPECT_EQ(Api::Poll(kCall), GASNET_OK);
      }
    }
  }
}

class MisuseDeathTest : public MessageFunctionsTest {
 protected:
  void SetUp() override {
    MessageFunctionsTest::SetUp();
    if (!thread::kChecks) GTEST_SKIP() << "only builds with checks look";
  }
};

TEST_F(MisuseDeathTest, NodesThatThereAreNot) {
  EXPECT_DEATH(Api::Request(kCall, 1, kAsk, Short(kAsk, 0, nullptr)),
               "test: node 1 is out of range; this job has nodes 0 to 0");
}

TEST_F(MisuseDeathTest, PayloadsThatAreTooLarge) {
  static const std::vector<char> bytes(5000);
  const size_t medium = Api::MaxMedium(kCall) + 1;
  EXPECT_DEATH(Api::Request(kCall, 0, kBytes,
                            Medium(kBytes, bytes.data(), medium, 0, nullptr)),
               "test: nbytes is 513; the limit is 512");
  const size_t most = Api::MaxLong(kCall, am::Lane::kRequest) + 1;
  EXPECT_DEATH(Api::Request(kCall, 0, kBytes,
                            Long(kBytes, bytes.data(), most,
                                 Loopback::segment(), 0, nullptr)),
               "test: nbytes is 2049; the limit is 2048");
}

TEST_F(MisuseDeathTest, LongsThatLeaveTheSegment) {
  static const std::array<char, 8> bytes = {};
  std::byte* const last = Loopback::segment() + Loopback::kSegmentSize - 7;
  EXPECT_DEATH(
      Api::Request(kCall, 0, kBytes,
                   Long(kBytes, bytes.data(), 8, last, 0, nullptr)),
      "test: destination .*, 8 bytes, is outside the segment of node 0");
}

TEST_F(MisuseDeathTest, RepliesToNothing) {
  EXPECT_DEATH(Api::Reply(kCall, nullptr, kAnswer, Short(kAnswer, 0, nullptr)),
               "test: the token is null");
}

}  // namespace
}  // namespace gasnet::exported
