// Tests of the segments of the ranks of one host, in jobs of a few ranks.
#include "core/hostshm/segments.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/hostshm/layout.h"
#include "gtest/gtest.h"
#include "job/job.h"
#include "job/testing/forked_job.h"

namespace gasnet::hostshm {
namespace {

#if defined(GASNET_SEGMENT_EVERYTHING)
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

// Returns a different size for each rank.
uint64_t SizeOf(uint32_t rank) { return (rank + 1) * 3 * kPage; }

// Does both steps on a rank whose network exchanges nothing.
absl::Status AttachSegments(job::Job& job, const AttachRequest& request,
                            const SegmentRules& rules, Segments& out) {
  const absl::Status mapped = MapSegments(job, request, rules, out);
  return ShareSegments(job, request, mapped, NothingExposed(), out).status();
}

Segments Attach(job::Job& job, const SegmentRules& rules, uint64_t size) {
  Segments out;
  const absl::Status attached =
      AttachSegments(job, {.segment_size = size}, rules, out);
  EXPECT_TRUE(attached.ok()) << std::string(attached.message());
  return out;
}

class SegmentsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kEverything) GTEST_SKIP() << "a segment is all of memory here";
  }
};

// Fills each rank's own segment and reads all other segments completely.
void ExpectToReachAll(job::Job& job, const Segments& segments) {
  std::fill_n(segments.peers[job.rank()].map, segments.peers[job.rank()].size,
              static_cast<unsigned char>(job.rank() + 1));
  ASSERT_TRUE(job.Barrier().ok());
  for (uint32_t rank = 0; rank < job.size(); ++rank) {
    const MappedSegment& peer = segments.peers[rank];
    if (peer.size == 0) continue;
    const std::vector<unsigned char> expected(
        peer.size, static_cast<unsigned char>(rank + 1));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), peer.map)) << rank;
    EXPECT_EQ(peer.base, segments.by_rank[rank].base);
    EXPECT_EQ(peer.size, segments.by_rank[rank].size);
  }
  ASSERT_TRUE(job.Barrier().ok());
}

TEST_F(SegmentsTest, OfAllRanksAreMappedApart) {
  EXPECT_JOB(3, {
    const Segments segments =
        Attach(job, {.supernode_size = 3}, SizeOf(job.rank()));
    for (uint32_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(segments.peers[rank].size, SizeOf(rank));
    }
    const MappedSegment& mine = segments.peers[job.rank()];
    EXPECT_EQ(mine.base, reinterpret_cast<uintptr_t>(mine.map));
    ExpectToReachAll(job, segments);
  });
}

TEST_F(SegmentsTest, DoNotOverlapWhateverTheirSizes) {
  EXPECT_JOB(3, {
    const size_t size = (job.rank() + 1) * (size_t{3} << 20);
    ExpectToReachAll(job, Attach(job, {.supernode_size = 3}, size));
  });
}

TEST_F(SegmentsTest, AreAtOneAddressWhereTheConduitWantsIt) {
  EXPECT_JOB(3, {
    const Segments segments =
        Attach(job, {.aligned = true, .supernode_size = 3}, SizeOf(job.rank()));
    for (uint32_t rank = 1; rank < 3; ++rank) {
      EXPECT_EQ(segments.by_rank[rank].base, segments.by_rank[0].base);
    }
    ExpectToReachAll(job, segments);
  });
}

// The memory in front of the segments belongs to the link.
TEST_F(SegmentsTest, LeaveWhatIsBeforeThemAlone) {
  EXPECT_JOB(2, {
    const uint64_t first = 2 * kPage;
    const std::vector<char> before(first, 'x');
    if (job.rank() == 0) {
      EXPECT_EQ(pwrite(job.host_memory_fd(), before.data(), first, 0),
                static_cast<ssize_t>(first));
    }
    const Segments segments = Attach(
        job, {.first_offset = first, .supernode_size = 2}, SizeOf(job.rank()));
    ExpectToReachAll(job, segments);
    std::vector<char> after(first);
    EXPECT_EQ(pread(job.host_memory_fd(), after.data(), first, 0),
              static_cast<ssize_t>(first));
    EXPECT_EQ(after, before);
  });
}

