// Registered memory, and the rules of what posts may refer to in it.
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
  uint64_t real_key;  // that `key` is once it is enabled
  bool enabled = false;

  bool Covers(uintptr_t at, size_t n) const {
    return at >= base && n <= nbytes && at - base <= nbytes - n;
  }
  void Enable();
};

// In the following mr_mode is FI_MR_* bits, those that the provider demands.

// The arguments of fi_mr_reg.
void CheckRegistered(int mr_mode, const void* buffer, size_t nbytes,
                     uint64_t access, uint64_t offset, uint64_t flags);

// Memory that `call` has posted with the descriptor of `found`; null: of none.
void CheckPosted(const char* call, int mr_mode, const void* address, size_t n,
                 const void* descriptor, const Registration* found,
                 uint64_t access);

// Where a peer's operation lies in it, or null where it may not.
std::byte* Reach(const Registration& memory, int mr_mode, uint64_t address,
                 size_t n, uint64_t access);

}  // namespace gasnet::ofi::rules

#endif  // CONDUITS_OFI_TESTING_RULES_REGISTRATION_H_
