// The handler indices that clients may use.
#ifndef EXPORT_CLIENT_HANDLER_H_
#define EXPORT_CLIENT_HANDLER_H_

#include "core/am/message.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// Returns true if a client may use this handler index. The index must not be
// truncated yet.
constexpr bool IsClients(gasneti_index_t handler) {
  return handler - am::kFirstClientHandler <
         am::kHandlers - am::kFirstClientHandler;
}

}  // namespace gasnet::exported

#endif  // EXPORT_CLIENT_HANDLER_H_
