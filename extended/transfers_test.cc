// Tests transfers and synchronisation over active messages that are delivered
// in random order and refused at random. The tests also run over a network that
// performs transfers by itself, also in random order and with refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "extended/front.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::AttachTested;
using testing::kNative;
using testing::Loopback;
using Api = Front;
using Bytes = std::vector<std::byte>;

constexpr const char* kCall = "test";
constexpr std::byte kUntouched{0xee};

// Sizes around every limit of the loopback link: that of a Medium, and that of
// a Long in each direction.
constexpr size_t kSizes[] = {0,    1,    7,    8,    511,  512,  513,  1023,
                             1024, 1025, 2047, 2048, 2049, 4096, 5000, 65537};

class TransfersTest : public ::testing::TestWithParam<size_t> {
 protected:
  static void SetUpTestSuite() { AttachTested(); }
  void SetUp() override {
    Loopback::network().Seed(GetParam());
    std::fill_n(remote(), 2 * kHalf, kUntouched);
  }
  void TearDown() override { EXPECT_EQ(Loopback::network().InFlight(), 0u); }

  // The first half of the segment stands for the target's segment. The second
  // half is this rank's.
  static constexpr size_t kHalf = Loopback::kSegmentSize / 2;
  static std::byte* remote() { return Loopback::segment(); }
  static std::byte* own_segment() { return remote() + kHalf; }

  static Bytes Pattern(size_t nbytes, unsigned seed = 1) {
    Bytes bytes(nbytes);
    for (size_t i = 0; i < nbytes; ++i)
      bytes[i] = static_cast<std::byte>(i * 31 + i / 251 + seed);
    return bytes;
  }
  static Bytes At(const std::byte* from, size_t nbytes) {
    return {from, from + nbytes};
  }
  static unsigned LongsSent() {
    return Loopback::network().sent(am::Category::kLong);
  }
};

TEST_P(TransfersTest, BlockingPutsArriveAndTouchNothingElse) {
  for (const size_t nbytes : kSizes) {
    const Bytes data = Pattern(nbytes);
    Api::Put(kCall, 0, remote() + 64, data.data(), nbytes);
    EXPECT_EQ(At(remote() + 64, nbytes), data) << nbytes;
    EXPECT_EQ(remote()[63], kUntouched);
    EXPECT_EQ(remote()[64 + nbytes], kUntouched) << nbytes;
  }
}

TEST_P(TransfersTest, BlockingGetsToTheHeapArrive) {
  const unsigned longs = LongsSent();
  for (const size_t nbytes : kSizes) {
    const Bytes data = Pattern(nbytes);
    std::copy(data.begin(), data.end(), remote());
    Bytes got(nbytes + 2, kUntouched);
    Api::Get(kCall, got.data() + 1, 0, remote(), nbytes);
    EXPECT_EQ(At(got.data() + 1, nbytes), data) << nbytes;
    EXPECT_EQ(got.front(), kUntouched);
    EXPECT_EQ(got.back(), kUntouched);
  }
  EXPECT_EQ(LongsSent(), longs) << "a Long can only go to the segment";
}

TEST_P(TransfersTest, LargeGetsIntoTheSegmentUseLongReplies) {
  const unsigned longs = LongsSent();
  for (const size_t nbytes : kSizes) {
    const Bytes data = Pattern(nbytes);
    std::copy(data.begin(), data.end(), remote());
    Api::Get(kCall, own_segment() + 1, 0, remote(), nbytes);
    EXPECT_EQ(At(own_segment() + 1, nbytes), data) << nbytes;
    EXPECT_EQ(own_segment()[0], kUntouched);
    EXPECT_EQ(own_segment()[1 + nbytes], kUntouched) << nbytes;
  }
  if constexpr (kNative) {
    EXPECT_EQ(LongsSent(), longs);
  } else {
    EXPECT_GT(LongsSent(), longs);
  }
}

// A network may read a source in the segment in place, even after the post has
// returned.
TEST_P(TransfersTest, TheSourceOfAPutMayBeReusedAtOnce) {
  Bytes elsewhere(kSizes[std::size(kSizes) - 1]);
  for (std::byte* const source :
       {elsewhere.data(), own_segment() + kHalf / 2}) {
    for (const size_t nbytes : kSizes) {
      const Bytes data = Pattern(nbytes);
      std::copy(data.begin(), data.end(), source);
      const Handle handle = Api::PutNb(kCall, 0, remote(), source, nbytes);
      std::fill_n(source, nbytes, std::byte{0});
      std::copy(data.begin(), data.end(), source);
      Api::PutNbi(kCall, 0, own_segment(), source, nbytes);
      std::fill_n(source, nbytes, std::byte{0});
      if (handle != nullptr) Api::Wait(kCall, handle);
      Api::WaitImplicit(kCall, &Iop::PutsDone);
      EXPECT_EQ(At(remote(), nbytes), data) << nbytes;
      EXPECT_EQ(At(own_segment(), nbytes), data) << nbytes;
    }
  }
}

