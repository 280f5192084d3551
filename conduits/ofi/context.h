// The context of an operation. The conduit passes this memory to the provider
// with the operation, and gets it back with the operation's completion. In
// between, the provider may write to `scratch`.
#ifndef CONDUITS_OFI_CONTEXT_H_
#define CONDUITS_OFI_CONTEXT_H_

#include <rdma/fabric.h>

#include <cstdint>

namespace gasnet::ofi {

struct OperationContext {
  enum class Kind : uint8_t { kReceive, kSend, kTransfer };

  explicit OperationContext(Kind of) : kind(of) {}

  fi_context2 scratch;
  const Kind kind;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_CONTEXT_H_
