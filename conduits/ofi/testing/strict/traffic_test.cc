// Tests the strict provider's traffic. The provider must keep its promises and
// do what the user requests, and guarantee no more than that.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "conduits/ofi/testing/strict/strict_test_rank.h"

namespace gasnet::ofi::strict {
namespace {

constexpr uint64_t kRemote = FI_REMOTE_READ | FI_REMOTE_WRITE;
constexpr uint64_t kKey = 77;

// Two ranks, and memory of the second rank that the first rank can access.
struct Pair {
  explicit Pair(const std::string& options)
      : from(options), to(options), peer(from.Insert(to)) {
    fid_mr* const region =
        to.Register(memory.data(), sizeof memory, kRemote, kKey);
    key = fi_mr_key(region);
  }

  StrictTestRank from;
  StrictTestRank to;
  fi_addr_t peer;
  std::array<uint64_t, 512> memory = {};
  uint64_t key;
};

TEST(StrictTest, IsNotOfferedToWhoCannotLiveWithItsDemands) {
  const struct {
    const char* word;
    int mr_mode;
  } kDemands[] = {{"local", FI_MR_LOCAL},
                  {"virtual", FI_MR_VIRT_ADDR},
                  {"allocated", FI_MR_ALLOCATED},
                  {"keys", FI_MR_PROV_KEY},
                  {"endpoint", FI_MR_ENDPOINT}};
  for (const auto& each : kDemands) {
    EXPECT_EQ(AskStrict(each.word, 0, kAllMemoryModes & ~each.mr_mode),
              nullptr);
    fi_info* const info = AskStrict(each.word, 0, each.mr_mode);
    ASSERT_NE(info, nullptr) << each.word;
    EXPECT_EQ(info->domain_attr->mr_mode, each.mr_mode);
    fi_freeinfo(info);
  }
  EXPECT_EQ(AskStrict("context2", FI_CONTEXT, 0), nullptr);
}

TEST(StrictTest, SaysWhatItWasAskedToBe) {
  fi_info* const info =
      AskStrict("single,fence,inject=7,most=99,order=sas+saw,tx=3,rx=4,rm=off",
                FI_CONTEXT2, 0);
  ASSERT_NE(info, nullptr);
  EXPECT_STREQ(info->fabric_attr->prov_name, "strict");
  EXPECT_EQ(info->caps & (FI_MULTI_RECV | FI_FENCE), FI_FENCE);
  EXPECT_EQ(info->tx_attr->inject_size, 7);
  EXPECT_EQ(info->tx_attr->msg_order, FI_ORDER_SAS | FI_ORDER_SAW);
  EXPECT_EQ(info->tx_attr->size, 3);
  EXPECT_EQ(info->rx_attr->size, 4);
  EXPECT_EQ(info->ep_attr->max_msg_size, 99);
  EXPECT_EQ(info->domain_attr->resource_mgmt, FI_RM_DISABLED);
  EXPECT_EQ(info->mode, 0);
  fi_freeinfo(info);
}

// Sends the numbers from 1 to `count` to another rank. Returns the numbers in
// the order in which they arrived.
std::vector<uint64_t> Exchange(const std::string& options, size_t count) {
  Pair pair(options);
  std::vector<uint64_t> sent(count);
  std::vector<uint64_t> received(count);
  for (size_t i = 0; i < count; ++i) {
    sent[i] = i + 1;
    pair.to.Receive(&received[i], sizeof received[i]);
  }
  for (const uint64_t& each : sent) {
    pair.from.Send(pair.peer, &each, sizeof each);
  }
  for (size_t told = 0; told < 2 * count;) {
    told += pair.from.Read().has_value();
    told += pair.to.Read().has_value();
  }
  return received;
}

TEST(StrictTest, MessagesOvertakeEachOtherWhereNoOrderIsPromised) {
  std::vector<uint64_t> received = Exchange("order=none,late", 40);
  EXPECT_FALSE(std::is_sorted(received.begin(), received.end()));
  std::sort(received.begin(), received.end());
  for (size_t i = 0; i < received.size(); ++i) EXPECT_EQ(received[i], i + 1);
}

TEST(StrictTest, MessagesKeepTheOrderThatIsPromised) {
  const std::vector<uint64_t> received = Exchange("order=sas,late", 40);
  EXPECT_TRUE(std::is_sorted(received.begin(), received.end()));
}

// Injected messages are known to have left only when a later message has
// completed.
TEST(StrictTest, AnInjectedMessageHasLeftWhenALaterOneHas) {
  constexpr uint64_t kInjected = 40;
  constexpr size_t kMessages = kInjected + 2;
  constexpr int kReads = 1'000'000;
  Pair pair("order=sas,late=40,inject=8");
  std::array<uint64_t, kMessages> received = {};
  for (uint64_t& each : received) pair.to.Receive(&each, sizeof each);
  const uint64_t first = 1;
  pair.from.Send(pair.peer, &first, sizeof first);
  // The ranks can connect only while both read.
  for (int told = 0; told < 2;) {
    told += pair.from.Read().has_value();
    told += pair.to.Read().has_value();
  }
  for (uint64_t i = 0; i < kInjected; ++i) {
    ASSERT_EQ(fi_inject(pair.from.ep(), &i, sizeof i, pair.peer), 0);
  }
  const uint64_t last = kInjected;
  pair.from.Send(pair.peer, &last, sizeof last);
  while (!pair.from.Read()) continue;
  // The sender does nothing from here on. All messages must have left already.
  size_t told = 1;
  for (int i = 0; i < kReads && told < kMessages; ++i) {
    told += pair.to.Read().has_value();
  }
  EXPECT_EQ(told, kMessages);
}

// Returns true if, in any of many trials, a message arrives before an earlier
// write is in place.
bool SendOvertakesWrite(const std::string& options, uint64_t write_flags,
                        uint64_t send_flags) {
  constexpr uint64_t kTrials = 40;
  Pair pair(options);
  bool overtakes = false;
  for (uint64_t trial = 1; trial <= kTrials; ++trial) {
    uint64_t received = 0;
    pair.to.Receive(&received, sizeof received);
    pair.from.Write(pair.peer, &trial, sizeof trial, 0, pair.key, write_flags);
    pair.from.Send(pair.peer, &trial, sizeof trial, send_flags);
    for (size_t told = 0; told < 3;) {
      told += pair.from.Read().has_value();
      if (!pair.to.Read()) continue;
      ++told;
      overtakes |= pair.memory[0] != trial;
    }
    while (pair.memory[0] != trial) pair.to.Read();
  }
  return overtakes;
}

TEST(StrictTest, AMessageOvertakesAWriteUnlessThatOrderIsPromised) {
  EXPECT_TRUE(SendOvertakesWrite("late,order=sas", FI_DELIVERY_COMPLETE, 0));
  EXPECT_FALSE(SendOvertakesWrite("late,order=saw", FI_DELIVERY_COMPLETE, 0));
  EXPECT_FALSE(SendOvertakesWrite("late,order=saw", FI_TRANSMIT_COMPLETE, 0));
}

// A fenced operation waits until each earlier operation has reached the level
// of completion that this operation or the fenced one requests. It waits no
// longer.
TEST(StrictTest, AFencedMessageStaysBehindWhatIsDelivered) {
  EXPECT_TRUE(SendOvertakesWrite("late,fence", FI_DELIVERY_COMPLETE, 0));
  EXPECT_FALSE(
      SendOvertakesWrite("late,fence", FI_DELIVERY_COMPLETE, FI_FENCE));
  EXPECT_TRUE(SendOvertakesWrite("late,fence", FI_TRANSMIT_COMPLETE, FI_FENCE));
  EXPECT_FALSE(SendOvertakesWrite("late,fence", FI_TRANSMIT_COMPLETE,
                                  FI_FENCE | FI_DELIVERY_COMPLETE));
}

// Returns true if, in any of many trials, a write is reported before it is in
// place.
bool IsToldEarly(uint64_t flags) {
  constexpr uint64_t kTrials = 40;
  Pair pair("late");
  bool early = false;
  for (uint64_t trial = 1; trial <= kTrials; ++trial) {
    pair.from.Write(pair.peer, &trial, sizeof trial, 0, pair.key, flags);
    pair.from.Await(pair.to);
    early |= pair.memory[0] != trial;
    while (pair.memory[0] != trial) pair.to.Read();
  }
  return early;
}

TEST(StrictTest, OnlyDeliveryCompleteMeansThatAWriteIsInPlace) {
  EXPECT_TRUE(IsToldEarly(FI_TRANSMIT_COMPLETE));
  EXPECT_FALSE(IsToldEarly(FI_DELIVERY_COMPLETE));
}

TEST(StrictTest, ReadsWhatIsThere) {
  for (const char* const options : {"", "late,virtual,keys,endpoint"}) {
    Pair pair(options);
    pair.memory[3] = 42;
    uint64_t got = 0;
    const bool is_virtual = *options != '\0';
    const uint64_t base =
        is_virtual ? reinterpret_cast<uintptr_t>(pair.memory.data()) : 0;
    void* const context = pair.from.ReadFrom(pair.peer, &got, sizeof got,
                                             base + 3 * sizeof got, pair.key);
    const Told told = pair.from.Await(pair.to);
    EXPECT_EQ(told.context, context);
    EXPECT_EQ(told.flags, FI_READ | FI_RMA);
    EXPECT_EQ(got, 42);
  }
}

TEST(StrictTest, ASourceIsReadLateUnlessItIsInjected) {
  for (const uint64_t flags : {uint64_t{0}, uint64_t{FI_INJECT}}) {
    bool changed = false;
    Pair pair("late");
    for (uint64_t trial = 0; trial < 40; ++trial) {
      uint64_t source = 1;
      pair.from.Write(pair.peer, &source, sizeof source, 0, pair.key,
                      FI_DELIVERY_COMPLETE | flags);
      source = 2;
      pair.from.Await(pair.to);
      changed |= pair.memory[0] == 2;
    }
    EXPECT_EQ(changed, flags == 0);
  }
}

TEST(StrictTest, ABufferIsWrittenOverWhenItIsPosted) {
  std::array<uint64_t, 32> buffer = {};
  StrictTestRank rank("");
  rank.Receive(buffer.data(), sizeof buffer);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 0U), 0);
}

