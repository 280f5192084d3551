#include "core/am/deliver_records.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

constexpr size_t kBegin = 8;
constexpr uint8_t kShort = kFirstClientHandler;
constexpr uint8_t kPayload = kShort + 1;

std::vector<std::string> heard;

void OnShort(void* token, int32_t arg) {
  const auto* const at = static_cast<Token*>(token);
  heard.push_back("short " + std::to_string(arg) + " from " +
                  std::to_string(at->source));
  EXPECT_FALSE(at->is_request);
}
void OnPayload(void*, void* payload, size_t nbytes) {
  heard.emplace_back(static_cast<char*>(payload), nbytes);
}

TEST(DeliverRecordsTest, RunsAllHandlersInTurnWithPayloadsInPlace) {
  heard.clear();
  Dispatcher dispatcher;
  dispatcher.handlers().RegisterClient(kShort,
                                       reinterpret_cast<AnyHandler>(&OnShort));
  dispatcher.handlers().RegisterClient(
      kPayload, reinterpret_cast<AnyHandler>(&OnPayload));
  alignas(16) std::byte frame[256] = {};
  char destination[4] = {};
  const int32_t arg = 5;
  size_t end = EncodeMessage(frame, kBegin,
                             {.handler = kShort, .num_args = 1, .args = &arg});
  end = EncodeMessage(frame, end,
                      {.category = Category::kMedium,
                       .handler = kPayload,
                       .payload = "medium",
                       .nbytes = 6});
  end = EncodeMessage(frame, end,
                      {.category = Category::kLong,
                       .handler = kPayload,
                       .payload = "long",
                       .nbytes = 4,
                       .dest_addr = destination});
  char ahead[] = "ahead";
  end = EncodeMessage(frame, end,
                      {.category = Category::kLong,
                       .handler = kPayload,
                       .payload_sent = true,
                       .nbytes = 5,
                       .dest_addr = ahead});
  DeliverRecords(7, Lane::kReply, {frame, end}, kBegin, dispatcher);
  EXPECT_EQ(heard, (std::vector<std::string>{"short 5 from 7", "medium", "long",
                                             "ahead"}));
  EXPECT_EQ(std::memcmp(destination, "long", 4), 0);
}

std::vector<const Dispatcher*> reached;
void OnReached(void* token) {
  const auto* const at = static_cast<Token*>(token);
  reached.push_back(at->to);
  EXPECT_EQ(at->across, 3);
}

TEST(DeliverRecordsTest, EachRecordFindsItsEndpoint) {
  reached.clear();
  Dispatchers all;
  Dispatcher first, second, tenth, of_2, of_3, of_9;
  first.Join(all, 0);
  second.Join(all, 1);
  tenth.Join(all, 10);
  // A reply goes to the sender's endpoint: its index is the target's index XOR
  // 3.
  of_3.Join(all, 3);
  of_2.Join(all, 2);
  of_9.Join(all, 9);
  for (Dispatcher* const each : {&first, &second, &tenth}) {
    each->handlers().RegisterClient(kShort,
                                    reinterpret_cast<AnyHandler>(&OnReached));
  }
  alignas(16) std::byte frame[256] = {};
  size_t end = kBegin;
  for (const EndpointIndex index : {1, 10, 0}) {
    end = EncodeMessage(frame, end,
                        {.handler = kShort, .across = 3, .endpoint = index});
  }
  DeliverRecords(7, Lane::kRequest, {frame, end}, kBegin, second);
  EXPECT_EQ(reached, (std::vector<const Dispatcher*>{&second, &tenth, &first}));
}

TEST(DeliverRecordsDeathTest, AnEndpointThatDoesNotExistEndsTheJob) {
  Dispatchers all;
  Dispatcher alone, first;
  first.Join(all, 0);
  // In turn, the target endpoint and the sender's endpoint are missing. A reply
  // would go to the sender's endpoint.
  for (const EndpointIndex index : {4, 0}) {
    alignas(16) std::byte frame[64] = {};
    const size_t end =
        EncodeMessage(frame, kBegin,
                      {.handler = kShort,
                       .across = static_cast<EndpointIndex>(4 ^ index),
                       .endpoint = index});
    for (Dispatcher* const each : {&alone, &first}) {
      EXPECT_DEATH(
          DeliverRecords(7, Lane::kRequest, {frame, end}, kBegin, *each),
          "of rank 7 is for endpoint . of this rank; one of them does not "
          "exist");
    }
  }
}

}  // namespace
}  // namespace gasnet::am
