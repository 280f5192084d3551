// Tests of the memory of rings between endpoints: each pair has its own memory,
// both ends of a pair have the same memory, and no pair overlaps other memory.
#include "core/hostshm/endpoint_rings.h"

#include <sys/stat.h>

#include <cstring>
#include <set>
#include <vector>

#include "core/hostshm/layout.h"
#include "gtest/gtest.h"
#include "job/testing/job_alone.h"

namespace gasnet::hostshm {
namespace {

constexpr uint64_t kSegmentsEnd = 64 << 20;

class EndpointRingsTest : public ::testing::Test {
 protected:
  EndpointRingsTest() : rings_(job::JobAlone(), 1) {
    EXPECT_TRUE(rings_.Start(link_).ok());
    mine_.Begin(kSegmentsEnd);
    theirs_.Begin(kSegmentsEnd);
  }

  HostMemory Of(EndpointRings& rings, EndpointIndex own,
                EndpointIndex partner) {
    const absl::StatusOr<HostMemory> memory = rings.LinkMemory(own, partner);
    EXPECT_TRUE(memory.ok()) << memory.status();
    return *memory;
  }

  HostLink link_;
  Rings rings_;
  // Two objects for the same memory, as in two processes.
  EndpointRings mine_{job::JobAlone(), rings_};
  EndpointRings theirs_{job::JobAlone(), rings_};
};

TEST_F(EndpointRingsTest, BothEndsOfAPairMeet) {
  const HostMemory here = Of(mine_, 3, 31);
  const HostMemory there = Of(theirs_, 31, 3);
  const struct {
    unsigned char* written;
    unsigned char* read;
  } same[] = {{here.out, there.in},
              {there.out, here.in},
              {here.own_bells, there.peer_bells},
              {there.own_bells, here.peer_bells}};
  unsigned char mark = 1;
  const size_t last = rings_.layout().total() - 1;
  for (const auto& each : same) {
    each.written[0] = each.written[last] = mark;
    EXPECT_EQ(each.read[0], mark);
    EXPECT_EQ(each.read[last], mark);
    ++mark;
  }
}

TEST_F(EndpointRingsTest, NoTwoPairsOverlap) {
  std::set<unsigned char*> bases;
  for (const EndpointIndex own : {0, 1, 31}) {
    for (const EndpointIndex partner : {0, 1, 31}) {
      const HostMemory memory = Of(mine_, own, partner);
      EXPECT_TRUE(bases.insert(memory.out).second);
      EXPECT_EQ(memory.out == memory.in, own == partner);
      memory.out[0] = static_cast<unsigned char>(own * 32 + partner + 1);
      memory.out[rings_.layout().total() - 1] = memory.out[0];
    }
  }
  for (const EndpointIndex own : {0, 1, 31}) {
    for (const EndpointIndex partner : {0, 1, 31}) {
      const HostMemory memory = Of(theirs_, own, partner);
      const auto mark = static_cast<unsigned char>(own * 32 + partner + 1);
      EXPECT_EQ(memory.out[0], mark);
      EXPECT_EQ(memory.out[rings_.layout().total() - 1], mark);
    }
  }
}

TEST_F(EndpointRingsTest, RailsOverlapNeitherEachOtherNorPairs) {
  std::vector<unsigned char*> here, there;
  for (unsigned rail = 1; rail < thread::kMaxRails; ++rail) {
    here.push_back(mine_.RailMemory(rail).value());
    there.push_back(theirs_.RailMemory(rail).value());
  }
  here.push_back(Of(mine_, 0, 1).out);
  there.push_back(Of(theirs_, 0, 1).out);
  const size_t last = rings_.layout().total() - 1;
  for (size_t i = 0; i < here.size(); ++i) {
    here[i][0] = here[i][last] = static_cast<unsigned char>(i + 1);
  }
  for (size_t i = 0; i < there.size(); ++i) {
    EXPECT_EQ(there[i][0], i + 1);
    EXPECT_EQ(there[i][last], i + 1);
  }
}

TEST_F(EndpointRingsTest, TheFirstPairIsWhereItAlwaysWas) {
  const HostMemory memory = Of(mine_, 0, 0);
  EXPECT_EQ(memory.out, rings_.base());
  EXPECT_EQ(memory.own_bells, rings_.base());
}

TEST_F(EndpointRingsTest, TheyLieBehindTheSegmentsAndInFrontOfWhatComesNext) {
  Of(mine_, 31, 31);
  struct stat file;
  ASSERT_EQ(fstat(job::JobAlone().host_memory_fd(), &file), 0);
  EXPECT_EQ(static_cast<uint64_t>(file.st_size), mine_.end());
  EXPECT_GT(mine_.end(), kSegmentsEnd);
}

TEST_F(EndpointRingsTest, MemoryIsTakenWhenItIsTouched) {
  for (unsigned own = 1; own < kMaxEndpoints; ++own) {
    Of(mine_, static_cast<EndpointIndex>(own), 0);
  }
  struct stat file;
  ASSERT_EQ(fstat(job::JobAlone().host_memory_fd(), &file), 0);
  EXPECT_LT(static_cast<size_t>(file.st_blocks) * 512, size_t{4} << 20);
}

}  // namespace
}  // namespace gasnet::hostshm
