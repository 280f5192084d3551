#include "portals/memory/help.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "absl/synchronization/mutex.h"
#include "base/cancellation.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "base/unique_fd.h"
#include "portals/memory/door.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// The helpers of this process. Any waiting thread can start them.
std::atomic<Helper*> helpers[kMaxHelpers];

// Returns true if only an administrator's process may read the memory of
// another process.
bool IsForAdministrators() {
  const NoCancellation whole;
  const UniqueFd file(
      open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC));
  char scope = '0';
  return file.valid() && read(file.get(), &scope, 1) == 1 && scope >= '2';
}

bool IsAnswered(const HelpDesk& desk, uint32_t asked) {
  return desk.answered.load(std::memory_order_acquire) == asked;
}

// Returns true if no answer to the requests up to `asked` will come: the desk
// is closed, or a faulty process has overwritten `desk.asked`.
bool IsHopeless(const HelpDesk& desk, uint32_t asked) {
  const uint32_t now = desk.asked.load(std::memory_order_acquire);
  return now != asked || (now & HelpDesk::kClosed) != 0;
}

bool HasGone(const View& owner) {
  return owner.header().state.load(std::memory_order_acquire) !=
             RegionHeader::kReady ||
         !IsAlive(owner.header().owner);
}

// Waits until the helper has answered all requests up to `asked`. Returns false
// if the helper will never answer.
bool AwaitAnswer(const View& owner, uint32_t asked) {
  HelpDesk& desk = owner.header().help;
  for (int tries = 0;; ++tries) {
    if (IsAnswered(desk, asked)) return true;
    if (IsHopeless(desk, asked)) return false;
    if (tries < kHelpSpins) {
      CpuRelax();
      continue;
    }
    const uint32_t seen = desk.answered.load(std::memory_order_acquire);
    if (seen == asked) return true;
    // While this thread waits, other processes may be waiting for a helper of
    // this process.
    Helper::StartWhereWanted();
    owner.header().doorbell.Ring();
    FutexWait(desk.answered, seen, kHelpInterval);
    if (IsAnswered(desk, asked)) return true;
    if (HasGone(owner)) return false;
    // A faulty process may have overwritten `answered`. Waking the helper makes
    // it read the counters again.
    FutexWake(desk.asked, 1);
  }
}

bool AskOnce(const View& owner, HelpDesk::Way way, uint64_t address,
             std::byte* here, uint32_t size) {
  HelpDesk& desk = owner.header().help;
  const Holding holding(desk.lock);
  // A peer that died may have left a request. Waits until the helper is done
  // with that request.
  uint32_t asked = desk.asked.load(std::memory_order_acquire);
  if (!AwaitAnswer(owner, asked)) return false;
  desk.address = address;
  desk.size = size;
  desk.way = way;
  if (way == HelpDesk::kWrite) std::memcpy(owner.help_area(), here, size);
  asked = desk.asked.fetch_add(HelpDesk::kOne, std::memory_order_release);
  asked += HelpDesk::kOne;
  FutexWake(desk.asked, 1);
  if (!AwaitAnswer(owner, asked) || desk.there == 0) return false;
  if (way == HelpDesk::kRead) std::memcpy(here, owner.help_area(), size);
  return true;
}

}  // namespace

bool MayBeRefused() {
  char from = 0;
  char to = 0;
  const iovec here = {.iov_base = &to, .iov_len = 1};
  const iovec there = {.iov_base = &from, .iov_len = 1};
  return IsShut() || process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1 ||
         IsForAdministrators();
}

bool AskForHelp(const View& owner, HelpDesk::Way way, uint64_t address,
                void* here, size_t size) {
  auto* at = static_cast<std::byte*>(here);
  while (size > 0) {
    const size_t part = std::min<size_t>(size, kHelpBytes);
    if (!AskOnce(owner, way, address, at, static_cast<uint32_t>(part))) {
      return false;
    }
    at += part;
    address += part;
    size -= part;
  }
  return true;
}

Helper::Helper(const View& view, int file) : view_(view), file_(file) {
  for (std::atomic<Helper*>& slot : helpers) {
    Helper* none = nullptr;
    if (slot.compare_exchange_strong(none, this)) return;
  }
}

Helper::~Helper() { End(); }

void Helper::Start() {
  const absl::MutexLock lock(&mutex_);
  if (settled_.load(std::memory_order_relaxed)) return;
  // Blocks all signals in the new thread, so that the program's threads handle
  // them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running_ = pthread_create(&thread_, nullptr, &Run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (running_) {
    pthread_setname_np(thread_, "portals4-help");
  } else {
    view_.header().help.asked.fetch_or(HelpDesk::kClosed);
  }
  settled_.store(true, std::memory_order_release);
}

void Helper::End() {
  for (std::atomic<Helper*>& slot : helpers) {
    Helper* self = this;
    slot.compare_exchange_strong(self, nullptr);
  }
  const absl::MutexLock lock(&mutex_);
  HelpDesk& desk = view_.header().help;
  ends_.store(true, std::memory_order_release);
  if (running_ || !settled_.load(std::memory_order_relaxed)) {
    desk.asked.fetch_or(HelpDesk::kClosed, std::memory_order_acq_rel);
    FutexWake(desk.asked, 1);
    FutexWake(desk.answered, 1);
  }
  // A faulty process may overwrite `asked` so that one wake is lost.
  while (running_ && pthread_tryjoin_np(thread_, nullptr) == EBUSY) {
    FutexWake(desk.asked, 1);
    sched_yield();
  }
  running_ = false;
  settled_.store(true, std::memory_order_release);
}

void Helper::StartWhereWanted() {
  for (std::atomic<Helper*>& slot : helpers) {
    Helper* const helper = slot.load(std::memory_order_acquire);
    if (helper == nullptr || helper->settled_.load(std::memory_order_acquire)) {
      continue;
    }
    if (HelpIsWanted(helper->view_)) helper->Start();
  }
}

void Helper::ForgetAll() {
  for (std::atomic<Helper*>& slot : helpers) slot.store(nullptr);
}

void* Helper::Run(void* helper) {
  static_cast<Helper*>(helper)->Serve();
  return nullptr;
}

void Helper::Serve() {
  HelpDesk& desk = view_.header().help;
  while (!ends_.load(std::memory_order_acquire)) {
    const uint32_t asked = desk.asked.load(std::memory_order_acquire);
    if (asked == desk.answered.load(std::memory_order_relaxed)) {
      FutexWait(desk.asked, asked);
      continue;
    }
    Answer(desk);
    desk.answered.store(asked, std::memory_order_release);
    FutexWake(desk.answered, 1);
  }
}

void Helper::Answer(HelpDesk& desk) const {
  const auto way = static_cast<HelpDesk::Way>(desk.way);
  const size_t size = std::min<size_t>(desk.size, kHelpBytes);
  desk.there = Copy(way, desk.address, size) ? 1 : 0;
}

bool Helper::Copy(HelpDesk::Way way, uint64_t address, size_t size) const {
  auto at = static_cast<off_t>(RegionLayout(view_.counts()).help());
  while (size > 0) {
    // Does not call the C library. A sanitizer replaces its functions, and
    // looks up what it knows of the memory at `address`. It crashes if a faulty
    // process has chosen an address of which it can know nothing.
    const ssize_t moved =
        syscall(way == HelpDesk::kRead ? SYS_pwrite64 : SYS_pread64,
                long{file_}, address, size, at);
    if (moved <= 0) return false;
    address += static_cast<uint64_t>(moved);
    at += moved;
    size -= static_cast<size_t>(moved);
  }
  return true;
}

}  // namespace gasnet::portals4
