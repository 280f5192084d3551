// The client of GASNet-EX, with its endpoints and segments. A process has one
// client. The first call of either interface (GASNet or GASNet-EX) creates it,
// so that programs may use both. The primordial endpoint, with index 0, is
// created with the client.
//
// The C handles point to the structures here. Once created, the structures do
// not change, with three exceptions: the client's own data, the endpoints'
// handlers (see HandlerEntries) and the endpoints' segments. Any thread may
// call these functions.
#ifndef EX_CLIENT_H_
#define EX_CLIENT_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "coll/progress_setting.h"
#include "core/endpoint_index.h"
#include "core/runtime/handler_thread_setting.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "ex/client_data.h"
#include "ex/endpoint.h"
#include "ex/host_barriers.h"
#include "ex/neighbours.h"
#include "ex/segment.h"
#include "gasnet/ex_types.h"

struct gasneti_client {
  gasneti_client(std::string its_name, gex_Flags_t its_flags)
      : name(std::move(its_name)), flags(its_flags) {}

  const std::string name;
  const gex_Flags_t flags;
  gasnet::ex::ClientData data;
};

namespace gasnet::ex {

class Client final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kClient;
  static Client& Mine() { return runtime->layer<Client>(); }

  Client(std::string name, gex_Flags_t flags);
  // Clears the threads' prepared messages and peer completions. Destroys all
  // objects that the client has not destroyed itself.
  ~Client() override;

  gasneti_client& client() { return client_; }
  // Returns the endpoint with index 0.
  gasneti_ep& endpoint() { return endpoint_; }

  // Creates an endpoint with the lowest free index. Returns null if no index is
  // free.
  gasneti_ep* MakeEndpoint(gex_EP_Capabilities_t capabilities,
                           gex_Flags_t flags) ABSL_LOCKS_EXCLUDED(mutex_);
  // Destroys an endpoint other than the primordial one.
  void End(gasneti_ep& endpoint) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the endpoint with that index, or null.
  gasneti_ep* Find(size_t index) const {
    return index < kMaxEndpoints
               ? endpoints_[index].load(std::memory_order_acquire)
               : nullptr;
  }
  // Returns true if the handle names an endpoint that exists.
  bool Has(const gasneti_ep* endpoint) const;

  // Creates a segment of `length` bytes at the address. If the address is null,
  // creates it in new memory of whole pages. Returns null if memory is short.
  gasneti_segment* MakeSegment(void* address, uintptr_t length)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Destroys a segment that MakeSegment() created. Endpoints that were bound to
  // it have no segment afterwards.
  void End(gasneti_segment& segment) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns true if the handle names a segment that exists.
  bool Has(const gasneti_segment* segment) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Binds the segment to an endpoint other than the primordial one. If the
  // segment is null, the endpoint has no segment afterwards.
  static void Bind(gasneti_ep& endpoint, gasneti_segment* segment);

  // Returns the barriers in memory, or null if not all ranks share memory.
  HostBarriers* host_barriers() {
    return host_barriers_.has_value() ? &*host_barriers_ : nullptr;
  }

  const Neighbours& neighbours() const { return neighbours_; }
  // Returns the flag that is true if calls that return certain errors also
  // print a message.
  std::atomic<bool>& verbose_errors() { return verbose_errors_; }
  // max_threads() returns the maximum number of threads of the client.
  // hidden_threads() returns the number of the library's own threads that may
  // run the client's handlers.
  uint64_t max_threads() const { return max_threads_; }
  int hidden_threads() const { return hidden_threads_; }

  // Creates the primordial segment, once this rank's segment is attached.
  // Creates none if the attached segment is empty or is the whole address
  // space.
  void SetSegment(const Segment& segment);

  // Returns true once NoteAttached() has been called: all ranks then have their
  // segments.
  bool is_attached() const {
    return is_attached_.load(std::memory_order_acquire);
  }
  void NoteAttached() { is_attached_.store(true, std::memory_order_release); }

 private:
  gasneti_client client_;
  gasneti_ep endpoint_;
  gasneti_segment segment_{};
  std::array<std::atomic<gasneti_ep*>, kMaxEndpoints> endpoints_{};
  mutable absl::Mutex mutex_;
  // The endpoints that the client has made.
  std::array<std::unique_ptr<gasneti_ep>, kMaxEndpoints> made_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<const gasneti_segment*, std::unique_ptr<gasneti_segment>>
      segments_ ABSL_GUARDED_BY(mutex_);
  std::optional<HostBarriers> host_barriers_;
  const Neighbours neighbours_;
  std::atomic<bool> is_attached_{false};
  std::atomic<bool> verbose_errors_{true};
  const uint64_t max_threads_ = thread::MaxThreads();
  const int hidden_threads_ = coll::WantsProgressThread(thread::kConcurrent) +
                              WantsHandlerThread(thread::kConcurrent);
};

}  // namespace gasnet::ex

#endif  // EX_CLIENT_H_
