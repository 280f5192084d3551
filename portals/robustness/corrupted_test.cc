// A process of the same user writes over another's tables while peers work on
// them: the peers' operations end somehow, and they live.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "portals/testing/process.h"

namespace gasnet::portals::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;

// The tables of a process: what of its descriptors is memory named for Portals.
int OpenTables(pid_t pid) {
  const std::string directory = "/proc/" + std::to_string(pid) + "/fd";
  DIR* const listing = opendir(directory.c_str());
  if (listing == nullptr) return -1;
  int found = -1;
  while (const dirent* const entry = readdir(listing)) {
    const std::string path = directory + "/" + entry->d_name;
    char name[256] = {};
    if (readlink(path.c_str(), name, sizeof name - 1) < 0) continue;
    if (strstr(name, "memfd:portals4") == nullptr) continue;
    found = open(path.c_str(), O_RDWR | O_CLOEXEC);
    break;
  }
  closedir(listing);
  return found;
}

// Writes over random words of what the file really has.
class Vandal {
 public:
  Vandal(pid_t pid, uint64_t seed) : random_(seed), file_(OpenTables(pid)) {
    struct stat status;
    if (file_ < 0 || fstat(file_, &status) != 0) return;
    size_ = static_cast<size_t>(status.st_size);
    void* const memory =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory != MAP_FAILED) memory_ = static_cast<unsigned char*>(memory);
  }
  ~Vandal() {
    if (memory_ != nullptr) munmap(memory_, size_);
    if (file_ >= 0) close(file_);
  }
  bool ready() const { return memory_ != nullptr; }

  void Scribble(int words) {
    for (int i = 0; i < words; ++i) {
      const off_t somewhere = static_cast<off_t>(random_() % size_);
      const off_t data = lseek(file_, somewhere, SEEK_DATA);
      if (data < 0) continue;
      const size_t at =
          (static_cast<size_t>(data) + random_() % 4096) & ~size_t{7};
      if (at + 8 > size_) continue;
      const uint64_t kinds[] = {0, ~uint64_t{0}, random_(), random_() % 64,
                                uint64_t{1} << (random_() % 64)};
      const uint64_t value = kinds[random_() % 5];
      memcpy(memory_ + at, &value, sizeof value);
    }
  }

 private:
  std::mt19937_64 random_;
  int file_;
  size_t size_ = 0;
  unsigned char* memory_ = nullptr;
};

TEST(Corrupted, PeersLiveWhenTablesAreOverwritten) {
  const char* const wanted = getenv("PORTALS_CORRUPTIONS");
  const int rounds = wanted != nullptr ? atoi(wanted) : 30;
  const uint64_t seed = std::random_device()();
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + " of seed " +
                 std::to_string(seed));
    Process initiator(Process::Memory::kMapped);
    Process target(Process::Memory::kMapped);
    ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
    ASSERT_EQ(target.Open(kOptions), PTL_OK);
    const ptl_handle_eq_t at_target = target.Eq(64);
    const ptl_pt_index_t pt = target.Pt(at_target);
    for (ptl_match_bits_t bits = 0; bits < 8; ++bits) {
      target.Append(pt, {.bits = bits});
      target.Append(pt, {.bits = 8 + bits, .list = PTL_OVERFLOW_LIST});
    }
    const ptl_handle_eq_t eq = initiator.Eq(64);
    const ptl_handle_md_t md = initiator.Md(eq);
    const auto work = [=, to = target.id()] {
      ptl_event_t event;
      for (ptl_match_bits_t i = 0; i < 64; ++i) {
        PtlPut(md, 0, 8 * i, PTL_ACK_REQ, to, pt, i % 16, 0, nullptr, i);
        PtlGet(md, 0, 8 * i, to, pt, i % 16, 0, nullptr);
        PtlFetchAtomic(md, 0, md, 64, 8, to, pt, i % 16, 0, nullptr, 0, PTL_SUM,
                       PTL_INT64_T);
        while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
      }
      return 1;
    };
    ASSERT_EQ(initiator.Call(work), 1) << "before anything is wrong";
    Vandal vandal(target.child().pid(), seed + static_cast<uint64_t>(round));
    ASSERT_TRUE(vandal.ready())
        << "the tables are not where they were looked for";
    for (int again = 0; again < 8; ++again) {
      vandal.Scribble(1 << (2 * again));
      initiator.child().Begin(work);
      vandal.Scribble(64);  // meanwhile
      EXPECT_EQ(initiator.child().End<int>(), 1);
    }
    // Its own tables are whole, and serve it.
    const ptl_pt_index_t own = initiator.Pt(PTL_EQ_NONE);
    initiator.Append(own, {});
    EXPECT_EQ(initiator.Call([=, self = initiator.id()] {
      ptl_event_t event;
      unsigned which;
      while (PtlEQGet(eq, &event) != PTL_EQ_EMPTY) continue;
      PtlPut(md, 0, 8, PTL_ACK_REQ, self, own, 0, 0, nullptr, 0);
      do {
        if (PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which) != PTL_OK)
          return -1;
      } while (event.type != PTL_EVENT_ACK);
      return static_cast<int>(event.ni_fail_type);
    }),
              PTL_NI_OK);
  }
}

}  // namespace
}  // namespace gasnet::portals::testing
