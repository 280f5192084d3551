// The kinds of transfers that a network performs by itself (core/rma/rma.h), as
// statistics and traces tell them apart.
#ifndef CORE_OBSERVE_TRANSFER_KIND_H_
#define CORE_OBSERVE_TRANSFER_KIND_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::observe {

enum class TransferKind : uint8_t { kPut, kGet };
inline constexpr size_t kTransferKinds = 2;

// The group of native transfers. They belong to the conduit, because clients
// ask for them only by other calls.
inline constexpr char kTransferGroup = 'C';

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRANSFER_KIND_H_
