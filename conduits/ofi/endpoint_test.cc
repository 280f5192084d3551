// Tests an endpoint's objects over the fake fabric: which objects are opened,
// in which order, and how failures are reported. Also tests that memory is
// registered as each provider demands.
#include "conduits/ofi/endpoint.h"
#include "absl/status/statusor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_errno.h>
#include <sys/resource.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conduits/ofi/aligned_bytes.h"
#include "conduits/ofi/choice.h"
#include "conduits/ofi/library.h"
#include "conduits/ofi/testing/fake_fabric.h"

namespace gasnet::ofi {
namespace {

using testing::FakeFabric;
using testing::FakeFabricOptions;
using testing::FakeWait;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr OfiEndpoint::Sizes kSizes = {.queue = 64, .frame_bytes = 256};

absl::StatusOr<std::unique_ptr<OfiEndpoint>> Open(const FakeFabric& fabric,
                                                  const Wishes& wishes = {}) {
  Info info = fabric.info();
  const Paths paths(*info, wishes);
  return OfiEndpoint::Open(fabric.library(), std::move(info), paths, kSizes);
}

TEST(EndpointTest, OpensWhatWasChosen) {
  FakeFabric fabric({});
  OfiSettings settings = {};
  settings.provider = "fake";
  absl::StatusOr<Info> info =
      Choose(fabric.library(), settings,
             {*ip::Address::Parse("192.0.2.7"), {.cpus = {0}}});
  ASSERT_TRUE(info.ok()) << info.status();
  const Paths paths(**info, {});
  const absl::StatusOr<std::unique_ptr<OfiEndpoint>> opened =
      OfiEndpoint::Open(fabric.library(), *std::move(info), paths, kSizes);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_STREQ((*opened)->provider(), "fake");
  EXPECT_STREQ((*opened)->device(), "fake0");
}

// Like real providers, the fake requires that FI_OPT_MIN_MULTI_RECV is set
// before the endpoint is enabled. If the fake's name is "shm", it requires that
// the endpoint is enabled first.
TEST(EndpointTest, OptionsAreSetWhenTheProviderWantsThem) {
  for (const char* const provider : {"fake", "shm"}) {
    for (const bool multi_receive : {false, true}) {
      FakeFabric fabric({.multi_receive = multi_receive, .provider = provider});
      EXPECT_TRUE(Open(fabric).ok());
    }
  }
}

TEST(EndpointTest, EachHasANameAndTakesThoseOfItsPeers) {
  FakeFabric fabric({});
  const auto first = Open(fabric), second = Open(fabric);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE((*first)->name(), (*second)->name());
  const std::vector<std::string> names = {(*first)->name(), (*second)->name()};
  ASSERT_TRUE((*first)->SetPeers(names).ok());
  EXPECT_NE((*first)->PeerAddress(0), (*first)->PeerAddress(1));
}

struct Failure {
  const char* function;
  const char* what;
};

class EndpointFailureTest : public ::testing::TestWithParam<Failure> {};

TEST_P(EndpointFailureTest, IsTold) {
  FakeFabric fabric({.fails = GetParam().function});
  const absl::StatusOr<std::unique_ptr<OfiEndpoint>> opened = Open(fabric);
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(std::string(opened.status().message()),
              AllOf(HasSubstr("provider fake on device fake0 cannot "),
                    HasSubstr(GetParam().what)));
}

INSTANTIATE_TEST_SUITE_P(
    Functions, EndpointFailureTest,
    ::testing::Values(Failure{"fi_fabric", "open its fabric: Cannot allocate"},
                      Failure{"fi_domain", "open its domain: Cannot allocate"},
                      Failure{"fi_cq_open", "make a completion queue: Cannot"},
                      Failure{"fi_av_open", "make an address vector: Cannot"},
                      Failure{"fi_endpoint", "make an endpoint: Cannot"},
                      Failure{"fi_ep_bind", "bind an address vector: Invalid"},
                      Failure{"fi_setopt", "enable an endpoint: "},
                      Failure{"fi_enable", "enable an endpoint: Cannot"},
                      Failure{"fi_getname", "report an endpoint's address: "}),
    [](const auto& one) { return std::string(one.param.function); });

TEST(EndpointTest, APeerThatIsNotTakenIsTold) {
  FakeFabric fabric({.fails = "fi_av_insert"});
  const auto opened = Open(fabric);
  ASSERT_TRUE(opened.ok());
  const std::vector<std::string> names = {(*opened)->name()};
  EXPECT_THAT(std::string((*opened)->SetPeers(names).message()),
              HasSubstr("cannot insert a peer's address: Invalid argument"));
}

// Limits locked memory to 64 KiB while the object exists.
class LockLimit {
 public:
  LockLimit() {
    EXPECT_EQ(getrlimit(RLIMIT_MEMLOCK, &before_), 0);
    rlimit less = before_;
    less.rlim_cur = 65536;
    EXPECT_EQ(setrlimit(RLIMIT_MEMLOCK, &less), 0);
  }
  ~LockLimit() { setrlimit(RLIMIT_MEMLOCK, &before_); }

