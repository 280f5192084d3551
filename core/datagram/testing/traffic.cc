#include "core/datagram/testing/traffic.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gtest/gtest.h"

namespace gasnet::datagram::testing {
namespace {

constexpr uint8_t kShort = am::kFirstClientHandler;
constexpr uint8_t kPayload = kShort + 1;
constexpr size_t kSmall = 200;

// Returns where the payload of message `id` begins in the common pattern.
size_t PatternOffset(int32_t id) { return static_cast<size_t>(id) % 251; }

}  // namespace

Traffic* Traffic::current = nullptr;

Traffic::Traffic(Cluster& cluster, const TrafficOptions& options)
    : cluster_(cluster),
      options_(options),
      random_(options.seed),
      payload_(cluster.node(0).endpoint().MaxLong() + 251),
      requests_(options.messages),
      replies_(options.messages),
      busy_slots_(cluster.ranks()) {
  for (size_t i = 0; i < payload_.size(); ++i) {
    payload_[i] = static_cast<unsigned char>(i % 251);
  }
  cluster.Register(kShort, &OnShort);
  cluster.Register(kPayload, &OnPayload);
  current = this;
}

Traffic::~Traffic() { current = nullptr; }

void Traffic::OnShort(void* token, int32_t id, int32_t target, int32_t slot) {
  current->Handle(*static_cast<am::Token*>(token), id,
                  static_cast<Rank>(target), slot);
}

void Traffic::OnPayload(void* token, void* payload, size_t nbytes, int32_t id,
                        int32_t target, int32_t slot) {
  if (std::memcmp(payload, current->payload_.data() + PatternOffset(id),
                  nbytes) != 0 ||
      reinterpret_cast<uintptr_t>(payload) % 16 != 0) {
    ++current->wrong_;
  }
  OnShort(token, id, target, slot);
}

void Traffic::Handle(const am::Token& token, int32_t id, Rank target,
                     int32_t slot) {
  if (slot >= 0) busy_slots_[target] &= ~(1u << slot);
  auto& counts = token.is_request ? requests_ : replies_;
  const auto index = static_cast<size_t>(id);
  if (index >= counts.size() || ++counts[index] != 1) {
    ++wrong_;
    return;
  }
  ++handled_;
  if (token.is_request && options_.replies) Reply(target, token.source, id);
}

int Traffic::TakeSlot(Rank target) {
  const int slot = std::countr_one(busy_slots_[target]);
  if (slot >= static_cast<int>(kSlots)) return -1;
  busy_slots_[target] |= 1u << slot;
  return slot;
}

size_t Traffic::ChooseSize(am::Category category) {
  const DatagramEndpoint& endpoint = cluster_.node(0).endpoint();
  if (random_() % options_.one_large_in != 0) return random_() % kSmall;
  const size_t most = category == am::Category::kMedium
                          ? endpoint.MaxMedium()
                          : std::min(endpoint.MaxLong(), kSlotBytes);
  return random_() % 8 == 0 ? most : random_() % (most + 1);
}

bool Traffic::Send(Rank from, Rank to, am::Lane lane, int32_t id) {
  auto category = static_cast<am::Category>(random_() % 3);
  int slot = -1;
  if (category == am::Category::kLong && (slot = TakeSlot(to)) < 0) {
    category = am::Category::kMedium;
  }
  const bool has_payload = category != am::Category::kShort;
  const int32_t args[] = {id, static_cast<int32_t>(to), slot};
  const am::Message message{
      .category = category,
      .handler = has_payload ? kPayload : kShort,
      .num_args = 3,
      .args = args,
      .payload = payload_.data() + PatternOffset(id),
      .nbytes = has_payload ? ChooseSize(category) : 0,
      .dest_addr = slot < 0 ? nullptr
                            : cluster_.node(to).segment() +
                                  static_cast<size_t>(slot) * kSlotBytes,
      .loan = random_() % 2 == 0 ? &loan_ : nullptr};
  const bool sent =
      cluster_.node(from).Send(to, lane, message) == am::Post::kDone;
  if (!sent && slot >= 0) busy_slots_[to] &= ~(1u << slot);
  return sent;
}

void Traffic::Reply(Rank from, Rank to, int32_t id) {
  cluster_.WaitInHandler(from,
                         [&] { return Send(from, to, am::Lane::kReply, id); });
}

void Traffic::NapOrWake(Rank rank) {
  if (random_() % 16 == 0) cluster_.SetAsleep(rank, random_() % 4 == 0);
}

void Traffic::Run() {
  SCOPED_TRACE(::testing::Message()
               << "seed " << options_.seed << ", network's "
               << cluster_.network().options().seed);
  const uint32_t ranks = cluster_.ranks();
  unsigned sent = 0;
  const unsigned expected = options_.messages * (options_.replies ? 2 : 1);
  const bool done = cluster_.Run([&] {
    // Sends a burst between two random ranks.
    const auto from = static_cast<Rank>(random_() % ranks);
    if (options_.naps) NapOrWake(from);
    for (unsigned burst = random_() % 64; burst > 0; --burst) {
      auto to = static_cast<Rank>(random_() % ranks);
      if (to == from) to = (to + 1) % ranks;
      if (sent == options_.messages ||
          !Send(from, to, am::Lane::kRequest, static_cast<int32_t>(sent))) {
        break;
      }
      ++sent;
    }
    return handled_ == expected || ::testing::Test::HasFailure();
  });
  EXPECT_TRUE(done) << "stuck";
  EXPECT_EQ(sent, options_.messages);
  EXPECT_EQ(handled_, expected);
  EXPECT_EQ(wrong_, 0u) << "repeated, unknown or damaged";
  EXPECT_TRUE(loan_.IsOver());
  for (Rank rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(cluster_.node(rank).port().batches_out(), 0);
  }
}

}  // namespace gasnet::datagram::testing
