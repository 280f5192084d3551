// Tests puts and gets over the fake fabric. When a transfer is reported, its
// data must be in place, or its source must be free. No transfer may violate
// the provider's limits on size and registration.
#include "conduits/ofi/transfers.h"

#include <gtest/gtest.h>
#include <rdma/fi_domain.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "conduits/ofi/library.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/transfer_ranks.h"

namespace gasnet::ofi {
namespace {

using testing::FakeFabricOptions;
using testing::TransferRanks;

constexpr int kAllModes = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
                          FI_MR_PROV_KEY | FI_MR_ENDPOINT;
constexpr size_t kHalf = size_t{512} << 10;  // half of a segment

struct Provider {
  const char* name;
  FakeFabricOptions options;
};

// Returns options with which a read behind puts completes the puts.
FakeFabricOptions Flushing(FakeFabricOptions options) {
  options.order = FI_ORDER_RMA_RAW;
  options.wishes.remote_completion = RemoteCompletion::kRead;
  return options;
}

std::vector<Provider> Providers() {
  return {
      {"Plain", {}},
      {"Local", {.mr_mode = FI_MR_LOCAL}},
      {"Virtual", {.mr_mode = FI_MR_VIRT_ADDR}},
      {"ProviderKeys", {.mr_mode = FI_MR_PROV_KEY, .key_bytes = 4}},
      {"Allocated", {.mr_mode = FI_MR_ALLOCATED}},
      {"OfEndpoints", {.mr_mode = FI_MR_ENDPOINT}},
      {"Basic", {.again = 3, .mr_mode = kBasicRegistration}},
      {"Demanding", {.late = 10, .again = 3, .mr_mode = kAllModes}},
      {"NoInject", {.inject_bytes = 0}},
      {"SmallTransfers", {.again = 6, .most_bytes = 1000}},
      {"SmallLocalTransfers", {.mr_mode = FI_MR_LOCAL, .most_bytes = 1000}},
      {"FewPosts", {.most_posted = 3}},
      {"Read", Flushing({})},
      {"ReadSmallAlone", Flushing({.again = 3, .raw_bytes = 100})},
      {"ReadDemanding",
       Flushing({.late = 10, .again = 3, .mr_mode = kAllModes})},
      {"ReadFewPosts", Flushing({.most_bytes = 1000, .most_posted = 2})},
  };
}

void Fill(std::byte* to, size_t nbytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < nbytes; ++i) to[i] = std::byte(random() >> 7);
}

// The sizes of puts that tests post. Some puts are injected, some are copied to
// a bounce buffer, and some are larger.
constexpr size_t kLengths[] = {1,     2,     8,    63,    64,    65,
                               999,   1000,  1001, 4096,  65535, 65536,
                               65537, 70001, 9000, 131073};

class TransfersTest
    : public ::testing::TestWithParam<std::tuple<Provider, uint64_t>> {
 protected:
  FakeFabricOptions Options() const {
    FakeFabricOptions options = std::get<0>(GetParam()).options;
    options.seed = std::get<1>(GetParam());
    return options;
  }

  // Verifies that no write was reported before it was in place. If reads
  // complete puts, the report of a write need not mean that the write is in
  // place. In this case, verifies that some writes were reported too early.
  void ExpectNoLateWrites() {
    const uint64_t late = ranks_.fabric().counts().late_writes;
    if (Options().wishes.remote_completion == RemoteCompletion::kRead) {
      EXPECT_GT(late, 0u);
    } else {
      EXPECT_EQ(late, 0u);
    }
  }

  TransferRanks ranks_{Options(), 2};
};

// The source is in the segment or in memory that is not registered, and is
// overwritten as soon as that is permitted.
TEST_P(TransfersTest, APutIsThereWhenItIsComplete) {
  uint64_t seed = 0;
  for (const bool own : {true, false}) {
    for (const bool sources_wanted : {true, false}) {
      for (const size_t nbytes : kLengths) {
        std::vector<std::byte> wanted(nbytes), other(nbytes);
        Fill(wanted.data(), nbytes, ++seed);
        std::byte* const source = own ? ranks_.Memory(0, 11) : other.data();
        std::memcpy(source, wanted.data(), nbytes);
        std::byte* const dest = ranks_.Memory(1, 13);
        std::memset(dest - 1, 0x55, nbytes + 2);
        rma::PendingCount complete, sources;
        ranks_.PostAll(0, rma::Put{1, dest, source, nbytes, &complete,
                                   sources_wanted ? &sources : nullptr});
        if (sources_wanted) {
          ranks_.Await(sources);
          std::memset(source, 0xee, nbytes);
        }
        ranks_.Await(complete);
        ASSERT_EQ(std::memcmp(dest, wanted.data(), nbytes), 0) << nbytes;
        ASSERT_EQ(dest[-1], std::byte{0x55});
        ASSERT_EQ(dest[nbytes], std::byte{0x55});
      }
    }
  }
  EXPECT_EQ(ranks_[0].under_way(), 0u);
  ExpectNoLateWrites();
  EXPECT_LE(ranks_.fabric().counts().largest, Options().most_bytes);
}

TEST_P(TransfersTest, AGetIsThereWhenItIsComplete) {
  uint64_t seed = 0;
  for (const bool own : {true, false}) {
    for (const size_t nbytes : kLengths) {
      std::vector<std::byte> other(nbytes + 2);
      std::byte* const dest = (own ? ranks_.Memory(0, 11) : other.data()) + 1;
      std::memset(dest - 1, 0x55, nbytes + 2);
      Fill(ranks_.Memory(1, 17), nbytes, ++seed);
      rma::PendingCount complete;
      ranks_.PostAll(
          0, rma::Get{1, dest, ranks_.Memory(1, 17), nbytes, &complete});
      ranks_.Await(complete);
      ASSERT_EQ(std::memcmp(dest, ranks_.Memory(1, 17), nbytes), 0) << nbytes;
      ASSERT_EQ(dest[-1], std::byte{0x55});
      ASSERT_EQ(dest[nbytes], std::byte{0x55});
    }
  }
  EXPECT_EQ(ranks_[0].under_way(), 0u);
}

// Posts many transfers at once, in both directions: puts to one half of each
// segment, and gets from the other half.
TEST_P(TransfersTest, AMixtureArrives) {
  struct Under {
    Rank from;
    bool is_put;
    size_t offset, nbytes;
    std::vector<std::byte> wanted, other;
    rma::PendingCount complete, sources;
  };
  std::deque<Under> all;
  std::mt19937_64 random(std::get<1>(GetParam()));
  Fill(ranks_.Memory(0, kHalf), kHalf, 1);
  Fill(ranks_.Memory(1, kHalf), kHalf, 2);
  constexpr size_t kEach = 2000;
  for (size_t i = 0; i < kHalf / kEach; ++i) {
    Under& each = all.emplace_back();
    each.from = random() % 2;
    each.is_put = random() % 2 == 0;
    each.offset = i * kEach;
    each.nbytes = 1 + random() % (i % 3 == 0 ? 64 : kEach);
    each.wanted.resize(each.nbytes);
    const Rank to = 1 - each.from;
    if (each.is_put) {
      Fill(each.wanted.data(), each.nbytes, random());
      each.other = each.wanted;
      ranks_.PostAll(each.from, rma::Put{to, ranks_.Memory(to, each.offset),
                                         each.other.data(), each.nbytes,
                                         &each.complete, &each.sources});
    } else {
      std::byte* const there = ranks_.Memory(to, kHalf + each.offset);
      each.wanted.assign(there, there + each.nbytes);
      each.other.resize(each.nbytes);
      ranks_.PostAll(each.from, rma::Get{to, each.other.data(), there,
                                         each.nbytes, &each.complete});
    }
    for (Under& before : all) {
      if (before.is_put && before.sources.IsOver()) {
        std::fill(before.other.begin(), before.other.end(), std::byte{0xee});
      }
    }
  }
  for (Under& each : all) {
    ranks_.Await(each.complete);
    EXPECT_TRUE(each.sources.IsOver());
    const std::byte* const there =
        each.is_put ? ranks_.Memory(1 - each.from, each.offset)
                    : each.other.data();
    ASSERT_EQ(std::memcmp(there, each.wanted.data(), each.nbytes), 0);
  }
  ExpectNoLateWrites();
}

INSTANTIATE_TEST_SUITE_P(Providers, TransfersTest,
                         ::testing::Combine(::testing::ValuesIn(Providers()),
                                            ::testing::Range<uint64_t>(1, 4)),
                         [](const auto& one) {
                           return std::get<0>(one.param).name +
                                  std::to_string(std::get<1>(one.param));
                         });

}  // namespace
}  // namespace gasnet::ofi
