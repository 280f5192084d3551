// A domain of atomics: a team, a type, and the operations that the client uses.
// It is constant except for the client's data. Atomics need no other state,
// since all ways to perform them are coherent with the processor's atomics
// (atomics.h). So operations of several domains on one word are atomic with
// respect to each other.
//
// Inlined calls read the team (gasnet/ex_atomics_inlined.h).
#ifndef EX_ATOMIC_DOMAIN_H_
#define EX_ATOMIC_DOMAIN_H_

#include <cstddef>
#include <type_traits>

#include "ex/client_data.h"
#include "gasnet/ex_atomics.h"

struct gasneti_ad {
  const gex_TM_t tm;
  const gex_DT_t dt;
  const gex_OP_t ops;
  const gex_Flags_t flags;
  gasnet::ex::ClientData data;
};
static_assert(std::is_standard_layout_v<gasneti_ad>);
static_assert(offsetof(gasneti_ad, tm) == 0);

#endif  // EX_ATOMIC_DOMAIN_H_
