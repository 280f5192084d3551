// The assignment of an index to each handler of a client's table (spec
// 2.1.0.2).
#ifndef EXPORT_HANDLER_ASSIGNMENT_H_
#define EXPORT_HANDLER_ASSIGNMENT_H_

#include <optional>
#include <span>
#include <vector>

#include "core/am/message.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// In the order of the table: an index of 0 becomes the lowest free one of the
// client's, which begin with `first`. Nothing where the table is not legal: an
// entry without a function, an index that is not the client's or stands twice,
// more entries than indices.
std::optional<std::vector<gasnet_handler_t>> AssignHandlers(
    std::span<const gasnet_handlerentry_t> table,
    unsigned first = am::kFirstClientHandler);

}  // namespace gasnet::exported

#endif  // EXPORT_HANDLER_ASSIGNMENT_H_
