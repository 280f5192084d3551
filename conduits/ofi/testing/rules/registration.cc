#include "conduits/ofi/testing/rules/registration.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "conduits/ofi/testing/rules/violation.h"

namespace gasnet::ofi::rules {
namespace {

// Returns true if all pages of the range are in memory.
bool IsThere(uintptr_t base, size_t nbytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = base / page * page;
  const uintptr_t end = base + nbytes;
  std::vector<unsigned char> there((end - begin + page - 1) / page);
  if (mincore(reinterpret_cast<void*>(begin), end - begin, there.data()) != 0) {
    return false;
  }
  return std::all_of(there.begin(), there.end(),
                     [](unsigned char each) { return (each & 1) != 0; });
}

}  // namespace

void Registration::Enable() {
  enabled = true;
  mem_desc = this;
  key = real_key;
}

void CheckRegistered(int mr_mode, const void* buffer, size_t nbytes,
                     uint64_t access, uint64_t offset, uint64_t flags) {
  if (offset != 0 || flags != 0 || access == 0) {
    Violation("memory is registered with offset, flags, or for no access");
  }
  if ((mr_mode & FI_MR_ALLOCATED) != 0 &&
      !IsThere(reinterpret_cast<uintptr_t>(buffer), nbytes)) {
    Violation("memory of %zu bytes is registered that is not allocated",
              nbytes);
  }
}

void CheckPosted(const char* call, int mr_mode, const void* address, size_t n,
                 const void* descriptor, const Registration* found,
                 uint64_t access) {
  const bool must = (mr_mode & FI_MR_LOCAL) != 0;
  if (descriptor == nullptr) {
    if (!must || n == 0) return;
    Violation("%s of %zu bytes has no descriptor", call, n);
  }
  if (found == nullptr || !found->enabled) {
    Violation("%s has a descriptor of no registered memory", call);
  }
  if (!found->Covers(reinterpret_cast<uintptr_t>(address), n)) {
    Violation("%s of %zu bytes is not within the descriptor's memory", call, n);
  }
  if (must && (found->access & access) == 0) {
    Violation("%s uses memory that is not registered for that", call);
  }
}

std::byte* Reach(const Registration& memory, int mr_mode, uint64_t address,
                 size_t n, uint64_t access) {
  const bool is_virtual = (mr_mode & FI_MR_VIRT_ADDR) != 0;
  if (!is_virtual && address > memory.nbytes) return nullptr;
  const uintptr_t place = is_virtual ? address : memory.base + address;
  const bool may = memory.enabled && memory.Covers(place, n) &&
                   (memory.access & access) == access;
  return may ? reinterpret_cast<std::byte*>(place) : nullptr;
}

}  // namespace gasnet::ofi::rules
