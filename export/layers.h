// The layers above the runtime, from the lowest to the highest, and the calls
// that gasnet_attach makes to each. Add a new layer here, and its C functions
// in a file of this directory; see docs/LAYERS.md.
#ifndef EXPORT_LAYERS_H_
#define EXPORT_LAYERS_H_

#include "coll/collectives.h"
#include "core/observe/observer.h"
#include "core/runtime/handler_thread.h"
#include "core/runtime/handler_thread_setting.h"
#include "core/runtime/runtime.h"
#include "core/thread/mode.h"
#include "ex/atomics.h"
#include "ex/further_messages.h"
#include "ex/teams.h"
#include "export/coll/calls.h"
#include "export/handler_names.h"
#include "extended/extended.h"
#include "vis/transfers.h"

namespace gasnet::exported {

// Makes the layers, before messages can arrive.
inline void MakeLayers() {
  if (runtime->observer() != nullptr) {
    runtime->observer()->NameHandlers(kHandlerNames);
  }
  extended::Extended::RegisterHandlers();
  vis::VisTransfers::RegisterHandlers();
  runtime->Make<coll::Collectives>();
  runtime->Make<CollCalls>();
  runtime->Make<ex::Teams>();
  ex::Atomics::RegisterHandlers();
  runtime->Make<ex::FurtherMessages>();
  runtime->Make<HandlerThread>(runtime->engine(),
                               WantsHandlerThread(thread::kConcurrent));
}

// Starts the layers on this rank, once the runtime is attached. Other ranks may
// already have started their layers and sent messages. So no layer may poll
// here: a poll would run the client's handlers before this rank itself is
// attached.
inline void StartLayers() {
  extended::Extended::Start();
  coll::Collectives::Mine().Start();
  ex::Teams::Mine().Start();
}

// Starts the thread that runs the client's handlers in the background, if the
// job uses one. Call it only once client threads may poll.
inline void StartHandlerThread() { runtime->layer<HandlerThread>().Start(); }

}  // namespace gasnet::exported

#endif  // EXPORT_LAYERS_H_
