// Tests how a transfer is performed: by the network itself if the network
// reaches the memory and the transfer is not too short, otherwise by messages.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/rma/rma.h"
#include "extended/front.h"
#include "extended/native.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::Loopback;

constexpr const char* kCall = "test";
constexpr size_t kMinPut = 100;
constexpr size_t kMinGet = 200;
constexpr size_t kMinFill = 5;
constexpr size_t kMaxFilled = 20;

// The fake network, with thresholds and with a peer that may be out of reach.
class ChoosyRma final : public rma::Rma {
 public:
  rma::Posted Post(const rma::Put& put) override {
    return Loopback::rma().Post(put);
  }
  rma::Posted Post(const rma::Get& get) override {
    return Loopback::rma().Post(get);
  }
  bool Reaches(Rank) const override { return reaches; }
  const rma::Thresholds& thresholds() const override { return least; }

  // Sets the thresholds and the answer of Reaches(), as if the job had been
  // attached anew.
  void Be(const rma::Thresholds& thresholds, bool reaches_it = true) {
    least = thresholds;
    reaches = reaches_it;
    Native::Mine().Start();
  }

  rma::Thresholds least = {.put = kMinPut, .get = kMinGet};
  bool reaches = true;
};
ChoosyRma choosy;

using Api = Front;

class NativeWaysTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { Loopback::AttachNative(&choosy); }

  // Returns true if `transfer` uses only the network's own transfers, false if
  // it uses only messages.
  template <class Transfer>
  static bool IsNative(Transfer transfer) {
    const uint64_t taken = Taken();
    const unsigned sent = Sent();
    transfer();
    const bool by_network = Taken() > taken;
    EXPECT_NE(by_network, Sent() > sent);
    return by_network;
  }
  // Returns the number of transfers that the network has taken, including those
  // that were complete at once.
  static uint64_t Taken() {
    const auto counts = Loopback::rma().counts();
    return counts.posted + counts.done;
  }
  static unsigned Sent() {
    unsigned sent = 0;
    for (const auto category :
         {am::Category::kShort, am::Category::kMedium, am::Category::kLong}) {
      sent += Loopback::network().sent(category);
    }
    return sent;
  }

  std::byte* const there_ = Loopback::segment();
  std::vector<std::byte> here_ = std::vector<std::byte>(1000);
};

TEST_F(NativeWaysTest, ThresholdsOfPuts) {
  const auto put = [&](size_t nbytes) {
    return IsNative([&] { Api::Put(kCall, 0, there_, here_.data(), nbytes); });
  };
  const auto put_nbi = [&](size_t nbytes) {
    return IsNative([&] {
      Api::PutNbi(kCall, 0, there_, here_.data(), nbytes);
      Api::WaitImplicit(kCall, &Iop::PutsDone);
    });
  };
  EXPECT_FALSE(put(kMinPut - 1));
  EXPECT_TRUE(put(kMinPut));
  EXPECT_FALSE(put_nbi(kMinPut - 1));
  EXPECT_TRUE(put_nbi(kMinPut));
}

TEST_F(NativeWaysTest, ThresholdsOfGets) {
  const auto get = [&](size_t nbytes) {
    return IsNative([&] { Api::Get(kCall, here_.data(), 0, there_, nbytes); });
  };
  const auto get_nbi = [&](size_t nbytes) {
    return IsNative([&] {
      Api::GetNbi(kCall, here_.data(), 0, there_, nbytes);
      Api::WaitImplicit(kCall, &Iop::GetsDone);
    });
  };
  EXPECT_FALSE(get(kMinGet - 1));
  EXPECT_TRUE(get(kMinGet));
  EXPECT_FALSE(get_nbi(kMinGet - 1));
  EXPECT_TRUE(get_nbi(kMinGet));
}

TEST_F(NativeWaysTest, WhomTheNetworkDoesNotReach) {
  const rma::Thresholds before = choosy.least;
  choosy.Be(before, /*reaches_it=*/false);
  EXPECT_FALSE(
      IsNative([&] { Api::Put(kCall, 0, there_, here_.data(), 1000); }));
  EXPECT_FALSE(
      IsNative([&] { Api::Get(kCall, here_.data(), 0, there_, 1000); }));
  choosy.Be(before);
}

TEST_F(NativeWaysTest, SmallMemsetsArePuts) {
  const rma::Thresholds before = choosy.least;
  const rma::Thresholds fills = {.put = kMinFill, .fill = kMaxFilled};
  choosy.Be(fills);
  const auto fill = [&](size_t nbytes) {
    return IsNative([&] { Api::Memset(kCall, 0, there_, 7, nbytes); });
  };
  const auto fill_nbi = [&](size_t nbytes) {
    return IsNative([&] {
      Api::MemsetNbi(kCall, 0, there_, 7, nbytes);
      Api::WaitImplicit(kCall, &Iop::PutsDone);
    });
  };
  for (const size_t nbytes : {kMinFill, kMaxFilled}) {
    EXPECT_TRUE(fill(nbytes));
    EXPECT_TRUE(fill_nbi(nbytes));
  }
  for (const size_t nbytes : {kMinFill - 1, kMaxFilled + 1}) {
    EXPECT_FALSE(fill(nbytes));
    EXPECT_FALSE(fill_nbi(nbytes));
  }
  choosy.Be(fills, /*reaches_it=*/false);
  EXPECT_FALSE(fill(kMaxFilled));
  choosy.Be(before);
}

TEST_F(NativeWaysTest, ASmallMemsetFillsWhatItIsToldTo) {
  constexpr size_t kMax = rma::kMaxFill;
  const rma::Thresholds before = choosy.least;
  choosy.Be({});
  for (size_t nbytes = 1; nbytes <= kMax; ++nbytes) {
    std::memset(there_, 0xee, kMax + 2);
    const int value = static_cast<int>(nbytes) + 0x500;
    ASSERT_TRUE(
        IsNative([&] { Front::Memset(kCall, 0, there_ + 1, value, nbytes); }));
    const auto at = [&](size_t i) { return std::to_integer<int>(there_[i]); };
    EXPECT_EQ(at(0), 0xee);
    for (size_t i = 1; i <= nbytes; ++i) ASSERT_EQ(at(i), value & 0xff);
    EXPECT_EQ(at(nbytes + 1), 0xee);
  }
  choosy.Be(before);
}

TEST_F(NativeWaysTest, LargeMemsetsAndValueGetsThatDoNotBlock) {
  EXPECT_FALSE(IsNative([&] { Api::Memset(kCall, 0, there_, 7, 1000); }));
  EXPECT_FALSE(IsNative(
      [&] { Api::WaitValue(kCall, Api::GetValueNb(kCall, 0, there_, 8)); }));
}

}  // namespace
}  // namespace gasnet::extended
