// Tests of the further sockets of the ranks of a job.
#include "core/datagram/job_socket.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "job/job.h"
#include "job/testing/forked_job.h"

namespace gasnet::datagram {
namespace {

constexpr int kPatience = 30'000;  // ms, after which a test fails

// Any sockets serve as the first ones, since only their addresses are used.
std::vector<ip::Address> FirstAddresses(const job::Job& job) {
  std::vector<ip::Address> first(job.size(), *ip::Address::Parse("127.0.0.1"));
  for (ip::Address& address : first) address.SetPort(1);
  return first;
}

// Checks that a datagram from this rank's socket, to the address of the next
// rank, arrives at the socket of the same rail there.
void CheckThatRailsMeet(job::Job& job, const std::vector<RailSocket>& rails) {
  const uint32_t next = (job.rank() + 1) % job.size();
  for (size_t rail = 0; rail < rails.size(); ++rail) {
    const ip::Address& to = rails[rail].peers[next];
    EXPECT_EQ(sendto(rails[rail].socket.get(), &rail, sizeof rail, 0, to.get(),
                     to.size()),
              static_cast<ssize_t>(sizeof rail));
  }
  for (size_t rail = 0; rail < rails.size(); ++rail) {
    pollfd readable = {rails[rail].socket.get(), POLLIN, 0};
    ASSERT_EQ(poll(&readable, 1, kPatience), 1);
    size_t found = rails.size();
    EXPECT_EQ(recv(readable.fd, &found, sizeof found, 0),
              static_cast<ssize_t>(sizeof found));
    EXPECT_EQ(found, rail);
  }
  EXPECT_TRUE(job.Barrier().ok());
}

TEST(JobSocketDeathTest, AllRanksGetTheLeastNumberThatAnyWishes) {
  EXPECT_JOB(3, {
    const std::vector<RailSocket> rails =
        OpenRailSockets(job, FirstAddresses(job), 2 + job.rank());
    EXPECT_EQ(rails.size(), 2u);
    CheckThatRailsMeet(job, rails);
  });
}

TEST(JobSocketDeathTest, RanksOpenFewerThanTheMaximum) {
  EXPECT_JOB(2, {
    const std::vector<RailSocket> rails =
        OpenRailSockets(job, FirstAddresses(job), kMaxSockets);
    EXPECT_EQ(rails.size(), kMaxSockets - 1);
    CheckThatRailsMeet(job, rails);
  });
}

// Opens descriptors until it fails. Returns their number.
size_t FreeDescriptors() {
  std::vector<UniqueFd> opened;
  while (true) {
    UniqueFd descriptor(dup(STDIN_FILENO));
    if (!descriptor.valid()) return opened.size();
    opened.push_back(std::move(descriptor));
  }
}

// Sets the limit so that this process can open `count` descriptors.
void AllowDescriptors(size_t count) {
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  for (limit.rlim_cur = 0; FreeDescriptors() != count; ++limit.rlim_cur) {
    ASSERT_LT(limit.rlim_cur, limit.rlim_max);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
}

TEST(JobSocketDeathTest, LeavesDescriptorsIfThereAreFew) {
  EXPECT_JOB(2, {
    AllowDescriptors(7);
    const std::vector<RailSocket> rails =
        OpenRailSockets(job, FirstAddresses(job), kMaxSockets - 1);
    EXPECT_EQ(rails.size(), 1u);
    EXPECT_EQ(FreeDescriptors(), 6u);
    CheckThatRailsMeet(job, rails);
  });
}

TEST(JobSocketDeathTest, ARankThatCanOpenNoneLeavesAllWithNone) {
  EXPECT_JOB(2, {
    if (job.rank() == 1) {
      const rlimit none = {0, 0};
      ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    }
    EXPECT_TRUE(OpenRailSockets(job, FirstAddresses(job), 3).empty());
  });
}

}  // namespace
}  // namespace gasnet::datagram