 private:
  rlimit before_ = {};
};

TEST(EndpointTest, ASegmentThatIsRefusedIsToldWithRemedies) {
  FakeFabric fabric({.fails = "fi_mr_reg"});
  const auto opened = Open(fabric);
  ASSERT_TRUE(opened.ok());
  const LockLimit limit;
  const auto refused = (*opened)->RegisterSegment({0x1000000, 1 << 20});
  const auto small = (*opened)->RegisterSegment({0x1000000, 4096});
  EXPECT_THAT(std::string(refused.status().message()),
              AllOf(HasSubstr("cannot register 1048576 bytes: Cannot allocate"),
                    HasSubstr("GASNET_MAX_SEGSIZE makes segments smaller"),
                    HasSubstr("no more than 64 KiB of memory (ulimit -l")));
  EXPECT_THAT(std::string(small.status().message()), Not(HasSubstr("ulimit")));
}

// Frames are registered before segments. So frames may hit the limit, too.
TEST(EndpointTest, AnyMemoryThatIsRefusedIsToldWithTheLimit) {
  FakeFabric fabric({});
  const auto opened = Open(fabric);
  ASSERT_TRUE(opened.ok());
  const AlignedBytes memory = MakeAlignedBytes(40960);
  const LockLimit limit;
  const auto register_it = [&] {
    return (*opened)->Register(memory.get(), 40960, FI_SEND, /*key=*/5);
  };
  ASSERT_TRUE(register_it().ok());
  // The second registration fails because the key is in use. The message names
  // the limit regardless of the reason.
  EXPECT_THAT(std::string(register_it().status().message()),
              AllOf(HasSubstr("no more than 64 KiB of memory (ulimit -l"),
                    Not(HasSubstr("GASNET_MAX_SEGSIZE"))));
}

TEST(EndpointTest, WaitsOnlyWhereThereIsADescriptor) {
  for (const FakeWait wait :
       {FakeWait::kNone, FakeWait::kHidden, FakeWait::kDescriptor}) {
    FakeFabric fabric({.wait = wait});
    const auto opened = Open(fabric);
    ASSERT_TRUE(opened.ok()) << opened.status();
    const bool can = wait == FakeWait::kDescriptor;
    EXPECT_EQ((*opened)->fd() >= 0, can);
    EXPECT_EQ((*opened)->MayWait(), can);
    const auto napping = Open(fabric, {.waiting = WaitStrategy::kNaps});
    ASSERT_TRUE(napping.ok()) << napping.status();
    EXPECT_LT((*napping)->fd(), 0);
  }
}

TEST(EndpointTest, DoesNotWaitWhereTheProviderWillNotSay) {
  FakeFabric fabric({.wait = FakeWait::kDescriptor, .fails = "fi_trywait"});
  const auto opened = Open(fabric);
  ASSERT_TRUE(opened.ok());
  EXPECT_FALSE((*opened)->MayWait());
}

// Fixture for tests that register memory with untouched pages.
class RegistrationTest : public ::testing::TestWithParam<int> {
 protected:
  static constexpr size_t kBytes = size_t{1} << 20;
  const AlignedBytes memory_ = MakeAlignedBytes(kBytes);
};

TEST_P(RegistrationTest, IsAsTheProviderDemands) {
  FakeFabric fabric({.mr_mode = GetParam()});
  const auto opened = Open(fabric);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const absl::StatusOr<Registered> made =
      (*opened)->Register(memory_.get(), kBytes, FI_SEND, 5);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_NE(made->region, nullptr);
  EXPECT_NE(made->descriptor, nullptr);
  EXPECT_EQ(made->key == 5, !(*opened)->paths().provider_keys);
}

TEST_P(RegistrationTest, OfASegmentHasAKeyThatNobodyGuesses) {
  for (const size_t key_bytes : {size_t{4}, size_t{8}}) {
    FakeFabric fabric({.mr_mode = GetParam(), .key_bytes = key_bytes});
    const auto first = Open(fabric), second = Open(fabric);
    ASSERT_TRUE(first.ok() && second.ok());
    const Segment segment = {reinterpret_cast<uintptr_t>(memory_.get()),
                             kBytes};
    const auto one = (*first)->RegisterSegment(segment);
    const auto two = (*second)->RegisterSegment(segment);
    ASSERT_TRUE(one.ok() && two.ok()) << one.status() << two.status();
    EXPECT_NE(one->key, two->key);
    EXPECT_GT(one->key, 100u);
    EXPECT_LE(one->key, key_bytes == 4 ? UINT32_MAX : UINT64_MAX);
  }
}

TEST_P(RegistrationTest, ThatFailsIsTold) {
  std::vector<std::string> functions = {"fi_mr_reg"};
  if ((GetParam() & FI_MR_ENDPOINT) != 0) {
    functions = {"fi_mr_reg", "fi_mr_bind", "fi_mr_enable"};
  }
  for (const std::string& function : functions) {
    FakeFabric fabric({.mr_mode = GetParam(), .fails = function});
    const auto opened = Open(fabric);
    ASSERT_TRUE(opened.ok()) << opened.status();
    const absl::StatusOr<Registered> made =
        (*opened)->Register(memory_.get(), kBytes, FI_SEND, 5);
    EXPECT_THAT(std::string(made.status().message()),
                HasSubstr(function == "fi_mr_reg" ? "register 1048576 bytes"
                                                  : "bind 1048576 bytes"));
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RegistrationTest,
                         ::testing::Values(0, FI_MR_LOCAL, FI_MR_VIRT_ADDR,
                                           FI_MR_ALLOCATED, FI_MR_PROV_KEY,
                                           FI_MR_ENDPOINT, kBasicRegistration,
                                           FI_MR_LOCAL | FI_MR_ENDPOINT |
                                               FI_MR_PROV_KEY));

}  // namespace
}  // namespace gasnet::ofi
