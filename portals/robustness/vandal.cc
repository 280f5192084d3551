#include "portals/robustness/vandal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "absl/base/thread_annotations.h"
#include "base/clock.h"
#include "base/futex.h"
#include "portals/testing/child.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr size_t kPage = 4096;

// Opens the tables of a process. They lie in a memfd with Portals in its name,
// and the process has a descriptor for it.
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

// Returns true if this process has memory at the address `word`. Its children
// then have some too. If their tables named that memory, they would overwrite
// it. Only a sanitizer has memory at addresses that are so simple. It keeps its
// records there, and crashes if the program touches them.
bool IsAddress(uint64_t word) {
  char byte = 0;
  const iovec here = {&byte, 1};
  const iovec there = {reinterpret_cast<void*>(word), 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

}  // namespace

Vandal::Vandal(pid_t pid, uint64_t seed)
    : random_(seed), file_(OpenTables(pid)) {
  struct stat status;
  if (file_ < 0 || fstat(file_, &status) != 0) return;
  size_ = static_cast<size_t>(status.st_size);
  void* const memory =
      mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory != MAP_FAILED) memory_ = static_cast<unsigned char*>(memory);
}

Vandal::~Vandal() {
  if (memory_ != nullptr) munmap(memory_, size_);
  if (file_ >= 0) close(file_);
}

portals4::View Vandal::view() const {
  const auto& header =
      *reinterpret_cast<const portals4::RegionHeader*>(memory_);
  return {memory_, header.counts};
}

portals4::TriggerRecord* Vandal::FindTrigger(uint64_t user_ptr) const {
  for (uint32_t slot = 1; slot <= view().counts().triggers; ++slot) {
    portals4::TriggerRecord* const record = view().TriggerAt(slot);
    if (record->user_ptr == user_ptr) return record;
  }
  return nullptr;
}

void Vandal::AskForHelp(uint64_t address) const ABSL_NO_THREAD_SAFETY_ANALYSIS {
  portals4::HelpDesk& desk = view().header().help;
  desk.address = address;
  desk.size = 8;
  desk.way = portals4::HelpDesk::kRead;
  Overwrite(desk.asked, desk.answered.load() + portals4::HelpDesk::kOne);
}

bool Vandal::IsAnswered() const {
  const portals4::HelpDesk& desk = view().header().help;
  const int64_t end = NowNanos() + kPatienceMs / 4 * kNanosPerMilli;
  while (desk.answered.load() != desk.asked.load()) {
    if (NowNanos() > end) return false;
    sched_yield();
  }
  return true;
}

void Vandal::Overwrite(std::atomic<uint32_t>& word, uint32_t value) {
  word.store(value);
  FutexWake(word, 1);
}

void Vandal::CountFlight(ptl_pt_index_t pt) const
    ABSL_NO_THREAD_SAFETY_ANALYSIS {
  ++view().Pt(pt)->flights;
}

bool Vandal::Shrink() const { return ftruncate(file_, 0) == 0; }

void Vandal::Scribble(int words) {
  const std::vector<size_t> pages = Pages();
  for (int i = 0; i < words && !pages.empty(); ++i) {
    const size_t at =
        pages[random_() % pages.size()] + random_() % (kPage / 8) * 8;
    const uint64_t kinds[] = {0, ~uint64_t{0}, random_(), random_() % 64,
                              uint64_t{1} << (random_() % 64)};
    const uint64_t value = kinds[random_() % 5];
    if (!IsAddress(value)) memcpy(memory_ + at, &value, sizeof value);
  }
}

// Returns the offsets of the pages of the file that are not holes.
std::vector<size_t> Vandal::Pages() const {
  std::vector<size_t> pages;
  off_t at = 0;
  while ((at = lseek(file_, at, SEEK_DATA)) >= 0) {
    const off_t end = lseek(file_, at, SEEK_HOLE);
    for (; at < end; at += kPage) pages.push_back(static_cast<size_t>(at));
  }
  return pages;
}

}  // namespace gasnet::portals4_tests::testing