TEST_F(SegmentsTest, AreMappedWithinASupernodeOnly) {
  EXPECT_JOB(5, {
    const Segments segments =
        Attach(job, {.supernode_size = 2}, SizeOf(job.rank()));
    for (uint32_t rank = 0; rank < 5; ++rank) {
      EXPECT_EQ(segments.peers[rank].size > 0, rank / 2 == job.rank() / 2);
      EXPECT_EQ(segments.by_rank[rank].size, SizeOf(rank));
      EXPECT_NE(segments.by_rank[rank].base, 0u);
    }
    ExpectToReachAll(job, segments);
  });
}

// Returns the number of this process's mappings of the host memory's file.
int MapsOf(int host_memory) {
  struct stat file = {};
  EXPECT_EQ(fstat(host_memory, &file), 0);
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device;
    uint64_t inode = 0;
    words >> range >> rights >> offset >> device >> inode;
    if (inode == file.st_ino) ++count;
  }
  return count;
}

TEST_F(SegmentsTest, TakeAsManyMappingsHoweverManyRanksThereAre) {
  for (const uint32_t ranks : {2u, 7u}) {
    EXPECT_JOB(ranks, {
      const Segments segments =
          Attach(job, {.supernode_size = ranks}, SizeOf(job.rank()));
      EXPECT_LE(MapsOf(job.host_memory_fd()), 3);
      ExpectToReachAll(job, segments);
    });
  }
}

TEST_F(SegmentsTest, MayBeMissingOnSomeRanks) {
  EXPECT_JOB(3, {
    const Segments segments = Attach(job, {.supernode_size = 3},
                                     job.rank() == 1 ? 0 : SizeOf(job.rank()));
    EXPECT_EQ(segments.by_rank[1].size, 0u);
    EXPECT_EQ(segments.peers[1].size, 0u);
    ExpectToReachAll(job, segments);
  });
}

TEST_F(SegmentsTest, MayBeMissingOnAllButOne) {
  for (const uint32_t one : {0u, 1u, 3u}) {
    EXPECT_JOB(4, {
      const Segments segments =
          Attach(job, {.supernode_size = 4}, job.rank() == one ? kPage : 0);
      EXPECT_EQ(segments.peers[one].size, kPage);
      ExpectToReachAll(job, segments);
    });
  }
}

TEST_F(SegmentsTest, AreMappedNowhereInReferenceMode) {
  setenv("GASNET_REFERENCE", "1", 1);
  EXPECT_JOB(2, {
    const Segments segments =
        Attach(job, {.supernode_size = 2}, SizeOf(job.rank()));
    for (uint32_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(segments.peers[rank].size, 0u);
      EXPECT_EQ(segments.by_rank[rank].size, SizeOf(rank));
    }
    memset(reinterpret_cast<void*>(segments.by_rank[job.rank()].base), 1,
           SizeOf(job.rank()));
  });
  unsetenv("GASNET_REFERENCE");
}

TEST_F(SegmentsTest, OfOneThatFailsFailForAll) {
  EXPECT_EXIT(job::RunForkedJob(
                  3,
                  [](job::Job& job) {
                    const rlimit small = {.rlim_cur = 4096, .rlim_max = 4096};
                    if (job.rank() == 1) setrlimit(RLIMIT_FSIZE, &small);
                    Segments out;
                    const absl::Status attached = AttachSegments(
                        job, {.segment_size = SizeOf(0), .min_heap_offset = 0},
                        {.supernode_size = 3}, out);
                    EXPECT_EQ(attached.code(), absl::StatusCode::kAborted);
                  }),
              testing::ExitedWithCode(0), "gasnet_attach: .*ulimit");
}

