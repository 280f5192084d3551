// A domain of atomics: a team, a type, and the operations that the client uses.
// Constant but for the client's data. Atomics need nothing else of it: all are
// the processor's (atomics.h), so domains are coherent with each other.
#ifndef EX_ATOMIC_DOMAIN_H_
#define EX_ATOMIC_DOMAIN_H_

#include "ex/client_data.h"
#include "gasnet/ex_atomics.h"

struct gasneti_ad {
  const gex_TM_t tm;
  const gex_DT_t dt;
  const gex_OP_t ops;
  const gex_Flags_t flags;
  gasnet::ex::ClientData data;
};

#endif  // EX_ATOMIC_DOMAIN_H_
