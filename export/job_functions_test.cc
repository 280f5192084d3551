// Tests the functions of job control: when each call is legal, which arguments
// it rejects, and which values it passes on to the conduit and the client.
#include "export/job_functions.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "extended/testing/loopback.h"

namespace gasnet::exported {
namespace {

using extended::testing::Loopback;
using extended::testing::LoopbackRuntime;

constexpr uintptr_t kMax = 16 * GASNET_PAGESIZE;

// A runtime of one rank. It records calls, and fails if told to.
class NotingRuntime final : public LoopbackRuntime {
 public:
  using LoopbackRuntime::LoopbackRuntime;

  static absl::StatusOr<std::unique_ptr<Runtime>> Start(
      int* argc, char*** argv, std::string_view config) {
    started = config;
    const auto job = job::Job::Start(argc, argv, config);
    if (!job.ok()) return job.status();
    return std::make_unique<NotingRuntime>(**job);
  }
  uintptr_t MaxLocalSegment() const override { return kMax; }
  absl::Status Attach(const AttachRequest& request) override {
    ++attaches;
    attached = request;
    if (throws) throw std::bad_alloc();
    return fails ? absl::ResourceExhaustedError("no memory")
                 : LoopbackRuntime::Attach(request);
  }

  static inline std::string_view started;
  static inline int attaches = 0;
  static inline AttachRequest attached;
  static inline bool fails = false;
  static inline bool throws = false;
};

using Api = JobFunctions;

int Init(int* argc, char*** argv) {
  constexpr const char* kConfig = "config";
  return Api::Init(kConfig,
                   [=] { return NotingRuntime::Start(argc, argv, kConfig); });
}

void Handler(gasnet_token_t) {}
gasnet_handlerentry_t Entry(int index) {
  return {static_cast<gasnet_handler_t>(index),
          reinterpret_cast<void (*)()>(&Handler)};
}

// A process can have only one job, so the tests depend on this order.

TEST(JobFunctionsDeathTest, BeforeInit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  gasnet_handlerentry_t entry = Entry(200);
  gasnet_seginfo_t segment;
  gasnet_nodeinfo_t node;
  EXPECT_EQ(Api::Attach(&entry, 1, {}), GASNET_ERR_NOT_INIT);
  EXPECT_EQ(Api::SegmentInfo(&segment, 1), GASNET_ERR_NOT_INIT);
  EXPECT_EQ(Api::NodeInfo(&node, 1), GASNET_ERR_NOT_INIT);
  EXPECT_DEATH(Api::MaxLocalSegment(), "gasnet_getMaxLocalSegmentSize");
  EXPECT_DEATH(Api::MaxGlobalSegment(), "gasnet_getMaxGlobalSegmentSize");
  EXPECT_DEATH(Api::SetWaitMode(GASNET_WAIT_SPIN), "gasnet_set_waitmode");
  EXPECT_EXIT(Api::Exit(3), ::testing::ExitedWithCode(3), "");
}

// Runs in its own process, since a process can register handlers only once. The
// error of the conduit is reported.
TEST(JobFunctionsDeathTest, AFailureOfTheConduitIsTold) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto attach = [] {
    int argc = 0;
    char** argv = nullptr;
    NotingRuntime::fails = true;
    if (Init(&argc, &argv) != GASNET_OK) exit(1);
    if (Api::Attach(nullptr, 0, {}) != GASNET_ERR_RESOURCE) exit(2);
    exit(CurrentPhase() == Phase::kInitialised ? 0 : 3);
  };
  EXPECT_EXIT(attach(), ::testing::ExitedWithCode(0),
              "gasnet_attach: no memory");
}

// By default a wait spins before it blocks. In mode "block" it blocks at once.
TEST(JobFunctionsDeathTest, TheWaitModeIsOfTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto spins_with = [](const char* mode) {
    setenv("GASNET_WAITMODE", mode, 1);
    int argc = 0;
    char** argv = nullptr;
    if (Init(&argc, &argv) != GASNET_OK) exit(2);
    exit(runtime->engine().waits().Spins() ? 1 : 0);
  };
  EXPECT_EXIT(spins_with("Block"), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(spins_with("spin"), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(spins_with(""), ::testing::ExitedWithCode(1), "");
  EXPECT_DEATH(spins_with("sleep"),
               "GASNET_WAITMODE.*sleep.*spin, block, spinblock");
}

// A failed memory allocation anywhere in a conduit is reported as well.
TEST(JobFunctionsDeathTest, AWantOfMemoryIsTold) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto attach = [] {
    int argc = 0;
    char** argv = nullptr;
    NotingRuntime::throws = true;
    if (Init(&argc, &argv) != GASNET_OK) exit(1);
    exit(Api::Attach(nullptr, 0, {}) == GASNET_ERR_RESOURCE ? 0 : 2);
  };
  EXPECT_EXIT(attach(), ::testing::ExitedWithCode(0),
              "gasnet_attach: no memory; this process has [0-9]+ MiB");
}

TEST(JobFunctionsTest, Init) {
  int argc = 0;
  char** argv = nullptr;
  ASSERT_EQ(Init(&argc, &argv), GASNET_OK);
  EXPECT_EQ(NotingRuntime::started, "config");
  EXPECT_EQ(gasneti_world.mynode, 0u);
  EXPECT_EQ(gasneti_world.nodes, 1u);
  EXPECT_EQ(Api::MaxLocalSegment(), kMax);
  EXPECT_EQ(Api::MaxGlobalSegment(), kMax);
  EXPECT_EQ(Init(&argc, &argv), GASNET_ERR_NOT_INIT);
}

TEST(JobFunctionsTest, Initialised) {
  gasnet_seginfo_t segment;
  EXPECT_EQ(Api::SegmentInfo(&segment, 1), GASNET_ERR_NOT_INIT);
  std::array<gasnet_nodeinfo_t, 2> nodes = {};
  nodes[1].host = 77;
  EXPECT_EQ(Api::NodeInfo(nodes.data(), 2), GASNET_OK);
  EXPECT_EQ(nodes[0].host, 0u);
  EXPECT_EQ(nodes[0].supernode, 0u);
  EXPECT_EQ(nodes[1].host, 77u);
  EXPECT_EQ(Api::NodeInfo(nullptr, 1), GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::NodeInfo(nodes.data(), -1), GASNET_ERR_BAD_ARG);
  for (const int mode :
       {GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK}) {
    EXPECT_EQ(Api::SetWaitMode(mode), GASNET_OK);
  }
  EXPECT_EQ(Api::SetWaitMode(99), GASNET_ERR_BAD_ARG);
}

TEST(JobFunctionsTest, AttachRefusesWhatIsNotLegal) {
  std::array<gasnet_handlerentry_t, 2> twice = {Entry(200), Entry(200)};
  EXPECT_EQ(Api::Attach(nullptr, 1, {}), GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::Attach(twice.data(), -1, {}), GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::Attach(twice.data(), 2, {}), GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::Attach(twice.data(), 1, {.segment_size = GASNET_PAGESIZE + 1}),
            GASNET_ERR_BAD_ARG);
  EXPECT_EQ(NotingRuntime::attaches, 0);
}

TEST(JobFunctionsTest, Attach) {
  std::array<gasnet_handlerentry_t, 3> table = {Entry(0), Entry(128), Entry(0)};
  ASSERT_EQ(Api::Attach(table.data(), 3, {.segment_size = 2 * kMax}),
            GASNET_OK);
  EXPECT_EQ(NotingRuntime::attaches, 1);
  // Attach limits the segment to the largest possible size, and gives each
  // handler an index.
  EXPECT_EQ(NotingRuntime::attached.segment_size, kMax);
  EXPECT_EQ(table[0].index, 129);
  EXPECT_EQ(table[1].index, 128);
  EXPECT_EQ(table[2].index, 130);
  for (const gasnet_handlerentry_t& each : table) {
    EXPECT_NE(runtime->engine().handlers().Find(each.index), nullptr);
  }
  EXPECT_EQ(CurrentPhase(), Phase::kAttached);
  EXPECT_EQ(Api::Attach(table.data(), 3, {}), GASNET_ERR_NOT_INIT);
}

TEST(JobFunctionsTest, Segments) {
  std::array<gasnet_seginfo_t, 2> segments = {};
  segments[1].size = 77;
  ASSERT_EQ(Api::SegmentInfo(segments.data(), 2), GASNET_OK);
  EXPECT_EQ(segments[0].addr, Loopback::segment());
  EXPECT_EQ(segments[0].size, kMax);
  EXPECT_EQ(segments[1].size, 77u);
  segments[0].size = 77;
  EXPECT_EQ(Api::SegmentInfo(segments.data(), 0), GASNET_OK);
  EXPECT_EQ(segments[0].size, 77u);
  EXPECT_EQ(Api::SegmentInfo(nullptr, 1), GASNET_ERR_BAD_ARG);
  EXPECT_EQ(Api::SegmentInfo(segments.data(), -1), GASNET_ERR_BAD_ARG);
}

}  // namespace
}  // namespace gasnet::exported
