// Runs the handlers of what has arrived, with no lock held.
#ifndef CONDUITS_OFI_RUN_HANDLERS_H_
#define CONDUITS_OFI_RUN_HANDLERS_H_

#include <cstddef>
#include <span>

#include "conduits/ofi/frame.h"
#include "core/am/assembly.h"
#include "core/am/deliver_records.h"
#include "core/am/dispatcher.h"

namespace gasnet::ofi {

// Runs the handlers of a frame's records. If `assembly` is not null, it is a
// message of several frames; runs the message's handler instead.
inline void RunHandlers(Rank source, Lane lane, std::span<std::byte> frame,
                        const am::Assembly* assembly,
                        am::Dispatcher& dispatcher) {
  if (assembly != nullptr) return dispatcher.Route(assembly->message);
  am::DeliverRecords(source, lane, frame, kFrameHeaderBytes, dispatcher);
}

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_RUN_HANDLERS_H_