TEST_P(TransfersTest, MemsetsFillWhatTheyShould) {
  for (const size_t nbytes : kSizes) {
    std::fill_n(remote(), nbytes + 2, kUntouched);
    Api::Memset(kCall, 0, remote() + 1, 0x1ab, nbytes);
    EXPECT_EQ(At(remote() + 1, nbytes), Bytes(nbytes, std::byte{0xab}));
    EXPECT_EQ(remote()[0], kUntouched);
    EXPECT_EQ(remote()[nbytes + 1], kUntouched);
  }
  const Handle handle = Api::MemsetNb(kCall, 0, remote(), 1, 100);
  Api::MemsetNbi(kCall, 0, own_segment(), 2, 100);
  Api::Wait(kCall, handle);
  Api::WaitImplicit(kCall, &Iop::PutsDone);
  EXPECT_EQ(At(remote(), 100), Bytes(100, std::byte{1}));
  EXPECT_EQ(At(own_segment(), 100), Bytes(100, std::byte{2}));
}

TEST_P(TransfersTest, ValuesKeepTheirLowBytes) {
  constexpr uint64_t kValue = 0x8182838485868788;
  for (size_t nbytes = 1; nbytes <= 8; ++nbytes) {
    const uint64_t low =
        nbytes == 8 ? kValue : kValue & ~(~uint64_t{0} << 8 * nbytes);
    std::fill_n(remote(), 48, kUntouched);
    Api::PutValue(kCall, 0, remote() + 8, kValue, nbytes);
    Api::Wait(kCall, Api::PutValueNb(kCall, 0, remote() + 24, kValue, nbytes));
    Api::PutValueNbi(kCall, 0, remote() + 40, kValue, nbytes);
    Api::WaitImplicit(kCall, &Iop::IsDone);
    for (const size_t offset : {8, 24, 40}) {
      EXPECT_EQ(remote()[offset - 1], kUntouched);
      EXPECT_EQ(remote()[offset + nbytes], kUntouched);
      EXPECT_EQ(Api::GetValue(kCall, 0, remote() + offset, nbytes), low);
    }
    EXPECT_EQ(
        Api::WaitValue(kCall, Api::GetValueNb(kCall, 0, remote() + 8, nbytes)),
        low);
  }
}

TEST_P(TransfersTest, ZeroBytesNeedNoMemoryAndNoSync) {
  EXPECT_EQ(Api::PutNb(kCall, 0, remote(), nullptr, 0), nullptr);
  EXPECT_EQ(Api::GetNb(kCall, nullptr, 0, remote(), 0), nullptr);
  EXPECT_EQ(Api::MemsetNb(kCall, 0, remote(), 1, 0), nullptr);
  EXPECT_EQ(remote()[0], kUntouched);
}

TEST_P(TransfersTest, ArraysOfHandlesShowWhichAreComplete) {
  constexpr size_t kCount = 50;
  std::array<Handle, 2 * kCount> handles{};
  std::array<uint64_t, kCount> got{};
  for (size_t i = 0; i < kCount; ++i) {
    std::memcpy(remote() + 8 * i, &i, 8);
    handles[2 * i] = Api::GetNb(kCall, &got[i], 0, remote() + 8 * i, 8);
  }
  while (!Api::TryAll(kCall, handles.data(), handles.size())) {
    for (size_t i = 0; i < kCount; ++i) {
      if (handles[2 * i] == nullptr) {
        EXPECT_EQ(got[i], i);
      }
    }
  }
  for (const Handle handle : handles) EXPECT_EQ(handle, nullptr);
}

TEST_P(TransfersTest, SomeMeansAtLeastOne) {
  std::array<Handle, 20> handles{};
  std::array<uint64_t, 20> got{};
  for (size_t i = 0; i < handles.size(); ++i)
    handles[i] = Api::GetNb(kCall, &got[i], 0, remote(), 8);
  const auto left = [&] {
    return handles.size() - static_cast<size_t>(std::count(
                                handles.begin(), handles.end(), nullptr));
  };
  while (left() > 0) {
    const size_t before = left();
    if (before % 2 == 0) {
      Api::WaitSome(kCall, handles.data(), handles.size());
      EXPECT_LT(left(), before);
    } else {
      const bool is_some = Api::TrySome(kCall, handles.data(), handles.size());
      EXPECT_EQ(is_some, left() < before);
    }
  }
  Api::WaitSome(kCall, handles.data(), handles.size());
  EXPECT_TRUE(Api::TrySome(kCall, handles.data(), handles.size()));
  EXPECT_TRUE(Api::TrySome(kCall, nullptr, 0));
  EXPECT_TRUE(Api::TryAll(kCall, nullptr, 0));
}

