// Registered memory, and the rules for posts that use it.
#ifndef CONDUITS_OFI_TESTING_RULES_REGISTRATION_H_
#define CONDUITS_OFI_TESTING_RULES_REGISTRATION_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi::rules {

struct Registration : fid_mr {
  uintptr_t base;
  size_t nbytes;
  uint64_t access;
  uint64_t real_key;  // becomes `key` when the region is enabled
  bool enabled = false;

  bool Covers(uintptr_t at, size_t n) const {
    return at >= base && n <= nbytes && at - base <= nbytes - n;
  }
  void Enable();
};

// In all functions below, `mr_mode` has the FI_MR_* bits that the provider
// demands.

// Checks the arguments of fi_mr_reg.
void CheckRegistered(int mr_mode, const void* buffer, size_t nbytes,
                     uint64_t access, uint64_t offset, uint64_t flags);

// Checks the local memory of a post by `call`. `found` is the registration that
// `descriptor` belongs to, or null if there is none.
void CheckPosted(const char* call, int mr_mode, const void* address, size_t n,
                 const void* descriptor, const Registration* found,
                 uint64_t access);

// Returns the address of the memory that a peer's operation accesses. Returns
// null if the access is not permitted.
std::byte* Reach(const Registration& memory, int mr_mode, uint64_t address,
                 size_t n, uint64_t access);

}  // namespace gasnet::ofi::rules

#endif  // CONDUITS_OFI_TESTING_RULES_REGISTRATION_H_
