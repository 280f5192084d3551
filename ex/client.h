// The objects of GASNet-EX that every job has: the client, its primordial
// endpoint, and its primordial segment. One client a process. It is
// made by the first call of either interface, so that programs may use both.
//
// The C handles point to the structures here. Their contents are fixed once
// made, except for the client's own data, the endpoint's handlers (see
// HandlerEntries) and segment.
#ifndef EX_CLIENT_H_
#define EX_CLIENT_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "coll/progress_thread.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "ex/client_data.h"
#include "ex/handler_entries.h"
#include "ex/neighbours.h"
#include "ex/segment.h"
#include "gasnet/ex_types.h"

struct gasneti_ep {
  explicit gasneti_ep(gasneti_client& owner) : client(owner) {}

  gasneti_client& client;
  // Null until a segment is bound. Written before the client may use it.
  std::atomic<gasneti_segment*> segment{nullptr};
  gasnet::ex::HandlerEntries entries;
  gasnet::ex::ClientData data;
};

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
  // Leaves threads without messages of this life.
  ~Client() override;

  gasneti_client& client() { return client_; }
  // The endpoint of index 0.
  gasneti_ep& endpoint() { return endpoint_; }
  const Neighbours& neighbours() const { return neighbours_; }
  // True if calls that return certain errors also print a message.
  std::atomic<bool>& verbose_errors() { return verbose_errors_; }
  // The most threads of the client, and the number of the library's own threads
  // that may run its handlers.
  uint64_t max_threads() const { return max_threads_; }
  int hidden_threads() const { return hidden_threads_; }

  // Makes the primordial segment, once this rank's is attached. An empty one
  // is no segment, and neither is all of the address space.
  void SetSegment(const Segment& segment);

  // True once all ranks have their segments. NoteAttached says so.
  bool is_attached() const {
    return is_attached_.load(std::memory_order_acquire);
  }
  void NoteAttached() { is_attached_.store(true, std::memory_order_release); }

 private:
  gasneti_client client_;
  gasneti_ep endpoint_;
  gasneti_segment segment_{};
  const Neighbours neighbours_;
  std::atomic<bool> is_attached_{false};
  std::atomic<bool> verbose_errors_{true};
  const uint64_t max_threads_ = thread::MaxThreads();
  const int hidden_threads_ = coll::WantsProgressThread(thread::kConcurrent);
};

}  // namespace gasnet::ex

#endif  // EX_CLIENT_H_
