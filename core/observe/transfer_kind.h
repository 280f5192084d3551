// The kinds of transfers that a network performs by itself (core/rma/rma.h), as
// statistics and traces tell them apart, and the group of a conduit's events.
#ifndef CORE_OBSERVE_TRANSFER_KIND_H_
#define CORE_OBSERVE_TRANSFER_KIND_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::observe {

enum class TransferKind : uint8_t { kPut, kGet };
inline constexpr size_t kTransferKinds = 2;

// The group of the conduit's own events: native transfers, which clients ask
// for only by other calls, and the counts of the network.
inline constexpr char kConduitGroup = 'C';

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRANSFER_KIND_H_