TEST(StrictTest, ContextsAreScribbledOnWhereTheyAreDemanded) {
  for (const char* const options : {"", "context2"}) {
    Pair pair(options);
    fi_context2 context = {};
    const fi_context2 before = context;
    uint64_t received = 0;
    ASSERT_EQ(fi_recv(pair.to.ep(), &received, sizeof received, nullptr,
                      FI_ADDR_UNSPEC, &context),
              0);
    EXPECT_EQ(std::memcmp(&context, &before, sizeof context) != 0,
              *options != '\0');
  }
}

TEST(StrictTest, ARefusedPostIsRefusedUntilTheQueueIsRead) {
  Pair pair("again=2");
  unsigned refused = 0;
  for (int i = 0; i < 40; ++i) {
    uint64_t received;
    const auto post = [&] {
      return fi_recv(pair.to.ep(), &received, sizeof received, nullptr,
                     FI_ADDR_UNSPEC, pair.to.NewContext());
    };
    if (post() == 0) continue;
    ++refused;
    for (int again = 0; again < 20; ++again) EXPECT_EQ(post(), -FI_EAGAIN);
    pair.to.Read();
  }
  EXPECT_GT(refused, 0U);
  EXPECT_LT(refused, 40U);
}

TEST(StrictTest, TakesNoMoreThanItSaysAtOnce) {
  Pair pair("tx=2,rx=3");
  uint64_t number = 1;
  for (int i = 0; i < 3; ++i) pair.to.Receive(&number, sizeof number);
  EXPECT_EQ(fi_recv(pair.to.ep(), &number, sizeof number, nullptr,
                    FI_ADDR_UNSPEC, pair.to.NewContext()),
            -FI_EAGAIN);
  for (int i = 0; i < 2; ++i) {
    pair.from.Send(pair.peer, &number, sizeof number, FI_DELIVERY_COMPLETE);
  }
  EXPECT_EQ(fi_send(pair.from.ep(), &number, sizeof number, nullptr, pair.peer,
                    pair.from.NewContext()),
            -FI_EAGAIN);
}

