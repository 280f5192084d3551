// Assigns an index to each handler of a client's table (spec 2.1.0.2).
#ifndef EXPORT_HANDLER_ASSIGNMENT_H_
#define EXPORT_HANDLER_ASSIGNMENT_H_

#include <optional>
#include <span>
#include <vector>

#include "core/am/message.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// Returns the indices in the order of the table. An entry with index 0 gets the
// client's lowest free index, from `first` on. Returns nothing if the table is
// not legal:
// - an entry has no function
// - an index is not a client's, or occurs twice
// - the table has more entries than there are indices
std::optional<std::vector<gasnet_handler_t>> AssignHandlers(
    std::span<const gasnet_handlerentry_t> table,
    unsigned first = am::kFirstClientHandler);

}  // namespace gasnet::exported

#endif  // EXPORT_HANDLER_ASSIGNMENT_H_
