// The layers that stand on the runtime, bottom up, and what gasnet_attach tells
// each of them. A new one is added here, and its C functions to a file of this
// folder; docs/LAYERS.md has the rest.
#ifndef EXPORT_LAYERS_H_
#define EXPORT_LAYERS_H_

#include "coll/collectives.h"
#include "core/runtime/runtime.h"
#include "export/coll/calls.h"
#include "extended/extended.h"
#include "vis/transfers.h"

namespace gasnet::exported {

// Before messages can arrive.
inline void MakeLayers() {
  extended::Extended::RegisterHandlers();
  vis::Transfers::RegisterHandlers();
  runtime->Make<coll::Collectives>();
  runtime->Make<CollCalls>();
}

// On every rank, once the runtime is attached. Others may be through with it
// and have sent messages: so nothing polls here, lest the client's handlers run
// before this rank is attached itself.
inline void StartLayers() {
  extended::Extended::Start();
  coll::Collectives::Mine().Start();
}

}  // namespace gasnet::exported

#endif  // EXPORT_LAYERS_H_
