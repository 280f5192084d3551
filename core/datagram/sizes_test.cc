// Tests payloads of every size: in one datagram, in fragments, and gathered.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/am/tuning.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Category;
using am::Lane;
using am::Post;
using testing::Cluster;

constexpr uint8_t kPut = am::kFirstClientHandler;

int puts, bad;

std::byte Pattern(size_t i, size_t nbytes) {
  return static_cast<std::byte>(i * 7 + nbytes);
}
class PatternSource : public am::GatherSource {
 public:
  explicit PatternSource(size_t nbytes) : nbytes_(nbytes) {}
  void GatherTo(std::byte* to) const override {
    for (size_t i = 0; i < nbytes_; ++i) to[i] = Pattern(i, nbytes_);
  }

 private:
  const size_t nbytes_;
};

void OnPut(void*, void* payload, size_t nbytes) {
  const auto* const bytes = static_cast<const std::byte*>(payload);
  bool good = reinterpret_cast<uintptr_t>(payload) % 16 == 0;
  for (size_t i = 0; i < nbytes; ++i) good &= bytes[i] == Pattern(i, nbytes);
  ++puts;
  if (!good) ++bad;
}

class SizesTest : public ::testing::Test {
 protected:
  void Make(const testing::NetworkOptions& network) {
    cluster = std::make_unique<Cluster>(network, DatagramOptions());
    puts = bad = 0;
    cluster->Register(kPut, &OnPut);
  }
  void Put(Rank from, Rank to, Category category, size_t nbytes,
           Lane lane = Lane::kRequest) {
    std::vector<std::byte> payload(nbytes);
    PatternSource(nbytes).GatherTo(payload.data());
    const am::Message message{.category = category,
                              .handler = kPut,
                              .payload = payload.data(),
                              .nbytes = nbytes,
                              .dest_addr = cluster->node(to).segment() + 64};
    cluster->SendPatiently(from, to, lane, message);
  }

  std::unique_ptr<Cluster> cluster;
};

TEST_F(SizesTest, AllSizesArriveIntact) {
  for (const size_t max_datagram : {size_t{576}, size_t{1472}, size_t{32768}}) {
    testing::NetworkOptions network;
    network.max_datagram = max_datagram;
    Make(network);
    const size_t most = cluster->node(0).endpoint().MaxLong();
    int sent = 0;
    for (size_t nbytes = 0; nbytes <= most; nbytes = nbytes * 3 / 2 + 1) {
      for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
        Put(0, 1, Category::kLong, nbytes, lane);
        ++sent;
        ASSERT_TRUE(cluster->Run([&] { return puts == sent; })) << nbytes;
        if (nbytes > am::kMaxMedium) continue;
        Put(1, 0, Category::kMedium, nbytes, lane);
        ++sent;
      }
    }
    Put(0, 1, Category::kMedium, am::kMaxMedium);
    Put(0, 1, Category::kLong, most);
    sent += 2;
    ASSERT_TRUE(cluster->Run([&] { return puts == sent; }));
    EXPECT_EQ(bad, 0);
    EXPECT_EQ(cluster->node(0).endpoint().statistics().retransmissions, 0u);
  }
}

// Covers messages in one datagram and in many.
TEST_F(SizesTest, APayloadIsGatheredWhateverItsSize) {
  for (const size_t max_datagram : {size_t{576}, size_t{32768}}) {
    testing::NetworkOptions network;
    network.max_datagram = max_datagram;
    Make(network);
    int sent = 0;
    for (const size_t nbytes : {65, 300, 1000, 30000, 65536}) {
      const PatternSource source(nbytes);
      ASSERT_EQ(cluster->node(0).Send(1, Lane::kRequest,
                                      {.category = Category::kMedium,
                                       .handler = kPut,
                                       .nbytes = nbytes,
                                       .gather = &source}),
                Post::kDone);
      ++sent;
      ASSERT_TRUE(cluster->Run([&] { return puts == sent; })) << nbytes;
    }
    EXPECT_EQ(bad, 0);
  }
}

using I = int32_t;
constexpr uint8_t kIgnore = kPut + 1;
void OnIgnore(void*, void*, size_t, I, I, I, I, I, I, I, I, I, I, I, I, I, I, I,
              I) {}

// A Medium of WholeMedium() bytes takes one datagram. A Medium that is larger
// by the least possible amount takes two.
TEST_F(SizesTest, AWholeMediumIsOneDatagram) {
  for (const size_t max_datagram : {size_t{576}, size_t{1472}, size_t{32768}}) {
    testing::NetworkOptions network;
    network.max_datagram = max_datagram;
    Make(network);
    cluster->Register(kIgnore, &OnIgnore);
    auto& sender = cluster->node(0).endpoint();
    const size_t whole = sender.WholeMedium(1);
    ASSERT_EQ(sender.DatagramTo(1), max_datagram);
    std::vector<unsigned char> payload(whole + 8);
    const std::array<int32_t, am::kMaxArgs> args = {};
    am::Message message{.category = Category::kMedium,
                        .handler = kIgnore,
                        .num_args = am::kMaxArgs,
                        .args = args.data(),
                        .payload = payload.data(),
                        .nbytes = whole};
    const auto packets = [&] {
      const uint64_t before = sender.statistics().packets_sent;
      EXPECT_EQ(cluster->node(0).Send(1, Lane::kRequest, message), Post::kDone);
      EXPECT_TRUE(cluster->Run([] { return true; }));
      return sender.statistics().packets_sent - before;
    };
    EXPECT_EQ(packets(), 1u) << max_datagram;
    message.nbytes = whole + 8;
    EXPECT_GT(packets(), 1u) << max_datagram;
  }
}

}  // namespace
}  // namespace gasnet::datagram
