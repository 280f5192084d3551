#include "core/hostshm/shared_mapping.h"

#include <sys/mman.h>

#include "base/core_dump.h"
#include "job/memory/memory_shortage.h"

namespace gasnet::hostshm {

SharedMapping::SharedMapping(int host_memory, const Part& part, Owner owner,
                             const std::string& what, uintptr_t address)
    : bytes_(part.bytes) {
  const int fixed = address != 0 ? MAP_FIXED : 0;
  void* const got =
      mmap(reinterpret_cast<void*>(address), part.bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | fixed, host_memory,
           static_cast<off_t>(part.offset));
  if (got == MAP_FAILED) return;
  base_ = static_cast<unsigned char*>(got);
  if (owner == Owner::kThisProcess) {
    LeaveUnusedOutOfCore(host_memory, part.offset, base_, bytes_);
  } else {
    LeaveOutOfCore(base_, bytes_);
  }
  if (!what.empty()) job::GuardHostMemory(host_memory, base_, bytes_, what);
}

SharedMapping::~SharedMapping() {
  if (base_ == nullptr) return;
  job::UnguardHostMemory(base_, bytes_);
  ForgetMapping(base_);
  munmap(base_, bytes_);
}

}  // namespace gasnet::hostshm