TEST_F(SegmentsTest, TakeAStepForTheSizesAndOneForAllElse) {
  EXPECT_JOB(3, {
    Attach(job, {.supernode_size = 3}, SizeOf(job.rank()));
    EXPECT_EQ(job.collective_steps(), 2u);
  });
}

TEST_F(SegmentsTest, CarryWhatNetworksSay) {
  EXPECT_JOB(3, {
    Segments out;
    const AttachRequest request = {.segment_size = kPage};
    const absl::Status mapped = MapSegments(job, request, {}, out);
    const auto said = ShareSegments(job, request, mapped, 10 * job.rank(), out);
    ASSERT_TRUE(said.ok());
    EXPECT_EQ(*said, (std::vector<uint32_t>{0, 10, 20}));
  });
}

TEST(SharedSegmentsTest, WantOneBarrier) {
  EXPECT_EXIT(
      job::RunForkedJob(
          2,
          [](job::Job& job) {
            Segments out;
            AttachSegments(job, {.barrier = job.rank()}, {}, out).IgnoreError();
          }),
      [](int status) { return status != 0; },
      "uses a different barrier than rank .*; GASNET_BARRIER must be the "
      "same on all ranks");
}

TEST_F(SegmentsTest, WantOneHeapOffset) {
  EXPECT_EXIT(
      job::RunForkedJob(2,
                        [](job::Job& job) {
                          Segments out;
                          AttachSegments(
                              job,
                              {.segment_size = kPage,
                               .min_heap_offset = (job.rank() + 1) * kPage},
                              {}, out)
                              .IgnoreError();
                        }),
      [](int status) { return status != 0; },
      "minheapoffset is 4096 on rank 0 and 8192 on rank 1");
}

TEST_F(SegmentsTest, ShareWhatTheUserAdmits) {
  setenv("GASNET_MAX_SEGSIZE", "8M", 1);
  EXPECT_JOB(3, {
    EXPECT_EQ(LargestSegment(job, 0), (8u << 20) / 3 / kPage * kPage);
  });
  setenv("GASNET_MAX_SEGSIZE", "8M/P", 1);
  EXPECT_JOB(3, { EXPECT_EQ(LargestSegment(job, 0), 8u << 20); });
  unsetenv("GASNET_MAX_SEGSIZE");
}

TEST_F(SegmentsTest, LeaveRoomForTheRings) {
  EXPECT_JOB(2, {
    const uintptr_t without = LargestSegment(job, 0);
    const uintptr_t with = LargestSegment(job, uint64_t{1} << 60);
    EXPECT_EQ(with % kPage, 0u);
    EXPECT_LT(with, without);
    EXPECT_GT(with, 0u);
  });
}

TEST(SupernodeTest, IsTheWholeHostUnlessItIsLimited) {
  EXPECT_JOB(4, { EXPECT_EQ(SupernodeLimit(job), 4u); });
  setenv("GASNET_SUPERNODE_MAXSIZE", "2", 1);
  EXPECT_JOB(4, { EXPECT_EQ(SupernodeLimit(job), 2u); });
  setenv("GASNET_SUPERNODE_MAXSIZE", "0", 1);
  EXPECT_JOB(4, { EXPECT_EQ(SupernodeLimit(job), 4u); });
  unsetenv("GASNET_SUPERNODE_MAXSIZE");
}

TEST(SupernodeTest, MapsNobodyElseWhereMemoryIsHidden) {
  EXPECT_JOB(1, { EXPECT_EQ(MappedTogether(4), kEverything ? 1u : 4u); });
  setenv("GASNET_REFERENCE", "1", 1);
  EXPECT_JOB(1, { EXPECT_EQ(MappedTogether(4), 1u); });
  unsetenv("GASNET_REFERENCE");
}

}  // namespace
}  // namespace gasnet::hostshm