TEST(StrictTest, FailsTheOneThatItIsToldTo) {
  Pair pair("fail=write@2");
  for (uint64_t number = 1; number <= 3; ++number) {
    void* const context =
        pair.from.Write(pair.peer, &number, sizeof number, 0, pair.key);
    const Told told = pair.from.Await(pair.to);
    EXPECT_EQ(told.context, context);
    EXPECT_EQ(told.error, number == 2 ? FI_EIO : 0);
    EXPECT_EQ(pair.memory[0], number == 2 ? 1 : number);
  }
}

TEST(StrictTest, ABufferForManyMessagesIsGivenBackLast) {
  for (const char* const options : {"late", "late,alone,misaligned"}) {
    Pair pair(options);
    std::array<std::byte, 512> buffer;
    void* const context =
        pair.to.Receive(buffer.data(), buffer.size(), FI_MULTI_RECV);
    const uint64_t number = 3;
    bool released = false;
    while (!released) {
      pair.from.Send(pair.peer, &number, sizeof number, FI_DELIVERY_COMPLETE);
      for (bool sent = false; !sent && !released;) {
        sent = pair.from.Read().has_value();
        const auto told = pair.to.Read();
        if (!told) continue;
        EXPECT_FALSE(released);
        EXPECT_EQ(told->context, context);
        released = (told->flags & FI_MULTI_RECV) != 0;
        if ((told->flags & FI_RECV) == 0) continue;
        EXPECT_EQ(told->nbytes, sizeof number);
        EXPECT_EQ(std::memcmp(told->buffer, &number, sizeof number), 0);
      }
    }
  }
}

TEST(StrictTest, AMessageThatIsTooLongIsToldAsAnError) {
  Pair pair("");
  uint64_t received = 0;
  pair.to.Receive(&received, 4);
  const uint64_t number = 5;
  pair.from.Send(pair.peer, &number, sizeof number);
  std::optional<Told> told;
  while (!told) {
    pair.from.Read();
    told = pair.to.Read();
  }
  EXPECT_EQ(told->error, FI_ETRUNC);
}

}  // namespace
}  // namespace gasnet::ofi::strict
