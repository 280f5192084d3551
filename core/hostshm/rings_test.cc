// Tests of the places of the rings of a host's groups, in jobs of a few ranks.
#include "core/hostshm/rings.h"
#include "base/round_up.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/am/cpu_board.h"
#include "core/am/engine.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"
#include "gtest/gtest.h"
#include "job/gather.h"
#include "job/job.h"
#include "job/testing/forked_job.h"

namespace gasnet::hostshm {
namespace {

// Rings of this rank, on which Start() was called.
struct Started {
  Started(job::Job& job, uint32_t group_size) : rings(job, group_size) {
    const absl::Status started = rings.Start(link);
    EXPECT_TRUE(started.ok()) << std::string(started.message());
  }

  HostLink link;
  Rings rings;
};

uint64_t PlacesBytes(uint32_t ranks) {
  return RoundUp(ranks * sizeof(am::CpuBoard::Line), kPage);
}

TEST(RingsTest, GroupNeighboursInOrderOfRank) {
  EXPECT_JOB(5, {
    const Started mine(job, 2);
    const Rank first = job.rank() / 2 * 2;
    const std::vector<Rank> expected =
        job.rank() == 4 ? std::vector<Rank>{4}
                        : std::vector<Rank>{first, first + 1};
    EXPECT_EQ(mine.rings.ranks(), expected);
    EXPECT_EQ(mine.rings.my_index(), job.rank() % 2);
    EXPECT_EQ(mine.rings.layout().ranks(), expected.size());
  });
}

// The test may overwrite the last bytes of a group's rings: they are payload,
// and no rank has sent any.
TEST(RingsTest, OfOneGroupAreSharedByItAndApartFromAllElse) {
  EXPECT_JOB(5, {
    const Started mine(job, 2);
    am::CpuBoard cpu_board;
    mine.rings.Join(cpu_board);
    const auto mark = static_cast<unsigned char>(1 + job.rank() / 2);
    unsigned char* const end = mine.rings.base() + mine.rings.layout().total();
    if (job.rank() % 2 == 0) {
      for (unsigned char* at = end - kPage; at < end; ++at) *at = mark;
    }
    cpu_board.ReportHere(static_cast<int>(job.rank()));
    ASSERT_TRUE(job.Barrier().ok());
    for (unsigned char* at = end - kPage; at < end; ++at) {
      if (*at != mark) {
        ADD_FAILURE() << "another group's, or the places";
        break;
      }
    }
  });
}

TEST(RingsTest, EndBehindTheStatusPagesTheGroupsAndThePlaces) {
  EXPECT_JOB(5, {
    const Started mine(job, 2);
    EXPECT_EQ(mine.rings.end(), 5 * job::kStatusPageBytes +
                                    3 * Layout(2).total() + PlacesBytes(5));
    struct stat memory;
    ASSERT_EQ(fstat(job.host_memory_fd(), &memory), 0);
    EXPECT_EQ(static_cast<uint64_t>(memory.st_size), mine.rings.end());
  });
  // A partial group takes only the memory of its ranks.
  EXPECT_JOB(2, {
    const Started mine(job, 100);
    EXPECT_EQ(mine.rings.end(),
              2 * job::kStatusPageBytes + Layout(2).total() + PlacesBytes(2));
  });
}

TEST(RingsTest, SayWhereAllRanksOfTheHostRun) {
  EXPECT_JOB(5, {
    const Started mine(job, 2);
    am::CpuBoard cpu_board;
    mine.rings.Join(cpu_board);
    cpu_board.ReportHere(static_cast<int>(10 + job.rank()));
    ASSERT_TRUE(job.Barrier().ok());
    std::set<int> seen;
    std::set<int> expected;
    cpu_board.ForEachOther([&](int cpu) { seen.insert(cpu); });
    for (int rank = 0; rank < 5; ++rank) {
      if (rank != static_cast<int>(job.rank())) expected.insert(10 + rank);
    }
    EXPECT_EQ(seen, expected);
    ASSERT_TRUE(job.Barrier().ok());
  });
}

int received = 0;

TEST(RingsTest, CarryMessagesBetweenThoseOfAGroup) {
  EXPECT_JOB(4, {
    Started mine(job, 2);
    am::Progress progress;
    am::Engine<HostLink> engine(mine.link, progress);
    constexpr uint8_t kHandler = am::kFirstClientHandler;
    void (*const on_request)(void*, int32_t) = [](void*, int32_t value) {
      received += value;
    };
    engine.handlers().RegisterClient(
        kHandler, reinterpret_cast<am::AnyHandler>(on_request));
    ASSERT_TRUE(job.Barrier().ok());
    const int32_t value = static_cast<int32_t>(job.rank()) + 1;
    engine.Request(job.rank() ^ 1,
                   {.handler = kHandler, .num_args = 1, .args = &value});
    engine.WaitUntil([] { return received != 0; });
    EXPECT_EQ(received, static_cast<int>(job.rank() ^ 1) + 1);
    ASSERT_TRUE(job.Barrier().ok());
  });
}

TEST(RingsTest, OfOneThatFailsFailForAll) {
  EXPECT_EXIT(job::RunForkedJob(3,
                                [](job::Job& job) {
                                  const rlimit small = {.rlim_cur = 4096,
                                                        .rlim_max = 4096};
                                  if (job.rank() == 2)
                                    setrlimit(RLIMIT_FSIZE, &small);
                                  HostLink link;
                                  Rings rings(job, 3);
                                  EXPECT_EQ(rings.Start(link).code(),
                                            absl::StatusCode::kAborted);
                                }),
              testing::ExitedWithCode(0), "gasnet_init: .*ulimit");
}

}  // namespace
}  // namespace gasnet::hostshm
