// The context that a completion of the library leads to: memory that we have
// handed in with an operation, and get back from its completion. Providers may
// scribble on the first part until then.
#ifndef CONDUITS_OFI_CONTEXT_H_
#define CONDUITS_OFI_CONTEXT_H_

#include <rdma/fabric.h>

#include <cstdint>

namespace gasnet::ofi {

struct Context {
  enum class Kind : uint8_t { kReceive, kSend, kTransfer };

  explicit Context(Kind of) : kind(of) {}

  fi_context2 scratch;
  const Kind kind;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_CONTEXT_H_
