#include "portals/memory/help.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "absl/base/dynamic_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/cancellation.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "base/round_up.h"
#include "base/unique_fd.h"
#include "portals/engine/arithmetic.h"
#include "portals/memory/door.h"
#include "portals/memory/presence.h"
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

// Makes one request of `size` bytes at `address`. Passes `given` to the helper,
// and takes the answer to `taken`.
bool AskOnce(const View& owner, HelpDesk::Way way, uint64_t address,
             uint32_t size, std::span<const std::byte> given,
             std::span<std::byte> taken) {
  HelpDesk& desk = owner.header().help;
  const Holding holding(desk.lock);
  // A peer that died may have left a request. Waits until the helper is done
  // with that request.
  uint32_t asked = desk.asked.load(std::memory_order_acquire);
  if (!AwaitAnswer(owner, asked)) return false;
  desk.address = address;
  desk.size = size;
  desk.way = way;
  std::copy(given.begin(), given.end(), owner.help_area());
  asked = desk.asked.fetch_add(HelpDesk::kOne, std::memory_order_release);
  asked += HelpDesk::kOne;
  FutexWake(desk.asked, 1);
  if (!AwaitAnswer(owner, asked) || desk.there == 0) return false;
  std::copy_n(owner.help_area(), taken.size(), taken.data());
  return true;
}

// Returns true if this process may write the memory. Needs no descriptor, if
// the kernel knows MADV_POPULATE_WRITE (Linux 5.14).
bool MayWrite(uint64_t address, size_t size) {
  constexpr int kPopulateWrite = 23;
  constexpr uint64_t kPageMask = 4095;
  const uint64_t start = address & ~kPageMask;
  if (address + size < address) return false;
  const size_t pages = RoundUp(address + size - start, kPageMask + 1);
  if (syscall(SYS_madvise, start, pages, kPopulateWrite) == 0) return true;
  return errno == EINVAL &&
         internal::LookForMemory(address, size, Access::kWrite);
}

// Returns the bytes of a request that have contents.
std::span<std::byte> BytesOf(HelpItems& request, size_t size) {
  return {reinterpret_cast<std::byte*>(&request),
          offsetof(HelpItems, items) + size};
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
    const bool writes = way == HelpDesk::kWrite;
    if (!AskOnce(owner, way, address, static_cast<uint32_t>(part),
                 {at, writes ? part : 0}, {at, writes ? 0 : part})) {
      return false;
    }
    at += part;
    address += part;
    size -= part;
  }
  return true;
}

bool CombineOwn(uint64_t address, size_t size, HelpItems& request) {
  const size_t item = SizeOfType(request.datatype);
  if (item == 0 || size > sizeof request.items || !MayWrite(address, size)) {
    return false;
  }
  portals4::Combine(request.operation, request.datatype,
                    reinterpret_cast<std::byte*>(address), request.items, size,
                    request.operand, request.items);
  return true;
}

bool AskToCombine(const View& owner, uint64_t address, size_t size,
                  HelpItems& request) {
  if (owner.header().help.serves.load(std::memory_order_acquire) !=
      HelpDesk::kServes) {
    return false;
  }
  const std::span<std::byte> bytes = BytesOf(request, size);
  return AskOnce(owner, HelpDesk::kCombine, address,
                 static_cast<uint32_t>(size), bytes, bytes);
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
    view_.header().help.serves.store(HelpDesk::kServes,
                                     std::memory_order_release);
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
  const bool there = way == HelpDesk::kCombine ? Combine(desk.address, size)
                                               : Copy(way, desk.address, size);
  desk.there = there ? 1 : 0;
}

// Works on a copy of the request, since a faulty process may change the area.
bool Helper::Combine(uint64_t address, size_t size) const {
  HelpItems request;
  if (size > sizeof request.items) return false;
  const std::span<std::byte> bytes = BytesOf(request, size);
  std::copy_n(view_.help_area(), bytes.size(), bytes.data());
  // Hides this access from the thread sanitizer. The peer's process orders it
  // with the program's accesses, and the sanitizer does not see that process.
  // It sees no access of a peer that goes by another way either.
  ABSL_ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
  const bool combined = CombineOwn(address, size, request);
  ABSL_ANNOTATE_IGNORE_READS_AND_WRITES_END();
  if (!combined) return false;
  std::copy(bytes.begin(), bytes.end(), view_.help_area());
  return true;
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
