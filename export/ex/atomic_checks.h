// Debug checks of the arguments of atomics (gasnet/ex_atomics.h). A violation
// ends the job with a message.
#ifndef EXPORT_EX_ATOMIC_CHECKS_H_
#define EXPORT_EX_ATOMIC_CHECKS_H_

#include <cstddef>

#include "core/rank.h"
#include "core/thread/mode.h"
#include "gasnet_ratomic.h"

namespace gasnet::exported {

// The arguments of an atomic operation, for the checks.
struct AtomicCall {
  const char* name;
  gex_AD_t ad;
  gex_DT_t type;
  size_t nbytes;  // size of the type in bytes
  const void* result;
  gex_Rank_t rank;
  const void* target;
  gex_OP_t operation;
  gex_Flags_t flags;
};

namespace internal {
void CheckAtomic(const AtomicCall& call);
void CheckDomain(gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags);
void CheckDomainLives(const char* call, gex_AD_t ad);
void NoteDomain(gex_AD_t ad);
void ForgetDomain(gex_AD_t ad);
void CheckHasNoDomains(gex_TM_t tm);
}  // namespace internal

inline void CheckAtomic(const AtomicCall& call) {
  if constexpr (thread::kChecks) internal::CheckAtomic(call);
}

// Checks the arguments of gex_AD_Create.
inline void CheckDomain(gex_TM_t tm, gex_DT_t dt, gex_OP_t ops,
                        gex_Flags_t flags) {
  if constexpr (thread::kChecks) internal::CheckDomain(tm, dt, ops, flags);
}

// Returns the domain of a handle. In debug builds, ends the job if the domain
// does not exist.
inline gasneti_ad& CheckedDomain(const char* call, gex_AD_t ad) {
  if constexpr (thread::kChecks) internal::CheckDomainLives(call, ad);
  return *ad;
}

// Both record the domains that exist. NoteDomain() adds a domain that was
// created, ForgetDomain() removes one that gex_AD_Destroy is about to delete.
inline void NoteDomain(gasneti_ad& ad) {
  if constexpr (thread::kChecks) internal::NoteDomain(&ad);
}
inline void ForgetDomain(gex_AD_t ad) {
  if constexpr (thread::kChecks) internal::ForgetDomain(ad);
}

// Checks that a team has no domains, so that it may be destroyed.
inline void CheckHasNoDomains(gex_TM_t tm) {
  if constexpr (thread::kChecks) internal::CheckHasNoDomains(tm);
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_ATOMIC_CHECKS_H_
