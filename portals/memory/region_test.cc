#include "portals/memory/region.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

constexpr uint32_t kPid = 1;
constexpr uint32_t kKind = 1;
constexpr uint32_t kLoose = 2;
constexpr int kLookers = 8;

// Makes a copy of an interface's tables, of kind kLoose. Any process can shrink
// it.
UniqueFd LooseCopyOf(const Region& region, uint32_t nid) {
  UniqueFd copy(memfd_create(LabelOf(nid, kPid, kLoose).c_str(), MFD_CLOEXEC));
  const auto size = static_cast<off_t>(RegionLayout(region.counts()).total());
  const bool made = ftruncate(copy.get(), size) == 0 &&
                    pwrite(copy.get(), region.memory(), sizeof(RegionHeader),
                           0) == sizeof(RegionHeader);
  return made ? std::move(copy) : UniqueFd();
}

// A process that claims an identifier and accepts no connection. Its backlog
// has room for `backlog` + 1 connections.
class Owner {
 public:
  // Tests may run at the same time, so each test needs a nid of its own.
  explicit Owner(uint32_t nid, int backlog = 1) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) Own(nid, backlog, ends[1]);
    EXPECT_EQ(read(ends[0], &file_, sizeof file_),
              static_cast<ssize_t>(sizeof file_));
    close(ends[0]);
    close(ends[1]);
  }
  ~Owner() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  pid_t process() const { return process_; }
  // Returns the descriptor of the owner's memory, or a negative number if the
  // owner has none.
  int file() const { return file_; }

 private:
  [[noreturn]] static void Own(uint32_t nid, int backlog, int ready) {
    IdentifyThisProcess();
    const UniqueFd claim = ClaimPid(nid, kPid);
    const Region region = Region::Create(
        {.nid = nid, .pid = kPid, .uid = 1, .kind = kKind, .max_list_size = 1},
        LeastCounts());
    const UniqueFd loose = LooseCopyOf(region, nid);
    const bool made = claim.valid() && region.valid() && loose.valid() &&
                      listen(claim.get(), backlog) == 0;
    const int file = made ? region.file() : -1;
    if (write(ready, &file, sizeof file) < 0) _exit(1);
    for (;;) pause();
  }

  pid_t process_ = -1;
  int file_ = -1;
};

Region Look(uint32_t nid, uint32_t kind = kKind) {
  Claimer nobody;
  return Region::Attach(nid, kPid, kind, nobody);
}

class RegionTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_GE(owner_.file(), 0);
  }
  // No other process uses this number or the next one.
  const uint32_t nid_ = 2 * static_cast<uint32_t>(getpid());
  Owner owner_{nid_};
};

TEST_F(RegionTest, IsFoundByMoreThanItsBacklogHolds) {
  for (int i = 0; i < kLookers; ++i) {
    const Region found = Look(nid_);
    ASSERT_TRUE(found.valid()) << "looker " << i;
    EXPECT_EQ(found.pid(), owner_.process());
  }
}

// This process has also opened the owner's file. A search through all processes
// finds this process before its child, the owner.
TEST_F(RegionTest, AnotherThatHasTheFileIsNotTheOwner) {
  const UniqueFd file(open(("/proc/" + std::to_string(owner_.process()) +
                            "/fd/" + std::to_string(owner_.file()))
                               .c_str(),
                           O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(file.valid());
  for (int i = 0; i < kLookers; ++i) {
    const Region found = Look(nid_);
    ASSERT_TRUE(found.valid()) << "looker " << i;
    EXPECT_EQ(found.pid(), owner_.process());
  }
}

TEST_F(RegionTest, TablesThatMayShrinkAreRefused) {
  EXPECT_FALSE(Look(nid_, kLoose).valid());
}

TEST_F(RegionTest, NobodyIsFoundWhereNobodyListens) {
  EXPECT_FALSE(Look(nid_ + 1).valid());
}

TEST_F(RegionTest, WhoeverLooksAgainAtOnceTakesNoRoomOfOthers) {
  constexpr int kBacklog = 50;
  const uint32_t nid = nid_ + 1;
  const Owner owner(nid, kBacklog);
  Claimer known;
  int told = 0;
  for (int i = 0; i < 1000; ++i) told += known.Find(nid, kPid) > 0 ? 1 : 0;
  EXPECT_GT(told, kBacklog + 1);
}

}  // namespace
}  // namespace gasnet::portals4
