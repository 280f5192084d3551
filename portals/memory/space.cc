#include "portals/memory/space.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/cancellation.h"
#include "base/core_dump.h"
#include "base/round_up.h"
#include "base/unique_fd.h"
#include "portals/memory/help.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

constexpr uint64_t kPageMask = 4095;

// Returns true if the error means a refusal. Other errors mean missing memory
// or a missing process.
bool IsRefusal(int error) {
  return error == EPERM || error == EACCES || error == ENOSYS;
}

// The maximum number of bytes in one call. Linux itself moves at most 2 GiB
// less a page.
constexpr size_t kMaxInACall = size_t{1} << 30;

// Returns true if an operation that finds no mapping should try to make it.
// `before` is the number of earlier operations that found none.
bool IsTimeToMap(uint32_t before) {
  return std::has_single_bit(before) || before % kMaxUsesUnmapped == 0;
}

}  // namespace

Space::~Space() {
  for (const std::atomic<const Mapping*>& slot : mapped_) {
    const Mapping* const mapping = slot.load(std::memory_order_acquire);
    if (mapping == nullptr) continue;
    munmap(mapping->base, mapping->range.end - mapping->range.begin);
    delete mapping;
  }
}

bool Space::Open(const MapRecord& record, Mapping& mapping) {
  const NoCancellation whole;
  const MapRecord told = record;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(pid_),
                told.descriptor);
  const bool writable = told.writable != 0;
  // The descriptor may be any descriptor of the owner, such as a pipe that
  // nobody writes. Opening it must not block.
  const UniqueFd file(open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC |
                                     O_NONBLOCK | O_NOCTTY));
  struct stat about;
  if (!file.valid() || fstat(file.get(), &about) != 0) return false;
  // Checks that the file is the owner's. Maps only pages that the file has:
  // touching a mapping beyond the end of its file would raise a signal.
  const uint64_t size =
      RoundUp(static_cast<uint64_t>(about.st_size), kPageMask + 1);
  if (about.st_ino != told.inode || about.st_dev != told.device ||
      ((told.start | told.length | told.file_offset) & kPageMask) != 0 ||
      told.length == 0 || told.start + told.length < told.start ||
      told.file_offset >= size) {
    return false;
  }
  const uint64_t length = std::min(told.length, size - told.file_offset);
  void* const base =
      mmap(nullptr, length, writable ? PROT_READ | PROT_WRITE : PROT_READ,
           MAP_SHARED, file.get(), static_cast<off_t>(told.file_offset));
  if (base == MAP_FAILED) return false;
  LeaveOutOfCore(base, length);
  mapping.base = static_cast<std::byte*>(base);
  mapping.range = {told.start, told.start + length};
  mapping.writable = writable;
  return true;
}

const Space::Mapping* Space::Map(uint32_t index) {
  if (!IsTimeToMap(wanted_[index].fetch_add(1, std::memory_order_relaxed))) {
    return nullptr;
  }
  auto made = std::make_unique<Mapping>();
  if (!Open(*view_.Map(index), *made)) return nullptr;
  const Mapping* known = nullptr;
  if (mapped_[index].compare_exchange_strong(known, made.get(),
                                             std::memory_order_acq_rel,
                                             std::memory_order_acquire)) {
    return made.release();
  }
  // Another thread has mapped the file first.
  munmap(made->base, made->range.end - made->range.begin);
  return known;
}

bool Space::MoveOtherwise(HelpDesk::Way way, uint64_t there, void* here,
                          size_t size) {
  if (!own_) return AskForHelp(view_, way, there, here, size);
  // The remembered ranges of this process may be out of date. So this asks the
  // kernel if the memory is mapped.
  const bool reads = way == HelpDesk::kRead;
  if (!internal::LookForMemory(there, size,
                               reads ? Access::kRead : Access::kWrite)) {
    return false;
  }
  auto* const at = reinterpret_cast<void*>(there);
  std::memmove(reads ? here : at, reads ? at : here, size);
  return true;
}

bool Space::Move(HelpDesk::Way way, uint64_t there, void* here, size_t size) {
  auto* at = static_cast<std::byte*>(here);
  while (size > 0) {
    if (refused_.load(std::memory_order_relaxed)) {
      return MoveOtherwise(way, there, at, size);
    }
    const size_t part = size < kMaxInACall ? size : kMaxInACall;
    const iovec ours = {.iov_base = at, .iov_len = part};
    const iovec theirs = {.iov_base = reinterpret_cast<void*>(there),
                          .iov_len = part};
    const ssize_t moved =
        way == HelpDesk::kRead
            ? process_vm_readv(pid_, &ours, 1, &theirs, 1, 0)
            : process_vm_writev(pid_, &ours, 1, &theirs, 1, 0);
    if (moved < 0 && IsRefusal(errno)) {
      refused_.store(true, std::memory_order_relaxed);
      continue;
    }
    if (moved <= 0) return false;
    at += moved;
    there += static_cast<uint64_t>(moved);
    size -= static_cast<size_t>(moved);
  }
  return true;
}

bool Space::Read(uint64_t from, void* to, size_t size) {
  return Move(HelpDesk::kRead, from, to, size);
}

bool Space::Write(uint64_t to, const void* from, size_t size) {
  // Write only reads `from`.
  return Move(HelpDesk::kWrite, to, const_cast<void*>(from), size);
}

}  // namespace gasnet::portals4