TEST_P(TransfersTest, NothingIsReadyBeforeTheNetworkDelivers) {
  uint64_t got = 0;
  // Large enough that no network can complete the put within the post.
  const std::vector<std::byte> sent(80);
  Loopback::network().Pause(true);
  Handle put = Api::PutNb(kCall, 0, remote(), sent.data(), sent.size());
  Handle handles[] = {nullptr, put};
  Api::GetNbi(kCall, &got, 0, remote() + 128, 8);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(Api::Try(kCall, put));
    EXPECT_FALSE(Api::TryAll(kCall, handles, 2));
    EXPECT_FALSE(Api::TrySome(kCall, handles, 2));
    EXPECT_FALSE(Api::TryImplicit(kCall, &Iop::GetsDone));
    EXPECT_FALSE(Api::TryImplicit(kCall, &Iop::IsDone));
    EXPECT_TRUE(Api::TryImplicit(kCall, &Iop::PutsDone));
  }
  Loopback::network().Pause(false);
  Api::WaitAll(kCall, handles, 2);
  EXPECT_EQ(handles[1], nullptr);
  while (!Api::TryImplicit(kCall, &Iop::IsDone)) {
  }
}

TEST_P(TransfersTest, ARegionIsSyncedByItsHandleAlone) {
  const Bytes data = Pattern(5000);
  Bytes got(5000);
  std::copy(data.begin(), data.end(), own_segment());
  Loopback::network().Pause(true);
  Api::BeginRegion(kCall);
  Api::PutNbi(kCall, 0, remote(), data.data(), data.size());
  Api::GetNbi(kCall, got.data(), 0, own_segment(), got.size());
  Handle region = Api::EndRegion(kCall);
  ASSERT_NE(region, nullptr);
  EXPECT_TRUE(Api::TryImplicit(kCall, &Iop::IsDone))
      << "operations of a region are no implicit ones";
  EXPECT_FALSE(Api::Try(kCall, region));
  Loopback::network().Pause(false);
  Api::Wait(kCall, region);
  EXPECT_EQ(At(remote(), data.size()), data);
  EXPECT_EQ(got, data);
}

TEST_P(TransfersTest, AnEmptyRegionIsCompleteAtOnce) {
  Api::BeginRegion(kCall);
  EXPECT_TRUE(Api::Try(kCall, Api::EndRegion(kCall)));
}

TEST_P(TransfersTest, SeveralRegionsMayBeInFlight) {
  std::vector<Handle> regions;
  for (uint64_t i = 0; i < 40; ++i) {
    Api::BeginRegion(kCall);
    Api::PutNbi(kCall, 0, remote() + 16 * i, &i, 8);
    const Handle single = Api::PutNb(kCall, 0, remote() + 16 * i + 8, &i, 8);
    regions.push_back(Api::EndRegion(kCall));
    regions.push_back(single);
  }
  Api::WaitAll(kCall, regions.data(), regions.size());
  for (uint64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(Api::GetValue(kCall, 0, remote() + 16 * i, 8), i);
    EXPECT_EQ(Api::GetValue(kCall, 0, remote() + 16 * i + 8, 8), i);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TransfersTest, ::testing::Range<size_t>(0, 20));

// A class of its own, since its test runs once, not for many seeds.
class ManyTransfersTest : public TransfersTest {};

TEST_P(ManyTransfersTest, SixtyFiveThousandExplicitAndImplicitAreInFlight) {
  if (kNative) GTEST_SKIP() << "the network bounds how many are under way";
  constexpr uint64_t kCount = 65535;
  std::vector<Handle> handles(kCount);
  std::vector<uint32_t> got(kCount);
  for (uint32_t i = 0; i < kCount; ++i) std::memcpy(remote() + 4 * i, &i, 4);
  Loopback::network().Pause(true);
  for (uint64_t i = 0; i < kCount; ++i) {
    handles[i] = Api::GetNb(kCall, &got[i], 0, remote() + 4 * i, 4);
    Api::PutNbi(kCall, 0, own_segment() + 4 * i, remote() + 4 * i, 4);
  }
  EXPECT_EQ(Loopback::network().InFlight(), 2 * kCount);
  Loopback::network().Pause(false);
  Api::WaitAll(kCall, handles.data(), handles.size());
  Api::WaitImplicit(kCall, &Iop::PutsDone);
  for (uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], i);
  EXPECT_EQ(At(own_segment(), 4 * kCount), At(remote(), 4 * kCount));
}

INSTANTIATE_TEST_SUITE_P(OneSeed, ManyTransfersTest, ::testing::Values(7));

}  // namespace
}  // namespace gasnet::extended
