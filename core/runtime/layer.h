// The parts of layers that hold state. The runtime owns them. It creates them
// in the order of the enumerators below, before messages can arrive, and
// destroys them in reverse order. Runtime::layer<L>() returns the part with the
// name L::kName.
#ifndef CORE_RUNTIME_LAYER_H_
#define CORE_RUNTIME_LAYER_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

enum class LayerName : uint8_t {
  kClient,           // ex/client.h
  kOperations,       // extended/record_table.h
  kNativeTransfers,  // extended/native.h
  kBacklog,          // extended/backlog.h
  kBarriers,         // extended/barriers.h
  kVis,              // vis/vis.h
  kCollectives,      // coll/collectives.h
  kCollectiveCalls,  // export/coll/calls.h
  kTeams,            // ex/teams.h
  kFurtherMessages,  // ex/further_messages.h
  kHandlerThread,    // core/runtime/handler_thread.h
};
inline constexpr size_t kLayers =
    static_cast<size_t>(LayerName::kHandlerThread) + 1;

class Layer {
 public:
  Layer() = default;
  virtual ~Layer() = default;
  // Ends the layer's threads, if it has any. Called before the end of the
  // runtime, and by exit(). Waits at most `patience` nanoseconds for each
  // thread (LibraryThread::End).
  virtual void EndThreads(int64_t /*patience*/) {}
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_LAYER_H_
